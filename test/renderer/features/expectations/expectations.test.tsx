import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import type { MissedView } from '../../../../core/contract/run-views.ts';
import {
  DagExpectations,
  LateRuns,
  countByDate,
  formatMissed,
} from '../../../../renderer/features/expectations/expectations.tsx';
import { RunTable } from '../../../../renderer/features/runs/run-table.tsx';
import { makeRunSummaryView } from '../../../harness/samples.ts';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const late: MissedView = {
  kind: 'late',
  rule: 'by',
  deadline: '2026-01-31T06:30:00.000Z',
  decidedAt: '2026-01-31T06:30:01.000Z',
  message: 'No run succeeded by 06:30 on 2026-01-31 (UTC).',
};
const expectations: OperationOutput<'dags.expectations'> = {
  expect: { by: '06:30', withinSec: 1200, longestTimes: 2, everySec: 86_400 },
  zone: 'UTC',
  usual: { runs: 3, neededRuns: 5, medianSeconds: 60 },
  missed: [late],
};

const show = (changes: Partial<OperationOutput<'dags.expectations'>> = {}) =>
  renderWith(
    new FakeBridge({ 'dags.expectations': () => ({ ...expectations, ...changes }) }),
    <DagExpectations fileName="etl" name="etl" />,
  );

test('shows what is expected, and how many runs a usual duration needs', async () => {
  show();
  expect(await screen.findByText('2x usual, after 5 successful runs (3 so far)')).toBeTruthy();
  expect(screen.getByText('06:30')).toBeTruthy();
  expect(screen.getByText('No run succeeded by 06:30 on 2026-01-31 (UTC).', { exact: false })).toBeTruthy();
});

test('shows the limit once the usual duration is known', async () => {
  show({ usual: { runs: 5, neededRuns: 5, medianSeconds: 60 } });
  expect(await screen.findByText(/\(2x usual: 1m/)).toBeTruthy();
});

test('marks say since when, and how it was once it is over', () => {
  const now = Date.parse('2026-01-31T08:00:00.000Z');
  expect(formatMissed(late, now)).toMatch(/^Late since \d\d:\d\d$/);
  expect(formatMissed({ ...late, kind: 'missing', rule: 'every' }, now)).toMatch(/^Missing since/);
  expect(formatMissed({ ...late, kind: 'missing', rule: 'start' }, now)).toMatch(/^Did not start at/);
  expect(formatMissed({ ...late, kind: 'long', resolvedAt: late.decidedAt }, now)).toMatch(
    /^Was long-running at/,
  );
});

test('the calendar lists missed runs with links, and counts them by day', async () => {
  const missed = [{ ...late, fileName: 'etl', name: 'etl', dagRunId: 'r1' }];
  renderWith(new FakeBridge({}), <LateRuns missed={missed} />);
  expect((await screen.findByRole('link', { name: 'etl' })).getAttribute('href')).toContain('/dags/etl');
  expect(screen.getByRole('link', { name: 'Show run' }).getAttribute('href')).toContain('/runs/etl/r1');
  expect([...countByDate(missed).values()]).toEqual([1]);
});

test('the list of runs marks late and long runs', async () => {
  const run = makeRunSummaryView({ missed: [late, { ...late, kind: 'long', message: 'Too long.' }] });
  renderWith(new FakeBridge({ 'approvals.list': () => ({ approvals: [] }) }), <RunTable runs={[run]} />);
  expect((await screen.findByText('Late')).parentElement!.title).toBe(late.message);
  expect(screen.getByText('Long-running').parentElement!.title).toBe('Too long.');
});
