import { expect, test } from 'vitest';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { applyEvent } from '../../../renderer/api/apply-event.ts';
import { makeEventView, makeRunView } from '../../harness/samples.ts';

const fetchStep = { section: 'step', name: 'fetch' } as const;
const started = { type: 'step.started', node: fetchStep, attempt: 1, dir: 'fetch/1' } as const;

function applyAll(events: readonly RunEvent[], run = makeRunView({ logDir: '/home/logs' })) {
  return events.reduce((view, event, index) => applyEvent(view, makeEventView(index + 1, event)), run);
}

test('applies the start, process and failure of a step to the snapshot', () => {
  const run = applyAll([
    { type: 'run.started', logDir: '/home/logs' },
    started,
    { type: 'step.spawned', node: fetchStep, attempt: 1, pid: 77, pidStart: '1' },
    {
      type: 'step.finished',
      node: fetchStep,
      attempt: 1,
      status: 'failed',
      exitCode: 3,
      error: 'exit code 3',
    },
  ]);
  expect(run.status).toBe('running');
  expect(run.steps[0]).toMatchObject({
    status: 'failed',
    startedAt: '2026-01-01T00:00:02.000Z',
    finishedAt: '2026-01-01T00:00:04.000Z',
    exitCode: 3,
    error: 'exit code 3',
    attempts: [{ attempt: 1, pid: 77, exitCode: 3, stdoutFile: '/home/logs/fetch/1/stdout.log' }],
  });
  expect(run.steps[1]!.status).toBe('not_started');
});

test('a retry keeps the step running from its first start and ends only the attempt', () => {
  const run = applyAll([
    started,
    {
      type: 'step.retry_scheduled',
      node: fetchStep,
      attempt: 1,
      dueAt: 0,
      exitCode: 1,
      error: 'tried again in 1 s',
    },
    { ...started, attempt: 2, dir: 'fetch/2' },
  ]);
  expect(run.steps[0]).toMatchObject({
    status: 'running',
    startedAt: '2026-01-01T00:00:01.000Z',
    error: undefined,
  });
  expect(run.steps[0]!.attempts).toMatchObject([
    { attempt: 1, finishedAt: '2026-01-01T00:00:02.000Z', exitCode: 1 },
    { attempt: 2, startedAt: '2026-01-01T00:00:03.000Z' },
  ]);
});

test('distinguishes a handler from a step of the same name', () => {
  const run = applyAll([{ ...started, node: { section: 'handler', name: 'onExit' } }]);
  expect(run.handlers[0]!.status).toBe('running');
  expect(run.steps.every(({ status }) => status === 'not_started')).toBe(true);
});

test('the end of a run sets status, reason, cause and outputs', () => {
  const run = applyAll([
    { type: 'run.stop_requested', by: 'window' },
    { type: 'step.ended', node: fetchStep, status: 'skipped', reason: 'conditions not met' },
    { type: 'step.sub_run', node: fetchStep, name: 'child', dagRunId: 'c1' },
    { type: 'run.finished', status: 'aborted', error: 'stopped', cause: 'stopped', outputs: { TOTAL: 3 } },
  ]);
  expect(run).toMatchObject({
    status: 'aborted',
    error: 'stopped',
    cause: 'stopped',
    stopRequestedBy: 'window',
    outputs: { TOTAL: 3 },
    finishedAt: '2026-01-01T00:00:04.000Z',
    lastEventId: 4,
  });
  expect(run.steps[0]).toMatchObject({
    status: 'skipped',
    error: 'conditions not met',
    subRuns: [{ name: 'child', dagRunId: 'c1' }],
  });
});

test('ignores events already in the snapshot, and those of other runs', () => {
  const run = makeRunView({ lastEventId: 5 });
  expect(applyEvent(run, makeEventView(5, started))).toBe(run);
  expect(applyEvent(run, makeEventView(6, started, { dagRunId: 'run-2' }))).toBe(run);
  expect(applyEvent(run, makeEventView(6, started, { name: 'other' }))).toBe(run);
});

test('a step waits for a worker until one claims it, which stays with the attempt', () => {
  const waiting = {
    type: 'step.waiting',
    node: fetchStep,
    attempt: 1,
    reason: 'no worker matches gpu=true',
  } as const;
  const taken = { type: 'step.dispatched', node: fetchStep, attempt: 1, worker: 'w1', host: 'box' } as const;
  const events = [{ type: 'run.started', logDir: '/home/logs' } as const, started, waiting];
  expect(applyAll(events).steps[0]).toMatchObject({
    status: 'running',
    waiting: 'no worker matches gpu=true',
  });
  const [step] = applyAll([...events, taken]).steps;
  expect(step!.waiting).toBeUndefined();
  expect(step!.attempts).toMatchObject([{ worker: { id: 'w1', host: 'box' } }]);
});
