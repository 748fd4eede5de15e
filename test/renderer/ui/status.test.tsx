import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stepStatuses, type RunStatus } from '../../../core/model/run.ts';
import { statusLabels } from '../../../renderer/format/labels.ts';
import { sparklinePaths, StatusSparkline } from '../../../renderer/ui/status-charts.tsx';
import { StatusBadge, StatusShape } from '../../../renderer/ui/status.tsx';

test.each(stepStatuses)('%s has its own shape, label and colour', (status) => {
  const { container } = render(<StatusBadge status={status} />);
  const shape = container.querySelector('svg')!;
  expect(screen.getByText(statusLabels[status])).toBeTruthy();
  expect(shape.childElementCount).toBeGreaterThan(0);
  expect(shape.getAttribute('aria-hidden')).toBe('true');
  expect(shape.style.color).toBe(`var(--status-${status.replaceAll('_', '-')})`);
});

test('no two statuses share a shape, a label or a colour', () => {
  const shapes = stepStatuses.map((status) =>
    render(<StatusShape status={status} />).container.querySelector('svg')!,
  );
  expect(new Set(shapes.map(({ innerHTML }) => innerHTML)).size).toBe(stepStatuses.length);
  expect(new Set(shapes.map(({ style }) => style.color)).size).toBe(stepStatuses.length);
  expect(new Set(Object.values(statusLabels)).size).toBe(stepStatuses.length);
});

test('a sparkline describes its bars in words', () => {
  render(<StatusSparkline statuses={['succeeded', 'failed', 'succeeded']} />);
  const paths = screen
    .getByRole('img', { name: 'Last 3 runs: 2 succeeded, 1 failed' })
    .querySelectorAll('path');
  // One path for the seven missing runs and one for all bars of a status; each bar starts with a move.
  expect([...paths].map((path) => path.getAttribute('d')?.split('M').length)).toEqual([8, 3, 2]);
});

test('the last run is on the right of every sparkline, however few there are', () => {
  const lefts = (statuses: readonly RunStatus[]) =>
    sparklinePaths(statuses).flatMap(({ path }) =>
      Array.from(path.matchAll(/M(\d+)/g), ([, left]) => Number(left)),
    );
  const all = lefts(Array.from({ length: 12 }, () => 'succeeded'));
  expect(all).toHaveLength(10);
  expect(lefts(['succeeded', 'succeeded'])).toEqual(all.slice(-2));
});
