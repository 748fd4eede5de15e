import { describe, expect, test } from 'vitest';
import { statusesOf, TestEngine, testCaller, stdoutOf } from '../../harness/engine.ts';
import { eventsOf } from './run-harness.ts';

const handlers = `
handlerOn:
  init: echo $DAG_RUN_STATUS
  success: echo $DAG_RUN_STATUS
  failure: echo $DAG_RUN_STATUS
  abort: echo $DAG_RUN_STATUS
  exit: echo $DAG_RUN_STATUS`;

describe('handlers', () => {
  test.each([
    { steps: '["true"]', ran: { onInit: 'running', onSuccess: 'succeeded', onExit: 'succeeded' } },
    { steps: '["false"]', ran: { onInit: 'running', onFailure: 'failed', onExit: 'failed' } },
  ])('of a run with the steps $steps run in order, with its status', async ({ steps, ran }) => {
    const engine = new TestEngine();
    const view = await engine.run(`steps: ${steps}${handlers}`);
    const started = (await eventsOf(engine, view)).flatMap(({ event }) =>
      event.type === 'step.started' ? [event.node.name] : [],
    );
    const [init, ...closing] = Object.keys(ran);
    expect(started).toEqual([init, 'cmd_1', ...closing]);
    expect(Object.fromEntries(Object.keys(ran).map((name) => [name, stdoutOf(view, name).trim()]))).toEqual(
      ran,
    );
  });

  test('of a stopped run see it aborted', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`steps: [{ name: a, command: sleep 1000 }]${handlers}`);
    await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
    await engine.host.api.call('runs.stop', run, testCaller);
    const view = await engine.end(run);
    expect(stdoutOf(view, 'onAbort') + stdoutOf(view, 'onExit')).toBe('aborted\naborted\n');
    expect(statusesOf(view)).not.toHaveProperty('onFailure');
  });

  test('can have their own retries, conditions and outputs', async () => {
    const view = await new TestEngine().run(`
steps: ["true"]
handlerOn:
  success:
    command: 'echo x >> tries; test $(wc -l < tries) -ge 2 && echo "$DAG_NAME done"'
    dir: "\${DAG_RUN_LOG_FILE}.d"
    output: SAID
    retryPolicy: { limit: 1, intervalSec: 0 }
  exit: { command: echo never, preconditions: [{ condition: "\${DAG_RUN_STATUS}", expected: failed }] }`);
    expect(view).toMatchObject({
      status: 'succeeded',
      handlers: [
        { name: 'onSuccess', attempts: [{}, {}], output: { name: 'SAID', value: `${view.name} done` } },
        { name: 'onExit', status: 'skipped', attempts: [] },
      ],
    });
  });

  test('that fail after the steps did are reported next to the first reason', async () => {
    const view = await new TestEngine().run(`
steps: [{ name: a, command: exit 2 }]
handlerOn: { failure: exit 1, exit: exit 1 }`);
    expect(view).toMatchObject({
      status: 'failed',
      cause: 'steps',
      error: 'step "a" failed: exit code 2; failure handler failed: exit code 1',
    });
  });

  test('that fail alone are the reason', async () => {
    const view = await new TestEngine().run('steps: ["true"]\nhandlerOn: { exit: exit 6 }');
    expect(view).toMatchObject({ cause: 'handler', error: 'exit handler failed: exit code 6' });
  });
});

test('a run that times out before its steps runs its closing handlers, which know the final status', async () => {
  const engine = new TestEngine();
  const run = await engine.start(`
timeoutSec: 1000
steps: [{ name: a, command: "true" }]
handlerOn: { init: sleep 1000000, failure: "true", exit: echo $DAG_RUN_STATUS }`);
  await engine.untilRun(run, (view) => view.handlers[0]!.attempts[0]?.pid !== undefined);
  engine.clock.advance(1_000_000);
  const view = await engine.end(run);
  expect(view).toMatchObject({ status: 'failed', cause: 'timeout' });
  expect(statusesOf(view)).toEqual({ onInit: 'aborted', onFailure: 'succeeded', onExit: 'succeeded' });
  expect(stdoutOf(view, 'onExit')).toBe('failed\n');
});
