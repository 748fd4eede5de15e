import { expect, test } from 'vitest';
import {
  findCriticalPath,
  listRows,
  runKey,
  getSegments,
  getDuration,
} from '../../../../renderer/features/run/timeline-rows.ts';
import {
  chooseTick,
  labelTick,
  clampZoom,
  listTicks,
  makeTimeMap,
  axisPosition,
  fullZoom,
  zoomBy,
  positionInZoom,
} from '../../../../renderer/features/run/timeline-axis.tsx';
import { zoomByKey } from '../../../../renderer/features/run/timeline.tsx';
import {
  makeApprovalView,
  makeRunView,
  makeStepSpec,
  makeStepRunView,
  makeRunSummaryView,
  makeWorkflowSpec,
} from '../../../harness/samples.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
const at = (seconds: number): number => start + seconds * 1000;

/** An attempt from one second to another; without an end it is running. */
const tried = (attempt: number, from: number, to?: number, exitCode?: number) => ({
  attempt,
  startedAt: iso(from),
  ...(to !== undefined && { finishedAt: iso(to) }),
  ...(exitCode !== undefined && { exitCode }),
  stdoutFile: '',
  stderrFile: '',
});

const ended = (name: string, from: number, to: number) =>
  makeStepRunView(name, {
    status: 'succeeded',
    startedAt: iso(from),
    finishedAt: iso(to),
    attempts: [tried(1, from, to, 0)],
  });

test.each([
  [4, ['0', '1 ms', '2 ms', '3 ms', '4 ms']],
  [92, ['0', '20 ms', '40 ms', '60 ms', '80 ms']],
  [900, ['0', '0.25 s', '0.50 s', '0.75 s']],
  [4_200, ['0', '1 s', '2 s', '3 s', '4 s']],
  [150_000, ['0', '30 s', '1m 00s', '1m 30s', '2m 00s', '2m 30s']],
  [1_900_000, ['0', '10 min', '20 min', '30 min']],
  [20_000_000, ['0', '1 h', '2 h', '3 h', '4 h', '5 h']],
])('an axis of %d ms has round ticks', (span, labels) => {
  const map = makeTimeMap({ from: 0, to: span }, [{ from: 0, to: span }]);
  expect(listTicks(map, fullZoom).map(({ label }) => label)).toEqual(labels);
  expect(labelTick(0, chooseTick(span))).toBe('0');
});

test('time without pauses is linear, and a run of zero length does not divide by zero', () => {
  const map = makeTimeMap({ from: 1_000, to: 3_000 }, [{ from: 1_000, to: 3_000 }]);
  expect(axisPosition(map, 1_500)).toBe(0.25);
  expect(axisPosition(makeTimeMap({ from: 1_000, to: 1_000 }, []), 1_000)).toBe(0);
});

test('a long pause between two attempts is compressed, the rest keeps its proportions', () => {
  const map = makeTimeMap({ from: at(0), to: at(40_020) }, [
    { from: at(0), to: at(10) },
    { from: at(40_010), to: at(40_020) },
  ]);
  expect(map.pieces.map(({ isIdle }) => isIdle)).toEqual([false, true, false]);
  const [first, pause, last] = map.pieces;
  expect(pause!.size).toBeLessThan(0.05);
  expect(first!.size).toBeCloseTo(last!.size);
  expect(first!.size + pause!.size + last!.size).toBeCloseTo(1);
  expect(axisPosition(map, at(40_010))).toBeCloseTo(first!.size + pause!.size);
});

test('short pauses are linear, and so is a range that is a single pause', () => {
  const short = makeTimeMap({ from: at(0), to: at(22) }, [
    { from: at(0), to: at(10) },
    { from: at(12), to: at(22) },
  ]);
  expect(short.pieces.some(({ isIdle }) => isIdle)).toBe(false);
  const queued = makeTimeMap({ from: at(0), to: at(600) }, []);
  expect(queued.pieces).toEqual([{ from: at(0), to: at(600), at: 0, size: 1, isIdle: false }]);
});

test('many pauses together never take most of the axis', () => {
  const busy = Array.from({ length: 50 }, (_, index) => ({ from: at(index * 100), to: at(index * 100 + 1) }));
  const { pieces } = makeTimeMap({ from: at(0), to: at(4_901) }, busy);
  const idle = pieces.filter(({ isIdle }) => isIdle).reduce((sum, { size }) => sum + size, 0);
  expect(idle).toBeLessThanOrEqual(0.301);
});

test('a zoom stays inside the axis; keys zoom, pan and reset it', () => {
  expect(clampZoom({ start: -0.2, end: 0.3 })).toEqual({ start: 0, end: 0.5 });
  expect(zoomBy(fullZoom, 0.5)).toEqual({ start: 0.25, end: 0.75 });
  expect(zoomBy({ start: 0.8, end: 1 }, 2)).toEqual({ start: 0.6, end: 1 });
  expect(positionInZoom({ start: 0.25, end: 0.75 }, 0.5)).toBe(50);
  const near = { start: 0.4, end: 0.6 };
  expect(zoomByKey(near, '0', false)).toEqual(fullZoom);
  expect(zoomByKey(near, 'ArrowRight', true)!.start).toBeCloseTo(0.44);
  expect(zoomByKey(near, 'ArrowRight', false)).toBeUndefined();
});

