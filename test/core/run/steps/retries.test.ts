import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { stdoutOf, TestEngine, testCaller, type RunView } from '../../../harness/engine.ts';
import { eventsOf } from '../run-harness.ts';

/** Fails until it has been called that many times; prints its number. */
const countTo = (wanted: number): string =>
  `echo x >> tries; n=$(wc -l < tries); echo try $n; [ "$n" -ge ${wanted} ]`;

const attemptsOf = (view: RunView): number => view.steps[0]!.attempts.length;
const isWaiting = (attempts: number) => (view: RunView) =>
  attemptsOf(view) === attempts && view.steps[0]!.attempts.at(-1)!.finishedAt !== undefined;

test('a step that is stopped while it waits for its next attempt has the result of its last one', async () => {
  const engine = new TestEngine();
  const run = await engine.start(`
steps:
  - { name: a, id: a, command: 'echo said; exit 3', output: SAID, retryPolicy: { limit: 9, intervalSec: 1000000 } }
handlerOn: { exit: 'echo "$SAID \${a.exitCode}"; cat \${a.stdout}' }`);
  await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.finishedAt !== undefined);
  await engine.host.api.call('runs.stop', run, testCaller);
  const view = await engine.end(run);
  expect(view.steps[0]).toMatchObject({ status: 'aborted', exitCode: 3, output: { value: 'said' } });
  expect(stdoutOf(view, 'onExit')).toBe('said 3\nsaid\n');
});

describe('retries', () => {
  test('are limited, and the last attempt determines the result', async () => {
    const view = await new TestEngine().run(`
steps:
  - name: a
    command: "echo $DAG_RUN_STEP_STDOUT_FILE; exit 3"
    output: FILE
    retryPolicy: { limit: 2, intervalSec: 0 }
handlerOn: { failure: "true" }`);
    const [step] = view.steps;
    expect(step).toMatchObject({ status: 'failed', exitCode: 3, attempts: [{}, {}, { attempt: 3 }] });
    expect(step!.output).toEqual({ name: 'FILE', value: step!.attempts[2]!.stdoutFile });
    expect(new Set(step!.attempts.map(({ stdoutFile }) => stdoutFile)).size).toBe(3);
  });

  test('wait longer each time, up to the maximum interval, by the clock', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps: [{ name: a, command: exit 1, retryPolicy: { limit: 4, intervalSec: 10, backoff: 2, maxIntervalSec: 30 } }]`);
    for (const [index, seconds] of [10, 20, 30, 30].entries()) {
      await engine.untilRun(run, isWaiting(index + 1));
      engine.clock.advance(seconds * 1000 - 1);
      expect(attemptsOf(await engine.get(run))).toBe(index + 1);
      engine.clock.advance(1);
    }
    expect(attemptsOf(await engine.end(run))).toBe(5);
    const delays = (await eventsOf(engine, run)).flatMap(({ at, event }) =>
      event.type === 'step.retry_scheduled' ? [event.dueAt - Date.parse(at)] : [],
    );
    expect(delays).toEqual([10_000, 20_000, 30_000, 30_000]);
  });

  test('end with the first success; every attempt keeps its log', async () => {
    const engine = new TestEngine();
    const view = await engine.run(
      `
steps:
  - { name: a, command: '${countTo(3)}', output: SAID, retryPolicy: { limit: 5, intervalSec: 0 } }
  - { name: b, command: "true" }`,
      { defaultWorkingDir: makeTemporaryFolder() },
    );
    expect(view).toMatchObject({ status: 'succeeded', outputs: { SAID: 'try 3' } });
    const linesOf = async (attempt?: number) =>
      (
        await engine.host.api.call(
          'logs.lines',
          { name: view.name, dagRunId: view.dagRunId, step: 'a', attempt },
          testCaller,
        )
      ).lines;
    expect(await linesOf(1)).toEqual(['try 1']);
    expect(await linesOf(2)).toEqual(['try 2']);
    expect(await linesOf()).toEqual(['try 3']);
    await expect(linesOf(4)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('has no attempt 4'),
    });
  });

  test('happen only for the listed exit codes', async () => {
    const view = await new TestEngine().run(`
type: graph
steps:
  - { name: listed, command: exit 75, retryPolicy: { limit: 1, intervalSec: 0, exitCode: [74, 75] } }
  - { name: other, command: exit 1, retryPolicy: { limit: 1, intervalSec: 0, exitCode: [74, 75] } }`);
    expect(view.steps.map(({ attempts }) => attempts.length)).toEqual([2, 1]);
  });

  test('are cancelled when the run is stopped', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps: [{ name: a, command: exit 1, retryPolicy: { limit: 1, intervalSec: 3600 } }]`);
    await engine.untilRun(run, isWaiting(1));
    await engine.host.api.call('runs.stop', run, testCaller);
    const view = await engine.end(run);
    expect(view).toMatchObject({ status: 'aborted', cause: 'stopped' });
    expect(view.steps[0]).toMatchObject({
      status: 'aborted',
      error: 'the run was stopped while the step was waiting for its next attempt',
    });
    expect(attemptsOf(view)).toBe(1);
  });

  test('are shown in the run’s own log', async () => {
    const view = await new TestEngine().run(`
steps: [{ name: a, command: exit 1, retryPolicy: { limit: 1, intervalSec: 0 } }]`);
    const file = path.join(view.logDir!, 'run.log');
    expect(existsSync(file)).toBe(true);
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.replace(/^\S+ /, '')),
    ).toEqual([
      'run started',
      'step a started',
      expect.stringMatching(/^step a attempt 1 failed: exit code 1; retrying at/),
      'step a started (attempt 2)',
      'step a failed: exit code 1',
      'run failed: step "a" failed: exit code 1',
      '',
    ]);
  });
});
