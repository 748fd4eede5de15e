import { expect, test } from 'vitest';
import {
  compareSteps,
  compareValues,
  getParams,
  formatDelta,
} from '../../../../renderer/features/compare/compare-runs.ts';
import { findPrevious } from '../../../../renderer/features/run/rerun-button.tsx';
import { makeRunView, makeStepRunView, makeRunSummaryView } from '../../../harness/samples.ts';

const took = (name: string, seconds: number, more: Parameters<typeof makeStepRunView>[1] = {}) =>
  makeStepRunView(name, {
    status: 'succeeded',
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: new Date(Date.parse('2026-01-01T00:00:00.000Z') + seconds * 1000).toISOString(),
    ...more,
  });

test('pairs steps of two runs by name, with the difference in duration and result', () => {
  const left = makeRunView({ steps: [took('fetch', 2), took('old', 1)], handlers: [] });
  const right = makeRunView({
    steps: [took('fetch', 5), took('build', 1, { status: 'failed', exitCode: 3 })],
    handlers: [],
  });
  expect(
    compareSteps(left, right).map(({ name, delta, differs, left: one, right: other }) => [
      name,
      delta,
      differs,
      one?.status,
      other?.status,
    ]),
  ).toEqual([
    ['fetch', 3_000, false, 'succeeded', 'succeeded'],
    ['build', undefined, true, undefined, 'failed'],
    ['old', undefined, true, 'succeeded', undefined],
  ]);
});

test('values that differ or exist in only one run are different', () => {
  const params = [{ name: 'DAY', value: '1' }];
  expect(compareValues(getParams({ params }), { DAY: '1', ROWS: { count: 2 } })).toEqual([
    { name: 'DAY', left: '1', right: '1', differs: false },
    { name: 'ROWS', left: undefined, right: { count: 2 }, differs: true },
  ]);
});

test.each([
  [100, 132, '+32%'],
  [100, 95, '−5%'],
  [100, 100, '±0%'],
  [100, 310, '3.1×'],
  [100, 994, '9.9×'],
  [92, 42_200, '459×'],
  [1, 4_200, '4,200×'],
  [0, 5, ''],
])('from %d to %d is %s', (before, after, words) => {
  expect(formatDelta(before, after)).toBe(words);
});

test('the previous run is the newest of those created before', () => {
  const runs = ['03', '01', '02'].map((day) =>
    makeRunSummaryView({ dagRunId: day, createdAt: `2026-01-${day}T00:00:00.000Z` }),
  );
  expect(findPrevious(runs[0]!, runs)?.dagRunId).toBe('02');
  expect(findPrevious(runs[1]!, runs)).toBeUndefined();
});