test('attempts are separate segments, with the waiting time before and between them', () => {
  const step = makeStepRunView('send', {
    status: 'succeeded',
    startedAt: iso(5),
    finishedAt: iso(12),
    attempts: [tried(1, 5, 6, 75), tried(2, 10, 12, 0)],
  });
  expect(
    getSegments(step, at(2), at(99)).map(({ kind, status, from, to }) => [kind, status, from, to]),
  ).toEqual([
    ['wait', 'queued', at(2), at(5)],
    ['attempt', 'failed', at(5), at(6)],
    ['wait', 'queued', at(6), at(10)],
    ['attempt', 'succeeded', at(10), at(12)],
  ]);
});

test('a step takes as long as in lists: from its first attempt to its end, including pauses', () => {
  const step = makeStepRunView('send', {
    status: 'succeeded',
    startedAt: iso(5),
    finishedAt: iso(12),
    attempts: [tried(1, 5, 6, 75), tried(2, 10, 12, 0)],
  });
  expect(getDuration(getSegments(step, at(2), at(99)))).toBe(at(12) - at(5));
  expect(getDuration([{ kind: 'queue', from: at(0), to: at(3), status: 'queued' }])).toBe(at(3) - at(0));
  expect(getDuration([])).toBe(0);
});

test('a step waiting for a retry waits until now', () => {
  const step = makeStepRunView('send', {
    status: 'running',
    startedAt: iso(0),
    attempts: [tried(1, 0, 1, 75)],
  });
  expect(getSegments(step, at(0), at(4)).at(-1)).toMatchObject({ kind: 'wait', from: at(1), to: at(4) });
});

test('the critical path goes back from the last finished step through the dependencies that finished last', () => {
  const workflow = makeWorkflowSpec([
    makeStepSpec('fetch'),
    makeStepSpec('slow', ['fetch']),
    makeStepSpec('fast', ['fetch']),
    makeStepSpec('join', ['fast', 'slow']),
    makeStepSpec('aside', ['fetch']),
  ]);
  const steps = [
    ended('fetch', 0, 2),
    ended('slow', 2, 9),
    ended('fast', 2, 4),
    ended('join', 9, 11),
    ended('aside', 2, 10),
  ];
  expect([...findCriticalPath(workflow, steps)]).toEqual(['join', 'slow', 'fetch']);
  const running = makeStepRunView('aside', { status: 'running', startedAt: iso(2), attempts: [tried(1, 2)] });
  expect([...findCriticalPath(workflow, [...steps.slice(0, 4), running])]).toEqual(['aside', 'fetch']);
  expect([...findCriticalPath(workflow, [])]).toEqual([]);
});

const child = { name: 'child', dagRunId: 'c1' };
const parent = makeRunView({
  createdAt: iso(0),
  startedAt: iso(60),
  status: 'running',
  steps: [
    {
      ...makeStepRunView('fetch'),
      subRuns: [child],
      status: 'running',
      startedAt: iso(60),
      attempts: [tried(1, 60)],
    },
    makeStepRunView('build'),
  ],
  handlers: [],
});
const none = { open: new Set<string>(), subRuns: [], details: new Map(), now: at(100) };

test('only a run that waited in its queue has a row for it', () => {
  expect(listRows(parent, none).map(({ name }) => name)).toEqual(['Before start', 'fetch', 'build']);
  expect(listRows({ ...parent, createdAt: iso(60) }, none).map(({ name }) => name)).toEqual([
    'fetch',
    'build',
  ]);
});

test('expanded sub-runs are nested below their steps to any depth', () => {
  const summary = makeRunSummaryView({ ...child, status: 'running', createdAt: iso(60), startedAt: iso(61) });
  const grandchild = { name: 'leaf', dagRunId: 'g1' };
  const detail = makeRunView({
    ...summary,
    steps: [
      makeStepRunView('fetch', {
        status: 'running',
        subRuns: [grandchild],
        startedAt: iso(61),
        attempts: [tried(1, 61)],
      }),
      makeStepRunView('build'),
    ],
    handlers: [],
  });
  const closed = listRows(parent, { ...none, subRuns: [summary] });
  expect(closed[1]).toMatchObject({ name: 'fetch', isOpen: false });
  const open = new Set([
    'step:fetch',
    `step:fetch>${runKey(child)}>`,
    `step:fetch>${runKey(child)}>step:fetch`,
  ]);
  const rows = listRows(parent, {
    ...none,
    open,
    subRuns: [summary],
    details: new Map([[runKey(child), detail]]),
  });
  expect(rows.map(({ kind, name, depth }) => [kind, name, depth])).toEqual([
    ['queue', 'Before start', 1],
    ['step', 'fetch', 1],
    ['run', 'child', 2],
    ['step', 'fetch', 3],
    ['run', 'leaf', 4],
    ['step', 'build', 3],
    ['step', 'build', 1],
  ]);
  expect(rows[3]!.run).toMatchObject(child);
});

test('a step waiting for approval is marked in its row', () => {
  const steps = [
    makeStepRunView('fetch', { status: 'running', attempts: [tried(1, 0)], approval: makeApprovalView() }),
    makeStepRunView('build', { status: 'running', attempts: [tried(1, 0)] }),
  ];
  const rows = listRows(makeRunView({ status: 'running', steps, handlers: [] }), {
    open: new Set(),
    subRuns: [],
    details: new Map(),
    now: at(60),
  });
  expect(rows.filter(({ asks }) => asks).map(({ name }) => name)).toEqual(['fetch']);
});
