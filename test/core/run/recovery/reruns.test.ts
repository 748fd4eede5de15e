import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRef } from '../../../../core/model/run.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { statusesOf, TestEngine, testCaller, stdoutOf } from '../../../harness/engine.ts';
import { type RetryOptions, attemptsOf, eventsOf, retry, runFailing, spec } from '../run-harness.ts';

const actions = ({ steps }: { steps: readonly { name: string; action: string }[] }) =>
  Object.fromEntries(steps.map(({ name, action }) => [name, action]));

describe('retry of a run', () => {
  test('repeats failed steps and those after them, under the same id, and keeps the rest', async () => {
    const { engine, folder, view, mend } = await runFailing();
    expect(statusesOf(view)).toEqual({
      load: 'succeeded',
      side: 'succeeded',
      send: 'failed',
      report: 'aborted',
      onExit: 'succeeded',
    });
    mend();
    const { name, dagRunId } = view;
    const plan = await engine.host.api.call('runs.retryPlan', { name, dagRunId }, testCaller);
    const again = await retry(engine, view);
    expect(again).toMatchObject({
      status: 'succeeded',
      dagRunId: view.dagRunId,
      startedAt: view.startedAt,
      logDir: view.logDir,
      outputs: view.outputs,
    });
    expect(again.error).toBeUndefined();
    expect(attemptsOf(again)).toEqual({ load: 1, side: 1, send: 2, report: 1 });
    expect(actions(plan)).toEqual({ load: 'keep', side: 'keep', send: 'run', report: 'run' });
    expect(again.steps[0]).toEqual(view.steps[0]);
    // Outputs of the kept step are available to those that run again; attempt numbers continue.
    expect(stdoutOf(again, 'send')).toBe(`got ${String(view.outputs['ROWS'])}\n`);
    expect(stdoutOf(again, 'report')).toBe(`after ${String(view.outputs['ROWS'])}\n`);
    expect(again.steps[2]!.attempts.map(({ attempt, exitCode }) => [attempt, exitCode])).toEqual([
      [1, 1],
      [2, 0],
    ]);
    expect(readFileSync(again.steps[2]!.attempts[0]!.stdoutFile, 'utf8')).toContain('got rows');
    // Handlers run again, too.
    expect(readFileSync(path.join(folder, 'ends'), 'utf8')).toBe('end\nend\n');
    const types = (await eventsOf(engine, view)).map(({ event }) => event);
    expect(types.filter(({ type }) => type === 'run.retried')).toEqual([
      { type: 'run.retried', by: 'the test', steps: ['send', 'report'] },
    ]);
  });

  test('can fail again, any number of times', async () => {
    const { engine, view, mend } = await runFailing();
    const second = await retry(engine, view);
    expect(second).toMatchObject({ status: 'failed', cause: 'steps' });
    expect(attemptsOf(second)).toMatchObject({ send: 2, report: 0 });
    mend();
    const third = await retry(engine, view);
    expect(third.status).toBe('succeeded');
    expect(attemptsOf(third)).toMatchObject({ send: 3, report: 1 });
  });

  test('runs what a stop prevented from starting', async () => {
    const engine = new TestEngine();
    const folder = makeTemporaryFolder();
    const run = await engine.start(
      'steps: [{ name: wait, command: "test -e ready || sleep 60" }, { name: next, command: "true" }]',
      { defaultWorkingDir: folder },
    );
    await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.pid !== undefined);
    await engine.host.api.call('runs.stop', run, testCaller);
    const stopped = await engine.end(run);
    expect(statusesOf(stopped)).toEqual({ wait: 'aborted' });
    writeFileSync(path.join(folder, 'ready'), '');
    const again = await retry(engine, run);
    expect(again.status).toBe('succeeded');
    expect(again.stopRequestedBy).toBeUndefined();
  });

  test('keeps the output of a step that was stopped while it waited to run again', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
secrets: [{ name: PATH_OF_ALL, provider: env, key: PATH }]
steps:
  - { name: again, id: again, command: echo done, output: SAID, repeatPolicy: { repeat: true, intervalSec: 1000000 } }
  - { name: next, command: 'echo "$SAID" "\${again.exitCode}"' }`);
    await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.finishedAt !== undefined);
    await engine.host.api.call('runs.stop', run, testCaller);
    expect(await engine.end(run)).toMatchObject({
      status: 'aborted',
      steps: [{ status: 'succeeded', exitCode: 0, output: { name: 'SAID', value: 'done' } }, {}],
    });
    expect(stdoutOf(await retry(engine, run), 'next')).toBe('done 0\n');
  });

  test.each([
    ['a condition does not hold', 'preconditions: [test ! -e broken]', 'aborted'],
    ['init fails', 'handlerOn: { init: test ! -e broken, exit: "echo exit sees $ROWS" }', 'aborted'],
    ['a value is unavailable', 'env: [{ X: "`test ! -e broken`" }]', 'failed'],
  ])('keeps the outputs of completed steps when %s', async (_why, field, status) => {
    const engine = new TestEngine();
    const folder = makeTemporaryFolder();
    const text = `
steps: [{ name: load, command: echo 7, output: ROWS }, { name: send, command: exit 1 }]
${field.replace('test ! -e broken', `test ! -e ${folder}/broken`)}`;
    const view = await engine.run(text);
    expect(view.outputs).toEqual({ ROWS: '7' });
    writeFileSync(path.join(folder, 'broken'), '');
    const again = await retry(engine, view);
    expect(again).toMatchObject({ status, outputs: { ROWS: '7' } });
    expect(statusesOf(again)).toMatchObject({ load: 'succeeded' });
    if (field.includes('exit:')) expect(stdoutOf(again, 'onExit')).toBe('exit sees 7\n');
  });

  test('uses the text stored with the run, not the current file', async () => {
    const engine = new TestEngine();
    const file = path.join(engine.home, 'dags', 'kept.yaml');
    writeFileSync(file, 'steps: [{ name: first, command: exit 1 }]\n');
    const run = await engine.host.startRun({ source: { file }, trigger: 'cli' });
    await engine.end(run);
    writeFileSync(file, 'steps: [{ name: other, command: "true" }]\n');
    const again = await retry(engine, run);
    expect(attemptsOf(again)).toEqual({ first: 2 });
  });
});

describe('retry of one step', () => {
  test('affects nothing else and ignores its retry policy', async () => {
    const text = spec.replace(
      'depends: load }',
      'depends: load, retryPolicy: { limit: 1, intervalSec: 0 } }',
    );
    const { engine, view } = await runFailing(text);
    expect(attemptsOf(view)).toMatchObject({ send: 2 });
    const again = await retry(engine, view, { stepName: 'send' });
    expect(again.status).toBe('failed');
    expect(attemptsOf(again)).toEqual({ load: 1, side: 1, send: 3, report: 0 });
    expect(again.steps.filter(({ name }) => name !== 'send')).toEqual(
      view.steps.filter(({ name }) => name !== 'send'),
    );
  });

  test('can succeed although its dependents stay as they were', async () => {
    const { engine, view, mend } = await runFailing();
    mend();
    const again = await retry(engine, view, { stepName: 'send' });
    expect(statusesOf(again)).toMatchObject({ send: 'succeeded', report: 'aborted' });
    expect(again.status).toBe('failed');
  });

  test('fails with its handlers while other steps have never run', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps: [{ name: a, command: sleep 1000000 }, { name: b, command: "true" }, { name: c, command: "true" }]
handlerOn: { failure: "true", exit: echo $DAG_RUN_STATUS }`);
    await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.pid !== undefined);
    await engine.host.api.call('runs.stop', run, testCaller);
    await engine.end(run);
    const again = await retry(engine, run, { stepName: 'b' });
    expect(again).toMatchObject({ status: 'failed', error: 'step "c" never ran' });
    expect(statusesOf(again)).toMatchObject({ b: 'succeeded', onFailure: 'succeeded' });
    expect(stdoutOf(again, 'onExit')).toBe('failed\n');
  });

  test('with its downstream starts from a step of a succeeded run', async () => {
    const { engine, view, mend } = await runFailing();
    mend();
    await retry(engine, view);
    const again = await retry(engine, view, { stepName: 'send', downstream: true });
    expect(again.status).toBe('succeeded');
    expect(attemptsOf(again)).toEqual({ load: 1, side: 1, send: 3, report: 2 });
  });

  test('starts whatever the results of its dependencies', async () => {
    const engine = new TestEngine();
    const failed = await engine.run(
      'type: graph\nsteps: [{ name: a, command: exit 1 }, { name: b, command: "true", depends: a }]',
    );
    const again = await retry(engine, failed, { stepName: 'b' });
    expect(statusesOf(again)).toEqual({ a: 'failed', b: 'succeeded' });
  });

  test('keeps a tolerated failure tolerated', async () => {
    const engine = new TestEngine();
    const text = `
type: graph
steps:
  - { name: may fail, command: 'echo known trouble; exit 3', continueOn: { output: [known trouble] } }
  - { name: next, command: 'true', depends: may fail }`;
    const view = await engine.run(text);
    expect(view.status).toBe('partially_succeeded');
    const again = await retry(engine, view, { stepName: 'next' });
    expect(again.status).toBe('partially_succeeded');
  });
});

