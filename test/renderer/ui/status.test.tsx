import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { stepStatuses } from '../../../core/model/run/status.ts';
import { statusWords } from '../../../renderer/format/status.ts';
import { StatusBadge } from '../../../renderer/ui/status/status-badge.tsx';
import { StatusShape } from '../../../renderer/ui/status/status-shape.tsx';
import { StatusSpark } from '../../../renderer/ui/status/status-spark.tsx';

afterEach(cleanup);

test.each(stepStatuses)('%s has a shape, a word and a colour of its own', (status) => {
  const { container } = render(<StatusBadge status={status} />);
  const shape = container.querySelector('svg')!;
  expect(screen.getByText(statusWords[status])).toBeTruthy();
  expect(shape.childElementCount).toBeGreaterThan(0);
  expect(shape.getAttribute('aria-hidden')).toBe('true');
  expect(shape.style.color).toBe(`var(--status-${status.replaceAll('_', '-')})`);
});

test('no two statuses share a shape, a word or a colour', () => {
  const shapes = stepStatuses.map((status) =>
    render(<StatusShape status={status} />).container.querySelector('svg')!,
  );
  expect(new Set(shapes.map(({ innerHTML }) => innerHTML)).size).toBe(stepStatuses.length);
  expect(new Set(shapes.map(({ style }) => style.color)).size).toBe(stepStatuses.length);
  expect(new Set(Object.values(statusWords)).size).toBe(stepStatuses.length);
});

test('a spark says in words what its bars show', () => {
  render(<StatusSpark statuses={['succeeded', 'failed', 'succeeded']} />);
  const paths = screen
    .getByRole('img', { name: 'Last 3 runs: 2 succeeded, 1 failed' })
    .querySelectorAll('path');
  // One path for all bars of a status; each bar begins with a move.
  expect([...paths].map((path) => path.getAttribute('d')?.split('M').length)).toEqual([3, 2]);
});
