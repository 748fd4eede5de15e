import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../harness/resources.ts';
import { statusesOf, TestEngine } from '../harness/engine.ts';

const hourMs = 3_600_000;
const jumps = [
  ['forwards', hourMs],
  ['backwards', -hourMs],
] as const;

const waitsForGo = 'echo x >> begun; while [ ! -e go ]; do sleep 0.01; done';
const retried = 'command: echo x >> begun; test -e go\n    retryPolicy: { limit: 1, intervalSec: 60 }';

/**
 * Starts a step that writes the file `begun`, on a clock that is changed by an hour once the condition holds.
 */
async function startAndJump(step: string, byMs: number) {
  const clock = new FakeClock();
  const engine = new TestEngine({ clock });
  const cwd = makeTemporaryFolder();
  const run = await engine.start(`steps:\n  - name: a\n    ${step}\n`, { defaultWorkingDir: cwd });
  await until(() => existsSync(join(cwd, 'begun')));
  const view = (): ReturnType<TestEngine['get']> => engine.get(run);
  const jump = (): void => clock.jumpTo(clock.now() + byMs);
  const started = (): number => readFileSync(join(cwd, 'begun'), 'utf8').length / 2;
  return { clock, engine, run, view, jump, started, go: () => writeFileSync(join(cwd, 'go'), '') };
}

describe('a changed wall clock', () => {
  it.each(jumps)('%s ends no step early or late', async (_way, byMs) => {
    const { engine, run, clock, jump, go } = await startAndJump(
      `timeoutSec: 60\n    command: ${waitsForGo}`,
      byMs,
    );
    jump();
    clock.advance(30_000);
    go();
    expect(statusesOf(await engine.end(run))).toEqual({ a: 'succeeded' });
  });

  it.each(jumps)('%s does not prevent a step from timing out', async (_way, byMs) => {
    const { engine, run, clock, jump } = await startAndJump(
      `timeoutSec: 60\n    command: ${waitsForGo}`,
      byMs,
    );
    jump();
    clock.advance(61_000);
    expect(await engine.end(run)).toMatchObject({ status: 'failed', steps: [{ attempts: [{}] }] });
  });

  it.each(jumps)('%s neither shortens nor lengthens the delay of a retry', async (_way, byMs) => {
    const { engine, run, clock, view, jump, started, go } = await startAndJump(retried, byMs);
    await engine.untilRun(run, ({ steps }) => steps[0]?.attempts[0]?.finishedAt !== undefined);
    jump();
    go();
    clock.advance(50_000);
    expect(started()).toBe(1);
    expect(await view()).toMatchObject({ status: 'running' });
    clock.advance(10_000);
    expect(await engine.end(run)).toMatchObject({ status: 'succeeded' });
    expect(started()).toBe(2);
  });

  it('set back while the run has no host does not lengthen the delay of a retry', async () => {
    const { engine, run, clock, jump, started, go } = await startAndJump(retried, -hourMs);
    await engine.untilRun(run, ({ steps }) => steps[0]?.attempts[0]?.finishedAt !== undefined);
    await engine.host.close('leave');
    jump();
    go();
    const next = new TestEngine({ home: engine.home, clock });
    await next.host.recoverRuns();
    await until(() => next.host.activeExecutions().length === 1);
    await next.untilRun(run, ({ recoveries }) => recoveries !== undefined);
    clock.advance(61_000);
    expect(await next.end(run)).toMatchObject({ status: 'succeeded' });
    expect(started()).toBe(2);
  });
});
