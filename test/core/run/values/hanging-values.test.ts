import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRef } from '../../../../core/model/run.ts';
import { findState, readPidStart } from '../../../../core/process/process-table.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { statusesOf, stdoutOf, TestEngine, testCaller, type RunView } from '../../../harness/engine.ts';

interface Hanging {
  readonly engine: TestEngine;
  readonly run: RunRef;
  /** Resolves when the hanging command has ended. */
  gone(): Promise<void>;
  end(): Promise<RunView>;
}

/** Starts the workflow, in which `HANG` is a hanging substitution, and waits until it is running. */
async function startHanging(spec: string): Promise<Hanging> {
  const folder = makeTemporaryFolder();
  const pidFile = path.join(folder, 'pid');
  const script = path.join(folder, 'hang.sh');
  writeFileSync(script, `echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 1000000\n`);
  const engine = new TestEngine();
  const run = await engine.start(spec.replaceAll('HANG', `'\`sh ${script}\`'`), {
    defaultWorkingDir: folder,
  });
  await until(() => {
    engine.clock.advance(1);
    return existsSync(pidFile);
  });
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const identity = { pid, pidStart: readPidStart(pid) };
  // The process that inherits it may take seconds to wait for it.
  const isGone = (): boolean => findState(identity) !== 'alive';
  return { engine, run, gone: () => until(isGone), end: () => engine.end(run) };
}

const places: [string, string][] = [
  ['env', '{ name: a, command: "true", env: [X: HANG], timeoutSec: 100 }'],
  ['dir', '{ name: a, command: "true", dir: HANG, timeoutSec: 100 }'],
  ['an argument', '{ name: a, command: [echo, HANG], timeoutSec: 100 }'],
  ['parallel', '{ name: a, command: "true", parallel: HANG, timeoutSec: 100 }'],
  ['the parameters for a sub-run', '{ name: a, run: child, params: [X: HANG], timeoutSec: 100 }'],
  ['parameters of a sub-run', '{ name: a, run: waiting, timeoutSec: 100 }'],
  ['those of the items', '{ name: a, run: waiting, parallel: [A=1, A=2], timeoutSec: 100 }'],
];

const siblings = `
---
name: child
steps: ["true"]
---
name: waiting
params: [Y: HANG]
steps: ["true"]`;

describe.each(places)('a hanging command in %s', (_place, step) => {
  test('is cancelled when the run is stopped', async () => {
    const { engine, run, end, gone } = await startHanging(`
steps: [${step.replace(', timeoutSec: 100', '')}]
handlerOn: { exit: "true" }${siblings}`);
    await engine.host.api.call('runs.stop', run, testCaller);
    const view = await end();
    expect(view).toMatchObject({ status: 'aborted', cause: 'stopped' });
    expect(statusesOf(view)).toEqual({ a: 'aborted', onExit: 'succeeded' });
    await gone();
  });

  test('is cancelled when the step times out', async () => {
    const { engine, end, gone } = await startHanging(`steps: [${step}]${siblings}`);
    engine.clock.advance(99_000);
    engine.clock.advance(1000);
    const view = await end();
    expect(view.steps[0]).toMatchObject({
      status: 'failed',
      exitCode: 124,
      error: 'step timed out after 100 s',
    });
    await gone();
  });
});

test('a hanging command in a condition is cancelled when the run is stopped', async () => {
  const { engine, run, end, gone } = await startHanging(
    'steps: [{ name: a, command: "true", preconditions: [{ condition: HANG, expected: x }] }]',
  );
  await engine.host.api.call('runs.stop', run, testCaller);
  expect(statusesOf(await end())).toEqual({ a: 'aborted' });
  await gone();
});

describe('a hanging command in the env of the workflow', () => {
  test('is cancelled when the run is stopped', async () => {
    const { engine, run, end, gone } = await startHanging('env: [X: HANG, Y: HANG]\nsteps: ["true"]');
    await engine.host.api.call('runs.stop', run, testCaller);
    expect(await end()).toMatchObject({ status: 'aborted', cause: 'stopped' });
    await gone();
  });

  test('is cancelled when the run times out', async () => {
    const { engine, end, gone } = await startHanging('timeoutSec: 5\nenv: [X: HANG]\nsteps: ["true"]');
    engine.clock.advance(5000);
    expect(await end()).toMatchObject({ status: 'failed', cause: 'timeout', error: 'timed out after 5 s' });
    await gone();
    expect(engine.clock.pending).toBe(0);
  });
});

describe('values of a handler', () => {
  test('are available after a stop, too', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps: [{ name: a, command: sleep 1000000 }]
handlerOn: { exit: { command: 'echo "$X"', env: [X: "\`echo there\`"], preconditions: [{ condition: "\`echo y\`", expected: y }] } }`);
    await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.pid !== undefined);
    await engine.host.api.call('runs.stop', run, testCaller);
    expect(stdoutOf(await engine.end(run), 'onExit')).toBe('there\n');
  });

  test('are cancelled when the run is stopped by force', async () => {
    const { engine, run, end, gone } = await startHanging(
      'steps: ["true"]\nhandlerOn: { exit: { command: "true", env: [X: HANG] } }',
    );
    engine.host.forceStop(run);
    expect(statusesOf(await end())).toMatchObject({ onExit: 'aborted' });
    await gone();
  });
});
