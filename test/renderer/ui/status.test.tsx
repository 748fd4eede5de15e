import { render, screen, fireEvent } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stepStatuses, type RunStatus } from '../../../core/model/run.ts';
import { statusLabels } from '../../../renderer/format/labels.ts';
import { sparklinePaths, StatusSparkline } from '../../../renderer/ui/status-charts.tsx';
import { StatusBadge, StatusShape, DiagnosticList, SeverityMark } from '../../../renderer/ui/status.tsx';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';

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

const diagnostics: readonly Diagnostic[] = [
  { severity: 'error', message: 'Nothing is called fetsh.', file: '', line: 7, column: 15, path: 'steps[1]' },
  { severity: 'warning', message: 'This is old.', file: '', line: 12, column: 1, path: '' },
];

test('an entry shows its severity, position and message; it links to its position', () => {
  const gone: Diagnostic[] = [];
  render(<DiagnosticList label="Problems" diagnostics={diagnostics} onGo={(one) => gone.push(one)} />);
  expect(screen.getByRole('list', { name: 'Problems' }).childElementCount).toBe(2);
  fireEvent.click(screen.getByRole('button', { name: /^Warning.*12:1.*This is old/ }));
  fireEvent.click(screen.getByRole('button', { name: /^Error.*7:15.*fetsh/ }));
  expect(gone).toEqual([diagnostics[1], diagnostics[0]]);
});

test('each severity has an icon and a label, which is hidden next to the same text', () => {
  const marks = (['error', 'warning', 'info'] as const).map((severity) => {
    render(<SeverityMark severity={severity} />);
    return screen.getByRole('img', { name: { error: 'Error', warning: 'Warning', info: 'Info' }[severity] });
  });
  expect(new Set(marks.map(({ innerHTML }) => innerHTML)).size).toBe(3);
  const { container } = render(<SeverityMark severity="error" isDecorative />);
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(container.querySelector('svg')?.hasAttribute('role')).toBe(false);
});
