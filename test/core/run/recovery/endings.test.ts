import { describe, expect, test } from 'vitest';
import { statusesOf, getStep } from '../../../harness/engine.ts';
import { RecoveryScenario, waitFor } from '../run-harness.ts';

const handlers =
  'handlerOn: { success: echo success >> ends, failure: echo failure >> ends, abort: echo abort >> ends, exit: echo exit >> ends }';

async function loseHostAt(name: string, spec: string): Promise<RecoveryScenario> {
  const relay = new RecoveryScenario();
  await relay.start(spec);
  await relay.waitForStart(name);
  await relay.onLeaseLost();
  return relay;
}

describe('stop', () => {
  const spec = `name: s\nsteps:\n  - { name: work, command: "${waitFor('work')}" }\n  - { name: after, command: echo after >> ends }\n${handlers}`;

  test('after the recovery ends the reattached process', async () => {
    const relay = await loseHostAt('work', spec);
    await relay.recoverRuns();
    await relay.stop();
    const view = await relay.end();
    expect(view.status).toBe('aborted');
    expect(getStep(view, 'work')).toMatchObject({ status: 'aborted', signal: 'SIGTERM' });
    expect(relay.lines('ends')).toEqual(['abort', 'exit']);
  });

  test('that no host received is handled by the next host', async () => {
    const relay = await loseHostAt('work', spec);
    relay.engine.changeStore("UPDATE run SET stop_requested_by = 'ann'");
    await relay.recoverRuns();
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'aborted', error: 'stopped by ann' });
    expect(relay.lines('ends')).toEqual(['abort', 'exit']);
  });

  test('that a host could not finish is finished', async () => {
    const deaf = `name: s\nmaxCleanUpTimeSec: 600\nsteps:\n  - { name: work, command: "trap 'echo deaf >> ends' TERM; ${waitFor('work')}" }\n  - { name: after, command: echo after >> ends }\n${handlers}`;
    const relay = new RecoveryScenario();
    await relay.start(deaf);
    await relay.waitForStart('work');
    await relay.stop();
    await relay.untilRun(() => relay.lines('ends').length > 0);
    await relay.onLeaseLost();
    await relay.recoverRuns();
    relay.go('work');
    const view = await relay.end();
    expect(view.status).toBe('aborted');
    expect(statusesOf(view)).toMatchObject({ work: 'aborted', onAbort: 'succeeded', onExit: 'succeeded' });
    expect(relay.lines('ends').filter((line) => line !== 'deaf')).toEqual(['abort', 'exit']);
  });
});

describe('timeouts', () => {
  test('of a step count from its recorded start', async () => {
    const relay = await loseHostAt(
      'work',
      `name: s\nsteps: [{ name: work, command: "${waitFor('work')}", timeoutSec: 60 }]\n${handlers}`,
    );
    relay.clock.advance(50_000);
    await relay.recoverRuns();
    relay.clock.advance(9000);
    expect((await relay.untilRun(() => true)).status).toBe('running');
    relay.clock.advance(2000);
    const view = await relay.end();
    expect(getStep(view, 'work')).toMatchObject({ status: 'failed', exitCode: 124 });
    expect(relay.lines('ends')).toEqual(['failure', 'exit']);
  });

  test('of the run count from its recorded start', async () => {
    const relay = await loseHostAt(
      'work',
      `name: s\ntimeoutSec: 60\nsteps: [{ name: work, command: "${waitFor('work')}" }, echo never >> ends]\n${handlers}`,
    );
    relay.clock.advance(61_000);
    await relay.recoverRuns();
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'failed', cause: 'timeout', error: 'timed out after 60 s' });
    expect(relay.lines('ends')).toEqual(['failure', 'exit']);
  });
});

describe('handlers', () => {
  const withHandler = (handler: string): string =>
    `name: h\nsteps: [echo step >> ends]\nhandlerOn: { init: echo init >> ends, success: "${handler}", exit: echo exit >> ends }`;

  test('that had ended are not run again', async () => {
    const relay = await loseHostAt(
      'exit',
      `name: h\nsteps: [echo step >> ends]\nhandlerOn: { success: echo success >> ends, exit: "${waitFor('exit')}; echo exit >> ends" }`,
    );
    await relay.recoverRuns();
    relay.go('exit');
    const view = await relay.end();
    expect(view.status).toBe('succeeded');
    expect(relay.lines('ends')).toEqual(['step', 'success', 'exit']);
  });

  test('that are running are resumed, whatever is requested meanwhile', async () => {
    const relay = await loseHostAt('success', withHandler(`${waitFor('success')}; echo success >> ends`));
    await relay.recoverRuns();
    await relay.stop();
    relay.go('success');
    await relay.end();
    expect(relay.lines('ends')).toEqual(['init', 'step', 'success', 'exit']);
  });

  test('a running init handler is resumed before the first step', async () => {
    const relay = await loseHostAt(
      'init',
      `name: h\npreconditions: [{ command: echo condition >> ends }]\nsteps: [echo step >> ends]\nhandlerOn: { init: "${waitFor('init')}; echo init >> ends" }`,
    );
    await relay.recoverRuns();
    relay.go('init');
    expect((await relay.end()).status).toBe('succeeded');
    expect(relay.lines('ends')).toEqual(['condition', 'init', 'step']);
  });
});

describe('retry of one step', () => {
  test('stays limited to that step', async () => {
    const relay = new RecoveryScenario();
    await relay.start(
      `name: r\nsteps:\n  - { name: a, command: "${waitFor('a')}; echo a >> ends; test $(wc -l < ends) -ge 2" }\n  - { name: b, command: echo b >> ends }`,
    );
    relay.go('a');
    await relay.end();
    relay.again('a');
    await relay.engine.host.api.call(
      'runs.retry',
      { ...relay.run, stepName: 'a' },
      { via: 'cli', name: 'ann' },
    );
    await relay.waitForStart('a');
    await relay.onLeaseLost();
    await relay.recoverRuns();
    relay.go('a');
    const view = await relay.end();
    expect(getStep(view, 'a').attempts).toHaveLength(2);
    expect(statusesOf(view)).toEqual({ a: 'succeeded', b: 'aborted' });
    expect(relay.lines('ends')).toEqual(['a', 'a']);
  });
});
