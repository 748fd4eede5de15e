import { QueryClient, QueryObserver, type InfiniteData } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Wait } from '../../../core/model/queue.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { setConnection } from '../../../renderer/api/connection.ts';
import { batchIntervalMs, LiveEvents } from '../../../renderer/api/live-events.ts';
import { queryKeys } from '../../../renderer/api/query-keys.ts';
import { FakeBridge } from '../renderer-harness.tsx';
import { FakeClock } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';
import { makeEventView, makeRunView, makeRunSummaryView } from '../../harness/samples.ts';

const fetchStep = { section: 'step', name: 'fetch' } as const;
const stepStarted = { type: 'step.started', node: fetchStep, attempt: 1, dir: 'fetch/1' } as const;
const runStarted = { type: 'run.started', logDir: '/logs' } as const;

function watch() {
  const bridge = new FakeBridge({});
  const cache = new QueryClient();
  const clock = new FakeClock();
  const live = new LiveEvents(bridge, cache, clock);
  return { bridge, cache, clock, live, stop: live.start() };
}

const cached = (cache: QueryClient): RunDetailView | undefined =>
  cache.getQueryData(queryKeys.run('etl', 'run-1'));

test('events received together change a cached run at once', () => {
  const { bridge, cache, clock } = watch();
  cache.setQueryData(queryKeys.run('etl', 'run-1'), makeRunView());
  bridge.push('events.follow', makeEventView(1, runStarted));
  bridge.push('events.follow', makeEventView(2, stepStarted));
  expect(cached(cache)?.status).toBe('not_started');
  clock.advance(batchIntervalMs);
  expect(cached(cache)).toMatchObject({ status: 'running', lastEventId: 2 });
  expect(cached(cache)?.steps[0]?.status).toBe('running');
});

test('lists update the status of a run from its events', () => {
  const { bridge, cache, clock } = watch();
  const pages: InfiniteData<OperationOutput<'runs.list'>> = {
    pages: [{ dagRuns: [makeRunSummaryView(), makeRunSummaryView({ dagRunId: 'run-2' })] }],
    pageParams: [undefined],
  };
  cache.setQueryData(queryKeys.runs({}), pages);
  const dag = {
    fileName: 'etl',
    name: 'etl',
    tags: [],
    schedule: { start: [], stop: [], restart: [] },
    stepCount: 2,
    valid: true,
  };
  cache.setQueryData(queryKeys.dags, { dags: [{ ...dag, latestRun: makeRunSummaryView() }] });
  bridge.push('events.follow', makeEventView(1, runStarted));
  clock.advance(batchIntervalMs);
  const after = cache.getQueryData<typeof pages>(queryKeys.runs({}))!.pages[0]!.dagRuns;
  expect(after.map(({ status }) => status)).toEqual(['running', 'not_started']);
  expect(after[1]).toBe(pages.pages[0]!.dagRuns[1]);
  expect(cache.getQueryData<OperationOutput<'dags.list'>>(queryKeys.dags)!.dags[0]!.latestRun?.status).toBe(
    'running',
  );
});

test('a new run is added to the lists whose filter it matches', () => {
  const { bridge, cache, clock } = watch();
  const lists = {
    all: queryKeys.runs({}),
    failed: queryKeys.runs({ status: ['failed'] }),
    other: queryKeys.runs({ name: 'other' }),
  };
  for (const key of Object.values(lists))
    cache.setQueryData(key, { pages: [{ dagRuns: [] }], pageParams: [undefined] });
  const created = { type: 'run.created', trigger: 'cli', params: [{ name: 'A', value: '1' }] } as const;
  bridge.push('events.follow', makeEventView(1, created));
  bridge.push('events.follow', makeEventView(2, runStarted));
  bridge.push('events.follow', makeEventView(3, { ...created, trigger: 'parent' }, { dagRunId: 'sub' }));
  clock.advance(batchIntervalMs);
  const read = (key: readonly unknown[]) =>
    cache.getQueryData<InfiniteData<OperationOutput<'runs.list'>>>(key)!.pages[0]!.dagRuns;
  expect(read(lists.all)).toMatchObject([{ dagRunId: 'run-1', status: 'running', trigger: 'cli' }]);
  expect(read(lists.failed)).toEqual([]);
  expect(read(lists.other)).toEqual([]);
});

