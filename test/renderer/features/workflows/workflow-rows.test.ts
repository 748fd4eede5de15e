import { expect, test } from 'vitest';
import type { DagSummaryView } from '../../../../core/contract/dags.ts';
import type { RunStatus } from '../../../../core/model/run.ts';
import {
  collectRecent,
  groupRows,
  countLatest,
  isInFolded,
} from '../../../../renderer/features/workflows/workflow-rows.ts';
import { makeRunSummaryView } from '../../../harness/samples.ts';

const row = (name: string, more: Partial<DagSummaryView> = {}) => ({
  dag: {
    fileName: name,
    name,
    tags: [],
    schedule: { start: [], stop: [], restart: [] },
    suspended: false,
    stepCount: 1,
    valid: true,
    ...more,
  },
});
const getNames = (sets: ReturnType<typeof groupRows<ReturnType<typeof row>>>) =>
  sets.map(({ id, name, rows }) => [id, name, ...rows.map(({ dag }) => dag.name)]);

const rows = [
  row('a', { group: 'shop 10', tags: ['daily', 'mail'] }),
  row('b'),
  row('c', { group: 'shop 9', tags: ['daily'] }),
];

test('groups are sorted by name, numbers by value, and missing values last', () => {
  expect(getNames(groupRows(rows, 'group'))).toEqual([
    ['group:shop 9', 'shop 9', 'c'],
    ['group:shop 10', 'shop 10', 'a'],
    ['group', 'No group', 'b'],
  ]);
});

test('a workflow is listed under each of its tags', () => {
  expect(getNames(groupRows(rows, 'tag'))).toEqual([
    ['tag:daily', 'daily', 'a', 'c'],
    ['tag:mail', 'mail', 'a'],
    ['tag', 'No tag', 'b'],
  ]);
});

test('folders are a tree whose counts include inner folders', () => {
  const inFolders = [
    row('x', { folder: 'b/c' }),
    row('y', { folder: 'a-z' }),
    row('z', { folder: 'a' }),
    row('root'),
  ];
  const sets = groupRows(inFolders, 'folder');
  expect(sets.map(({ name, depth, rows: own, all = own }) => [name, depth, own.length, all.length])).toEqual([
    ['a', 0, 1, 1],
    ['a-z', 0, 1, 1],
    ['b', 0, 0, 1],
    ['c', 1, 1, 1],
    ['No folder', undefined, 1, 1],
  ]);
  expect(isInFolded(sets[3]!.id, [sets[2]!.id])).toBe(true);
  expect(isInFolded(sets[1]!.id, [sets[0]!.id])).toBe(false);
});

test('a section shows the worst status first, and ignores workflows that never ran', () => {
  const latest = (status: 'failed' | 'succeeded' | 'running') =>
    row(status, { latestRun: makeRunSummaryView({ status }) });
  expect(
    countLatest([latest('succeeded'), latest('failed'), latest('running'), row('new'), latest('failed')]),
  ).toEqual([
    { status: 'failed', count: 2 },
    { status: 'running', count: 1 },
    { status: 'succeeded', count: 1 },
  ]);
});

test('the statuses of recent runs follow live runs, and include those of rarely run workflows', () => {
  const live = (name: string, dagRunId: string, status: RunStatus) =>
    makeRunSummaryView({ name, dagRunId, status });
  const recent = collectRecent(
    [
      { name: 'rare', runs: [{ dagRunId: 'r1', status: 'failed' }] },
      {
        name: 'often',
        runs: [
          { dagRunId: 'o2', status: 'running' },
          { dagRunId: 'o1', status: 'failed' },
        ],
      },
    ],
    [
      live('often', 'o3', 'queued'),
      live('first', 'f1', 'running'),
      live('often', 'o2', 'succeeded'),
      live('often', 'deleted', 'succeeded'),
    ],
  );
  expect(Object.fromEntries(recent)).toEqual({
    rare: ['failed'],
    often: ['failed', 'succeeded', 'queued'],
    first: ['running'],
  });
});
