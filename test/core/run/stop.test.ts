import { setImmediate as tick } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { homePaths } from '../../../core/home/config/home.ts';
import { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { statusesOf, stdoutOf, TestEngine, testCaller, type RunView } from '../../harness/engine.ts';

const programs = path.resolve('test/programs');
const hasPrinted = (view: RunView, step: string, text: string): boolean => {
  const attempt = view.steps.find(({ name }) => name === step)?.attempts.at(-1);
  if (attempt === undefined) return false;
  try {
    return readFileSync(attempt.stdoutFile, 'utf8').includes(text);
  } catch {
    return false;
  }
};

const spec = `
steps:
  - { name: wait, command: "sh ${programs}/hang.sh" }
  - { name: next, command: "true" }
handlerOn: { abort: "true", failure: "true", exit: echo $DAG_RUN_STATUS }`;

describe('stopping a run', () => {
  test('aborts running steps, leaves the rest unstarted and runs abort and exit handlers', async () => {
    const engine = new TestEngine();
    const run = await engine.start(spec);
    await engine.untilRun(run, (view) => hasPrinted(view, 'wait', 'ready'));
    await engine.host.api.call('runs.stop', run, testCaller);
    const view = await engine.end(run);
    expect(view).toMatchObject({
      status: 'aborted',
      cause: 'stopped',
      error: 'stopped by the test',
      stopRequestedBy: 'the test',
    });
    expect(statusesOf(view)).toEqual({ wait: 'aborted', onAbort: 'succeeded', onExit: 'succeeded' });
    expect(stdoutOf(view, 'onExit')).toBe('aborted\n');
  });

  test('works from another host on the same home', async () => {
    const engine = new TestEngine();
    const run = await engine.start(spec);
    await engine.untilRun(run, (view) => hasPrinted(view, 'wait', 'ready'));
    const other = new TestEngine({ home: engine.home });
    await other.host.api.call('runs.stop', run, { via: 'http', name: 'http' });
    expect((await engine.get(run)).status).toBe('running');
    engine.clock.advance(1000);
    const view = await engine.end(run);
    // Without a login, recorded by its origin.
    expect(view).toMatchObject({ status: 'aborted', error: 'stopped over HTTP' });
    expect(readFileSync(path.join(view.logDir!, 'run.log'), 'utf8')).toContain(
      ' run ending: stopped over HTTP\n',
    );
  });

  test('works from another process at the very moment the run starts', async () => {
    const engine = new TestEngine();
    const other = openStore({ file: homePaths(engine.home).database });
    onTestFinished(() => other.close());
    const { transact } = SqliteDatabase.prototype;
    vi.spyOn(SqliteDatabase.prototype, 'transact').mockImplementationOnce(async function (
      this: SqliteDatabase,
      create,
    ) {
      const created = await transact.call(this, create);
      await other.requestStop({ name: 'early', dagRunId: 'one' }, 'another process', engine.clock.now());
      engine.clock.advance(75);
      await tick();
      return created;
    });
    const run = await engine.start('name: early\nsteps: [sleep 1000000]', { dagRunId: 'one' });
    expect(await engine.end(run)).toMatchObject({ status: 'aborted', error: 'stopped by another process' });
  });

  test('kills a step that ignores SIGTERM after the grace period', async () => {
    const engine = new TestEngine();
    const run = await engine.start(
      `maxCleanUpTimeSec: 7\nsteps: [{ name: deaf, command: "exec sh ${programs}/ignore-term.sh" }]`,
    );
    // A step may have printed before the engine was notified of its start.
    const isKnown = (view: RunView): boolean => view.steps[0]?.attempts[0]?.pid !== undefined;
    await engine.untilRun(run, (view) => isKnown(view) && hasPrinted(view, 'deaf', 'ready'));
    await engine.host.api.call('runs.stop', run, testCaller);
    engine.clock.advance(6900);
    expect((await engine.get(run)).status).toBe('running');
    engine.clock.advance(200);
    const view = await engine.end(run);
    expect(view.steps[0]).toMatchObject({ status: 'aborted', signal: 'SIGKILL' });
  });

  test('by force kills at once and skips the handlers', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps: [{ name: deaf, command: "exec sh ${programs}/ignore-term.sh" }]
handlerOn: { exit: "true" }`);
    await engine.untilRun(run, (view) => hasPrinted(view, 'deaf', 'ready'));
    engine.host.forceStop(run);
    const view = await engine.end(run);
    expect(statusesOf(view)).toEqual({ deaf: 'aborted' });
    expect(view.status).toBe('aborted');
  });

  test('reaches the runs that steps have started', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps: [{ name: sub, run: child }]
---
name: child
steps: [{ name: wait, command: "sh ${programs}/hang.sh" }]`);
    const parent = await engine.untilRun(run, (view) => (view.steps[0]?.subRuns.length ?? 0) > 0);
    const child = parent.steps[0]!.subRuns[0]!;
    await engine.untilRun(child, (view) => hasPrinted(view, 'wait', 'ready'));
    await engine.host.api.call('runs.stop', run, testCaller);
    expect((await engine.end(run)).status).toBe('aborted');
    expect(await engine.get(child)).toMatchObject({
      status: 'aborted',
      error: `stopped by its parent run ${run.dagRunId}`,
    });
  });

  test('is rejected when the run has ended or does not exist', async () => {
    const engine = new TestEngine();
    const view = await engine.run('name: brief\nsteps: ["true"]');
    const stop = (dagRunId: string) =>
      engine.host.api.call('runs.stop', { name: 'brief', dagRunId }, testCaller);
    await expect(stop(view.dagRunId)).rejects.toMatchObject({ code: 'not_running' });
    await expect(stop('unknown')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('timeouts', () => {
  test('a step that times out fails with exit code 124 and is not retried', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps:
  - { name: slow, command: "sh ${programs}/hang.sh", timeoutSec: 30, retryPolicy: { limit: 3, intervalSec: 0 } }`);
    await engine.untilRun(run, (view) => hasPrinted(view, 'slow', 'ready'));
    engine.clock.advance(30_000);
    const view = await engine.end(run);
    expect(view.steps[0]).toMatchObject({
      status: 'failed',
      exitCode: 124,
      error: 'step timed out after 30 s',
    });
    expect(view.steps[0]!.attempts).toHaveLength(1);
  });

  test('a step with its own timeout outlasts the run’s, and a stop still ends it', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
timeoutSec: 60
steps: [{ name: slow, command: "sh ${programs}/hang.sh", timeoutSec: 600 }]`);
    await engine.untilRun(run, (view) => hasPrinted(view, 'slow', 'ready'));
    engine.clock.advance(61_000);
    expect((await engine.get(run)).steps[0]).toMatchObject({ status: 'running' });
    await engine.host.api.call('runs.stop', run, testCaller);
    expect(await engine.end(run)).toMatchObject({ status: 'failed', cause: 'timeout' });
  });

  test('a run that times out aborts its steps and fails', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
timeoutSec: 60
steps:
  - { name: slow, command: "sh ${programs}/hang.sh" }
  - { name: next, command: "true" }
handlerOn: { failure: "true" }`);
    await engine.untilRun(run, (view) => hasPrinted(view, 'slow', 'ready'));
    engine.clock.advance(60_000);
    const view = await engine.end(run);
    expect(view).toMatchObject({ status: 'failed', cause: 'timeout', error: 'timed out after 60 s' });
    expect(statusesOf(view)).toEqual({ slow: 'aborted', next: 'aborted', onFailure: 'succeeded' });
  });
});
