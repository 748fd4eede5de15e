import { expect, test } from 'vitest';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { TestEngine, testCaller, type RunView } from '../../harness/engine.ts';
import { eventsOf } from './run-harness.ts';

interface RunState {
  status: string;
  error?: string;
  outputs: unknown;
  stopRequestedBy?: string;
  nodes: Record<string, { status: string; exitCode?: number; attempts: number; subRuns: string[] }>;
}

/** What a client that reads only events derives from them. */
function replay(events: readonly RunEvent[]): RunState {
  const replayed: RunState = { status: 'not_started', outputs: {}, nodes: {} };
  const getNode = ({ section, name }: { section: string; name: string }) =>
    (replayed.nodes[`${section} ${name}`] ??= { status: 'not_started', attempts: 0, subRuns: [] });
  for (const event of events) {
    switch (event.type) {
      case 'run.created':
      case 'run.message':
      case 'run.recovered':
      case 'run.terminating':
      case 'run.notification':
      case 'run.note_changed':
      case 'step.item_started':
      case 'step.item_finished':
      case 'step.repeat_scheduled':
      case 'step.status_set':
        break;
      case 'run.retried':
        replayed.status = 'not_started';
        break;
      case 'run.started':
        replayed.status = 'running';
        break;
      case 'run.stop_requested':
        replayed.stopRequestedBy = event.by;
        break;
      case 'run.finished':
        Object.assign(replayed, { status: event.status, error: event.error, outputs: event.outputs });
        break;
      case 'step.started':
        Object.assign(getNode(event.node), { status: 'running', attempts: event.attempt });
        break;
      case 'step.sub_run':
        getNode(event.node).subRuns.push(event.dagRunId);
        break;
      case 'step.finished':
        Object.assign(getNode(event.node), { status: event.status, exitCode: event.exitCode });
        break;
      case 'step.ended':
        Object.assign(getNode(event.node), { status: event.status, exitCode: event.exitCode });
        break;
      case 'step.spawned':
      case 'step.waiting':
      case 'step.dispatched':
      case 'step.approval_requested':
      case 'step.approval_resolved':
      case 'step.retry_scheduled':
        break;
    }
  }
  return replayed;
}

function pictureOf(view: RunView): RunState {
  const nodes = [...view.steps, ...view.handlers].filter(({ status }) => status !== 'not_started');
  const { status, error, outputs, stopRequestedBy } = view;
  return {
    status,
    error,
    outputs,
    stopRequestedBy,
    nodes: Object.fromEntries(
      nodes.map((node) => [
        `${node.section} ${node.name}`,
        {
          status: node.status,
          exitCode: node.exitCode,
          attempts: node.attempts.length,
          subRuns: node.subRuns.map(({ dagRunId }) => dagRunId),
        },
      ]),
    ),
  };
}

const eventful = `
type: graph
maxCleanUpTimeSec: 1
steps:
  - { name: fine, command: echo fine, output: FINE }
  - { name: retried, command: exit 3, continueOn: failed, retryPolicy: { limit: 2, intervalSec: 0 } }
  - { name: skipped, command: "true", preconditions: [{ command: "false" }] }
  - { name: after skipped, command: "true", depends: skipped }
  - { name: sub, run: child, depends: fine, output: SUB }
  - { name: bad, command: exit 9, depends: retried }
  - { name: after bad, command: "true", depends: bad }
handlerOn: { init: "true", failure: echo sorry, exit: { command: "true", preconditions: [{ command: "false" }] } }
---
name: child
steps: ["true"]`;

test('replaying the events of a run yields its stored state', async () => {
  const engine = new TestEngine();
  const view = await engine.run(eventful);
  const events = await eventsOf(engine, view);
  expect(replay(events.map(({ event }) => event))).toEqual(pictureOf(view));
  expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted((a, b) => a - b));
  expect(view.lastEventId).toBe(events.at(-1)!.id);
});

test('of a stopped run, too', async () => {
  const engine = new TestEngine();
  const run = await engine.start(`
type: graph
steps:
  - { name: long, command: sleep 1000 }
  - { name: waiting, command: exit 1, retryPolicy: { limit: 1, intervalSec: 1000 } }
  - { name: next, command: "true", depends: long }
handlerOn: { abort: "true" }`);
  await engine.untilRun(
    run,
    ({ steps: [long, waiting] }) =>
      long!.attempts[0]?.pid !== undefined && waiting!.attempts[0]?.finishedAt !== undefined,
  );
  await engine.host.api.call('runs.stop', run, testCaller);
  const view = await engine.end(run);
  const events = await eventsOf(engine, run);
  expect(replay(events.map(({ event }) => event))).toEqual(pictureOf(view));
});

test('every transition is there, in the order of a run', async () => {
  const engine = new TestEngine();
  const view = await engine.run(
    'steps: [{ name: a, command: exit 1, retryPolicy: { limit: 1, intervalSec: 0 } }, { name: b, command: "true" }]\nhandlerOn: { exit: "true" }',
  );
  const told = (await eventsOf(engine, view)).map(({ event }) =>
    'node' in event && event.node !== undefined ? `${event.type} ${event.node.name}` : event.type,
  );
  expect(told).toEqual([
    'run.created',
    'run.started',
    'step.started a',
    'step.spawned a',
    'step.retry_scheduled a',
    'step.started a',
    'step.spawned a',
    'step.finished a',
    'step.ended b',
    'step.started onExit',
    'step.spawned onExit',
    'step.finished onExit',
    'run.finished',
  ]);
});
