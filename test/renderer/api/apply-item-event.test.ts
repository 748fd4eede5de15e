import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { EventView } from '../../../core/contract/logs.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { applyEvent } from '../../../renderer/api/apply-event.ts';
import { applyItemEvent, type ItemPage } from '../../../renderer/api/apply-item-event.ts';
import { patchCache } from '../../../renderer/api/patch-cache.ts';
import { queryKeys } from '../../../renderer/api/query-keys.ts';
import { makeEventView, makeRunView } from '../../harness/samples.ts';

const node = { section: 'step', name: 'fetch' } as const;
const stepStarted = (attempt: number): RunEvent => ({ type: 'step.started', node, attempt, dir: 'f' });
const itemStarted = (item: number, attempt = 1): RunEvent => ({
  type: 'step.item_started',
  node,
  attempt,
  item,
  total: 3,
  value: `v${item}`,
  dir: `f/item-${item}`,
});
const itemFinished = (item: number, status: 'succeeded' | 'failed', attempt = 1): RunEvent => ({
  type: 'step.item_finished',
  node,
  attempt,
  item,
  status,
});
const view = (events: readonly RunEvent[]): EventView[] =>
  events.map((event, index) => makeEventView(index + 1, event));
const summaryAfter = (...events: RunEvent[]) =>
  view(events).reduce(applyEvent, makeRunView()).steps[0]!.items;

const place = { section: 'step', step: 'fetch', attempt: 1, logDir: '/logs' } as const;
const empty: ItemPage = { attempt: 1, items: [] };
const pageAfter = (events: readonly EventView[], page = empty): ItemPage =>
  events.reduce((list, event) => applyItemEvent(list, event, place), page);

test('the counts of a step follow its items', () => {
  expect(summaryAfter(stepStarted(1))).toBeUndefined();
  expect(
    summaryAfter(
      stepStarted(1),
      itemStarted(1),
      itemStarted(2),
      itemStarted(3),
      itemFinished(2, 'succeeded'),
    ),
  ).toEqual({ total: 3, started: 3, running: 2, succeeded: 1, failed: 0 });
});

test.each([
  [{ type: 'step.finished', node, attempt: 1, status: 'failed' }],
  [{ type: 'step.retry_scheduled', node, attempt: 1, dueAt: 0 }],
  [{ type: 'step.repeat_scheduled', node, attempt: 1, dueAt: 0 }],
  [{ type: 'step.ended', node, status: 'aborted', reason: 'stopped' }],
] as [RunEvent][])('running items end with the attempt: $type', (end) => {
  const events = [stepStarted(1), itemStarted(1), itemStarted(2), itemFinished(1, 'succeeded'), end];
  expect(summaryAfter(...events)).toEqual({ total: 3, started: 2, running: 0, succeeded: 1, failed: 1 });
  expect(pageAfter(view(events)).items.map(({ status }) => status)).toEqual(['succeeded', 'aborted']);
});

test('a new attempt starts without counts', () => {
  const first = [stepStarted(1), itemStarted(1), itemFinished(1, 'failed')];
  const retry: RunEvent = { type: 'step.retry_scheduled', node, attempt: 1, dueAt: 0 };
  expect(summaryAfter(...first, retry, stepStarted(2))).toBeUndefined();
});

const story = view([
  itemStarted(2),
  itemStarted(1),
  { type: 'step.sub_run', node, name: 'child', dagRunId: 'c2', item: 2 },
  itemFinished(1, 'failed'),
]);

test('a list keeps the order of items, with run, end and log of each', () => {
  expect(pageAfter(story).items).toEqual([
    {
      item: 1,
      value: 'v1',
      status: 'failed',
      startedAt: '2026-01-01T00:00:02.000Z',
      finishedAt: '2026-01-01T00:00:04.000Z',
      stdoutFile: '/logs/f/item-1/stdout.log',
      stderrFile: '/logs/f/item-1/stderr.log',
    },
    {
      item: 2,
      value: 'v2',
      status: 'running',
      startedAt: '2026-01-01T00:00:01.000Z',
      stdoutFile: '/logs/f/item-2/stdout.log',
      stderrFile: '/logs/f/item-2/stderr.log',
      subRun: { name: 'child', dagRunId: 'c2' },
    },
  ]);
});

test('events already included in a list change nothing', () => {
  const page = pageAfter(story);
  expect(pageAfter(story, page)).toEqual(page);
});

test('events of other steps, earlier attempts and earlier times return the same list', () => {
  const page = pageAfter(story);
  const other = { section: 'handler', name: 'fetch' } as const;
  const foreign: RunEvent[] = [
    { ...itemStarted(3), node: other } as RunEvent,
    itemStarted(3, 2),
    { type: 'step.finished', node, attempt: 2, status: 'failed' },
    { type: 'run.message', level: 'info', message: 'hello' },
  ];
  expect(pageAfter(view(foreign), page)).toBe(page);
  const before = makeEventView(0, { type: 'step.ended', node, status: 'failed', reason: 'the run before' });
  expect(applyItemEvent(page, before, place)).toBe(page);
});

test('item lists in the cache follow the events of their run', () => {
  const cache = new QueryClient();
  const key = queryKeys.items('etl', 'run-1', { section: 'step', step: 'fetch', attempt: 1 });
  cache.setQueryData(key, empty);
  cache.setQueryData(queryKeys.run('etl', 'run-1'), makeRunView({ logDir: '/logs' }));
  patchCache(cache, [...story, makeEventView(9, itemStarted(3), { dagRunId: 'run-2' })]);
  expect(cache.getQueryData(key)).toEqual(pageAfter(story));
});