test('a queued run is listed with its reason until it starts', () => {
  const { bridge, cache, clock } = watch();
  const key = queryKeys.runs({});
  cache.setQueryData(key, { pages: [{ dagRuns: [] }], pageParams: [undefined] });
  const place = { queue: 'etl', priority: 0, enqueuedAt: 0 };
  const wait: Wait = { kind: 'next', ...place, running: 0, limit: 1, ahead: 0, behind: [] };
  bridge.push('events.follow', makeEventView(1, { type: 'run.created', trigger: 'cli', params: [], wait }));
  clock.advance(batchIntervalMs);
  const read = () =>
    cache.getQueryData<InfiniteData<OperationOutput<'runs.list'>>>(key)!.pages[0]!.dagRuns[0];
  expect(read()).toMatchObject({
    status: 'queued',
    error: 'queue etl 0/1: next to start',
    wait: { kind: 'next', enqueuedAt: '1970-01-01T00:00:00.000Z' },
  });
  bridge.push('events.follow', makeEventView(2, runStarted));
  clock.advance(batchIntervalMs);
  expect(read()).toMatchObject({ status: 'running', error: undefined, wait: undefined });
});

test('events received while a snapshot was loading are applied to it', () => {
  const { bridge, clock, live } = watch();
  bridge.push('events.follow', makeEventView(1, runStarted));
  bridge.push('events.follow', makeEventView(2, stepStarted));
  clock.advance(batchIntervalMs);
  expect(live.catchUp(makeRunView({ lastEventId: 1, status: 'running' })).steps[0]?.status).toBe('running');
  const current = makeRunView({ lastEventId: 2 });
  expect(live.catchUp(current)).toBe(current);
});

test('a new run invalidates the lists, once for many', () => {
  const { bridge, cache, clock } = watch();
  cache.setQueryData(queryKeys.dags, { dags: [] });
  const created = { type: 'run.created', trigger: 'cli', params: [] } as const;
  for (let id = 1; id <= 50; id += 1) bridge.push('events.follow', makeEventView(id, created));
  clock.advance(batchIntervalMs);
  expect(cache.getQueryState(queryKeys.dags)?.isInvalidated).toBe(false);
  clock.advance(300);
  expect(cache.getQueryState(queryKeys.dags)?.isInvalidated).toBe(true);
  expect(clock.pending).toBe(0);
});

test('a reconnect invalidates everything', () => {
  const { cache, stop } = watch();
  setConnection('reconnecting');
  cache.setQueryData(queryKeys.dags, { dags: [] });
  setConnection('online');
  expect(cache.getQueryState(queryKeys.dags)?.isInvalidated).toBe(true);
  stop();
});

test.each([
  ['a connection', () => setConnection('online')],
  [
    'an event',
    ({ bridge, clock }: ReturnType<typeof watch>) => {
      bridge.push(
        'events.follow',
        makeEventView(1, { type: 'run.message', level: 'info', message: 'resumed' }),
      );
      clock.advance(batchIntervalMs);
      clock.advance(300);
    },
  ],
])('a first fetch that was answered before %s is followed by another one', async (_, change) => {
  setConnection('reconnecting');
  const watched = watch();
  const answers = [Promise.withResolvers<RunDetailView>(), Promise.withResolvers<RunDetailView>()] as const;
  let fetches = 0;
  const observer = new QueryObserver(watched.cache, {
    queryKey: queryKeys.run('etl', 'run-1'),
    queryFn: () => answers[fetches++]!.promise,
  });
  const leave = observer.subscribe(() => undefined);
  change(watched);
  answers[0].resolve(makeRunView());
  await until(() => fetches === 2);
  expect(cached(watched.cache)?.status).toBe('not_started');
  answers[1].resolve(makeRunView({ status: 'running' }));
  await until(() => cached(watched.cache)?.status === 'running');
  leave();
  watched.stop();
});

test('follows nothing after stopping', () => {
  const { bridge, stop } = watch();
  expect(bridge.followers('events.follow')).toBe(1);
  stop();
  expect(bridge.followers('events.follow')).toBe(0);
});
