import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import type { RunRef } from '../../../../core/model/run.ts';
import { TestEngine, testCaller, stdoutOf } from '../../../harness/engine.ts';
import { eventsOf } from '../run-harness.ts';

/** Counts its calls in a file and prints the count. */
const count = 'echo x >> calls; wc -l < calls | tr -d " "';

/** Lets so many seconds pass each time an attempt of the step has ended. */
async function passWaits(
  engine: TestEngine,
  run: RunRef,
  seconds: readonly number[],
  step = 0,
): Promise<void> {
  for (const [index, wait] of seconds.entries()) {
    await engine.untilRun(run, ({ steps }) => steps[step]!.attempts[index]?.finishedAt !== undefined);
    engine.clock.advance(wait * 1000);
  }
}

describe('step with a repeatPolicy', () => {
  test.each([
    ['until a condition holds', `{ repeat: until, condition: '$N', expected: "3", intervalSec: 0 }`, 3],
    ['while a condition holds', `{ repeat: while, condition: '[ "$N" -lt 4 ]', intervalSec: 0 }`, 4],
    [
      'until, when there is an expected value',
      `{ condition: '\${N}', expected: "re:^[2-9]$", intervalSec: 0 }`,
      2,
    ],
    ['as long as it succeeds, up to the limit', `{ repeat: true, limit: 3, intervalSec: 0 }`, 3],
    [
      'up to the limit, which is not a failure',
      `{ repeat: until, condition: "false", limit: 2, intervalSec: 0 }`,
      2,
    ],
  ])('runs %s', async (_, policy, times) => {
    const engine = new TestEngine();
    const view = await engine.run(
      `
steps:
  - { name: a, command: '${count}', output: N, repeatPolicy: ${policy} }
  - echo "last $N"`,
      { defaultWorkingDir: makeTemporaryFolder() },
    );
    expect(view.status).toBe('succeeded');
    expect(view.steps[0]!.attempts).toHaveLength(times);
    expect(stdoutOf(view, view.steps[1]!.name)).toBe(`last ${times}\n`);
  });

  test.each([
    ['while', '[7]', 'exit $([ "$(wc -l < calls)" -lt 3 ] && echo 7 || echo 0)', 3, 'succeeded'],
    ['until', '[9]', 'exit $([ "$(wc -l < calls)" -lt 2 ] && echo 1 || echo 9)', 2, 'failed'],
  ])('%s an exit code', async (repeat, exitCode, end, times, status) => {
    const view = await new TestEngine().run(
      `
steps:
  - name: a
    command: 'echo x >> calls; ${end}'
    repeatPolicy: { repeat: ${repeat}, exitCode: ${exitCode}, intervalSec: 0 }`,
      { defaultWorkingDir: makeTemporaryFolder() },
    );
    expect(view.steps[0]).toMatchObject({ status });
    expect(view.steps[0]!.attempts).toHaveLength(times);
  });

  test('waits longer each time, up to the maximum interval, by the clock', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps:
  - { name: a, command: "true", repeatPolicy: { repeat: true, limit: 4, intervalSec: 100, backoff: 2, maxIntervalSec: 500 } }`);
    await passWaits(engine, run, [200, 400, 500]);
    const view = await engine.end(run);
    const delays = (await eventsOf(engine, view)).flatMap(({ at, event }) =>
      event.type === 'step.repeat_scheduled' ? [event.dueAt - Date.parse(at)] : [],
    );
    expect(delays).toEqual([200_000, 400_000, 500_000]);
  });

  test('retries within each repetition', async () => {
    const view = await new TestEngine().run(
      `
steps:
  - name: a
    command: 'echo x >> calls; [ $(($(wc -l < calls) % 2)) = 0 ]'
    retryPolicy: { limit: 1, intervalSec: 0 }
    repeatPolicy: { repeat: true, limit: 2, intervalSec: 0 }`,
      { defaultWorkingDir: makeTemporaryFolder() },
    );
    expect(view.status).toBe('succeeded');
    expect(view.steps[0]!.attempts.map(({ exitCode }) => exitCode)).toEqual([1, 0, 1, 0]);
  });

  test('that is stopped while it waits has succeeded; the run, too, when nothing else is left', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps:
  - { name: a, command: echo done, output: SAID, repeatPolicy: { repeat: true, intervalSec: 1000000 } }`);
    await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.finishedAt !== undefined);
    await engine.host.api.call('runs.stop', run, testCaller);
    expect(await engine.end(run)).toMatchObject({
      status: 'succeeded',
      steps: [{ status: 'succeeded' }],
      outputs: { SAID: 'done' },
    });
  });

  test('that is stopped while it runs may finish that repetition', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const run = await engine.start(
      `
maxCleanUpTimeSec: 1000000
steps:
  - name: a
    command: 'while [ ! -e go ]; do sleep 0.01; done; echo finished > end'
    repeatPolicy: { repeat: true, intervalSec: 0 }`,
      { defaultWorkingDir: folder },
    );
    await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.pid !== undefined);
    await engine.host.api.call('runs.stop', run, testCaller);
    writeFileSync(path.join(folder, 'go'), '');
    expect(await engine.end(run)).toMatchObject({
      status: 'succeeded',
      steps: [{ attempts: [{ exitCode: 0 }] }],
    });
    expect(readFileSync(path.join(folder, 'end'), 'utf8')).toBe('finished\n');
  });
});

describe('retryPolicy with expressions', () => {
  test('is evaluated with everything visible to the step', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
params: { TIMES: 2 }
steps:
  - { command: echo 300, output: PAUSE }
  - { name: a, command: "false", retryPolicy: { limit: "\${TIMES}", intervalSec: "$PAUSE" } }`);
    await passWaits(engine, run, [300, 300], 1);
    const view = await engine.end(run);
    expect(view.steps[1]!.attempts).toHaveLength(3);
    const delays = (await eventsOf(engine, view)).flatMap(({ at, event }) =>
      event.type === 'step.retry_scheduled' ? [event.dueAt - Date.parse(at)] : [],
    );
    expect(delays).toEqual([300_000, 300_000]);
  });

  test('that is not a number fails the step with a reason', async () => {
    const view = await new TestEngine().run(`
steps: [{ name: a, command: "false", retryPolicy: { limit: "\${NONE}x", intervalSec: 0 } }]`);
    expect(view.steps[0]!.error).toMatch(
      /exit code 1; not retried: retryPolicy\.limit: "\$\{NONE\}x" is "x", which is not a whole number of 0 or more/,
    );
  });
});