describe('rejected retry leaves the run unchanged:', () => {
  const refused = async (engine: TestEngine, run: RunRef, options: RetryOptions = {}): Promise<unknown> => {
    const ref = { name: run.name, dagRunId: run.dagRunId };
    const before = await engine.get(ref);
    const cause: unknown = await engine.host.api
      .call('runs.retry', { ...ref, ...options }, testCaller)
      .catch((error: unknown) => error);
    const preview: unknown = await engine.host.api
      .call('runs.retryPlan', { ...ref, ...options }, testCaller)
      .catch((error: unknown) => error);
    expect(await engine.get(ref)).toEqual(before);
    expect(preview).toMatchObject({ code: (cause as { code: string }).code });
    return cause;
  };

  test('nothing failed', async () => {
    const engine = new TestEngine();
    const view = await engine.run('steps: ["true"]');
    expect(await refused(engine, view)).toMatchObject({
      code: 'nothing_to_retry',
      message: expect.stringContaining(
        'Nothing to retry: all steps of dag succeeded or were skipped. Specify a step.',
      ),
    });
  });

  test('an unknown step, with the nearest name', async () => {
    const { engine, view } = await runFailing();
    expect(await refused(engine, view, { stepName: 'sned' })).toMatchObject({
      code: 'not_found',
      message: 'nightly has no step "sned". Did you mean "send"?',
      details: { nearest: 'send' },
    });
  });

  test('downstream of nothing', async () => {
    const { engine, view } = await runFailing();
    expect(await refused(engine, view, { downstream: true })).toMatchObject({ code: 'bad_request' });
  });

  test('an active run', async () => {
    const engine = new TestEngine();
    const run = await engine.start('steps: [sleep 60]');
    const { steps } = await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
    expect(await refused(engine, run, { stepName: steps[0]!.name })).toMatchObject({ code: 'still_running' });
  });

  test('an unknown run', async () => {
    const engine = new TestEngine();
    await expect(
      engine.host.api.call('runs.retry', { name: 'nobody', dagRunId: 'latest' }, testCaller),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a new run from an earlier one', () => {
  const text = `
name: daily
params: DAY=today WHO=nobody
steps: [{ name: say, command: 'echo "$DAY $WHO"' }]`;

  test('has the same parameters; defaults are not evaluated again', async () => {
    const asked = path.join(makeTemporaryFolder(), 'asked');
    const { engine, view } = await runFailing(
      text.replace('DAY=today', `DAY=\`echo x >> '${asked}'; wc -l < '${asked}'\``),
    );
    const { name, dagRunId } = view;
    const run = await engine.host.api.call(
      'runs.reschedule',
      { name, fromRunId: dagRunId, dagRunId: 'second' },
      testCaller,
    );
    expect(run).toEqual({ name, dagRunId: 'second' });
    const second = await engine.end(run);
    expect(second).toMatchObject({ status: 'succeeded', params: view.params, trigger: 'cli' });
    const source = { run: { name, dagRunId: 'latest' } };
    const third = await engine.end(
      await engine.host.startRun({ source, trigger: 'schedule', name: 'renamed' }),
    );
    expect(third).toMatchObject({ name: 'renamed', params: view.params, trigger: 'schedule' });
    expect(stdoutOf(third, 'say').trim()).toBe('1 nobody');
    expect(readFileSync(asked, 'utf8')).toBe('x\n');
  });

  test('accepts no parameters of its own', async () => {
    const { engine, view } = await runFailing(text);
    const source = { run: view };
    await expect(engine.host.startRun({ source, trigger: 'cli', params: ['DAY=x'] })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test('is not rescheduled next to an active one', async () => {
    const engine = new TestEngine();
    const ended = await engine.run('name: many\nmaxActiveRuns: -1\nsteps: ["true"]');
    const active = await engine.start('name: many\nmaxActiveRuns: -1\nsteps: [sleep 60]');
    await expect(
      engine.host.api.call('runs.reschedule', { name: 'many', fromRunId: ended.dagRunId }, testCaller),
    ).rejects.toMatchObject({
      code: 'still_running',
      message: expect.stringContaining('many already has 1 active'),
    });
    expect((await engine.get(active)).name).toBe('many');
  });
});

describe('restart', () => {
  const text = `
name: service
restartWaitSec: 30
params: WHO=ann
steps: [{ name: serve, command: 'test -e ready || { touch begun; sleep 60; }' }]`;

  test('stops the run, waits, and starts it with its parameters under a new id', async () => {
    const engine = new TestEngine();
    const folder = makeTemporaryFolder();
    const run = await engine.start(text, { defaultWorkingDir: folder, params: 'WHO=ben' });
    await until(() => existsSync(path.join(folder, 'begun')));
    writeFileSync(path.join(folder, 'ready'), '');
    const restarted = engine.host.api.call('runs.restart', run, testCaller);
    const stopped = await engine.end(run);
    expect(stopped).toMatchObject({ status: 'aborted', stopRequestedBy: 'the test' });
    const early = await engine.host.api.call('runs.list', { name: 'service' }, testCaller);
    expect(early.dagRuns).toHaveLength(1);
    engine.clock.advance(30_000);
    const second = await engine.end(await restarted);
    expect(second.dagRunId).not.toBe(run.dagRunId);
    expect(second).toMatchObject({ status: 'succeeded', params: [{ name: 'WHO', value: 'ben' }] });
    expect(Date.parse(second.createdAt) - Date.parse(stopped.finishedAt!)).toBeGreaterThanOrEqual(30_000);
  });

  test('is rejected for a run that has ended', async () => {
    const engine = new TestEngine();
    const view = await engine.run('steps: ["true"]');
    await expect(
      engine.host.api.call('runs.restart', { name: view.name, dagRunId: view.dagRunId }, testCaller),
    ).rejects.toMatchObject({
      code: 'not_running',
    });
    expect(existsSync(view.logDir!)).toBe(true);
  });
});
