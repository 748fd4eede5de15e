import { expect, test } from 'vitest';
import type { RecordedEvent, RunEvent } from '../../../../core/model/run-event.ts';
import { readProgress } from '../../../../core/run/recovery/run-progress.ts';

const node = { section: 'step', name: 'a' } as const;
const started = (attempt: number): RunEvent => ({ type: 'step.started', node, attempt, dir: `a.${attempt}` });
const retry = (attempt: number, uncounted?: true): RunEvent => ({
  type: 'step.retry_scheduled',
  node,
  attempt,
  dueAt: attempt * 100,
  ...(uncounted && { uncounted }),
});
const repeat = (attempt: number): RunEvent => ({
  type: 'step.repeat_scheduled',
  node,
  attempt,
  dueAt: attempt * 100,
});

const progressOf = (...events: RunEvent[]) =>
  readProgress(
    events.map((event, index): RecordedEvent => ({
      id: index + 1,
      dag: 'd',
      dagRunId: 'r',
      at: index,
      event,
    })),
  );
const getNode = (...events: RunEvent[]) => progressOf(...events).nodes.get('step:a');

test('counts the attempts of a series, and what its next one waits for', () => {
  expect(getNode(started(1))).toEqual({ times: 1, attemptsBefore: 0, count: 1 });
  expect(getNode(started(1), retry(1))).toEqual({
    times: 1,
    attemptsBefore: 0,
    count: 1,
    due: { kind: 'retry', at: 100 },
  });
  expect(getNode(started(1), retry(1), started(2))).toEqual({ times: 1, attemptsBefore: 0, count: 2 });
});

test('does not count an attempt of which nothing was run', () => {
  expect(getNode(started(1), retry(1, true), started(2))).toEqual({ times: 1, attemptsBefore: 0, count: 1 });
  expect(getNode(started(1), retry(1), started(2), retry(2, true), started(3))).toMatchObject({ count: 2 });
});

test('starts a new series with each repetition', () => {
  expect(getNode(started(1), retry(1), started(2), repeat(2))).toMatchObject({
    times: 1,
    due: { kind: 'repeat', at: 200 },
  });
  expect(getNode(started(1), retry(1), started(2), repeat(2), started(3))).toEqual({
    times: 2,
    attemptsBefore: 2,
    count: 1,
  });
});

test('forgets everything before a retry, except requests', () => {
  const attemptsBefore: RunEvent[] = [
    { type: 'run.started', logDir: 'l' },
    started(1),
    { type: 'step.finished', node, attempt: 1, status: 'failed' },
    { type: 'run.terminating', cause: 'timeout', error: 'late' },
    { type: 'run.notification' },
  ];
  expect(progressOf(...attemptsBefore)).toMatchObject({
    startedAt: 0,
    lastStepAt: 1,
    ended: new Set(['a']),
    termination: { cause: 'timeout', error: 'late' },
    mailed: new Map([['', 'unknown']]),
  });
  const again = progressOf(
    ...attemptsBefore,
    {
      type: 'run.retried',
      by: 'x',
      steps: ['a'],
      from: 'a',
      alone: true,
      specHash: 'f00',
      fresh: ['a'],
    },
    started(2),
  );
  expect(again).toEqual({
    from: 'a',
    onlyThisStep: true,
    usesFile: true,
    fresh: new Set(['a']),
    lastStepAt: 6,
    ended: new Set(),
    mailed: new Map(),
    nodes: new Map([['step:a', { times: 1, attemptsBefore: 1, count: 1 }]]),
  });
});

test('knows for each mail whether it was attempted', () => {
  const about = node;
  expect(
    progressOf({ type: 'run.notification', about }, { type: 'run.notification', about, isOver: true }).mailed,
  ).toEqual(new Map([['step:a', 'tried']]));
});
