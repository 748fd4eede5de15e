import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { SupervisedLauncher } from '../../../../core/process/supervisor/supervised-launcher.ts';
import { openDatabase } from '../../../../core/store/open-store.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { TestEngine, testCaller, getStep } from '../../../harness/engine.ts';
import { waitFor } from '../run-harness.ts';

const spec = `
name: shared
steps:
  - { name: work, command: "${waitFor('work')}; echo worked >> ends" }
  - { name: after, command: echo after >> ends }
handlerOn: { exit: echo exit >> ends }
`;

/** Two hosts on one home, the first of which executes a run. */
async function openTwo() {
  const folder = makeTemporaryFolder();
  const clock = new FakeClock();
  const first = new TestEngine({ clock });
  const run = await first.start(spec, { defaultWorkingDir: folder });
  await until(() => existsSync(path.join(folder, 'work.begun')));
  await first.untilRun(run, (view) => getStep(view, 'work').attempts[0]?.pid !== undefined);
  const second = new TestEngine({ home: first.home, clock });
  const go = (): void => writeFileSync(path.join(folder, 'work.go'), '');
  return { clock, first, second, run, go };
}

describe('two hosts on one home', () => {
  test('leave each other’s runs alone while both are alive', async () => {
    const { first, second, run, clock, go } = await openTwo();
    expect(await second.host.hasOrphans()).toBe(false);
    clock.advance(60_000);
    expect(await second.host.recoverRuns()).toEqual([]);
    expect(second.host.activeExecutions()).toEqual([]);
    expect((await second.get(run)).host).toMatchObject({ pid: process.pid, gone: undefined });
    go();
    expect((await first.end(run)).status).toBe('succeeded');
  });

  test('a host without heartbeats for a whole lease loses its runs, and starts nothing more', async () => {
    const { first, second, run, clock, go } = await openTwo();
    // As if the process had been suspended: its own heartbeats are lost.
    const database = openDatabase(path.join(first.home, 'data/engine.db'));
    database.run('CREATE TRIGGER halted BEFORE UPDATE OF beat_at ON host BEGIN SELECT RAISE(IGNORE); END');
    expect(await second.host.recoverRuns()).toEqual([]);
    clock.advance(31_000);
    expect(await second.host.recoverRuns()).toMatchObject([{ dagRunId: run.dagRunId }]);
    expect(second.host.activeExecutions()).toHaveLength(1);
    // It notices as soon as it polls.
    clock.advance(100);
    await until(() => first.host.activeExecutions().length === 0);
    expect(first.reports).toEqual(['Another host took over a run']);
    go();
    const view = await second.end(run);
    expect(view).toMatchObject({
      status: 'succeeded',
      recoveries: [{ reason: expect.stringMatching(/^no heartbeat since/) }],
    });
    expect(getStep(view, 'work').attempts).toHaveLength(1);
    // Waiting for a lost run continues to its end.
    expect((await first.host.waitForEnd(run)).status).toBe('succeeded');
    expect(await first.get(run)).toMatchObject({ status: 'succeeded' });
    database.close();
  });

  test('setting the wall clock makes no host expire', async () => {
    const { first, second, run, clock, go } = await openTwo();
    await second.host.recoverRuns();
    clock.jumpTo(clock.now() + 3_600_000);
    expect(await second.host.recoverRuns()).toEqual([]);
    clock.jumpTo(clock.now() - 7_200_000);
    clock.advance(20_000);
    expect(await second.host.recoverRuns()).toEqual([]);
    go();
    expect((await first.end(run)).status).toBe('succeeded');
  });

  test('a running host recovers runs by itself, and has its supervisor before the first step', async () => {
    const { first, second, run, clock, go } = await openTwo();
    const prepare = vi.spyOn(SupervisedLauncher.prototype, 'prepare');
    second.host.startRecoveryLoop();
    expect(prepare).toHaveBeenCalledOnce();
    prepare.mockRestore();
    await first.host.close('leave');
    clock.advance(45_000);
    await until(() => second.host.activeExecutions().length === 1);
    go();
    expect((await second.end(run)).status).toBe('succeeded');
  });

  test('the stop of an orphaned run is handled by the host that recovers it', async () => {
    const { first, second, run } = await openTwo();
    await first.host.close('leave');
    const before = await second.get(run);
    expect(before.host?.gone).toMatch(/^the host released its runs at/);
    await second.host.api.call('runs.stop', run, testCaller);
    await second.host.recoverRuns();
    expect((await second.end(run)).status).toBe('aborted');
  });

  test('a host recovers its own runs that it does not execute, after a lease', async () => {
    const { first, run, clock, go } = await openTwo();
    // What a host knows and what is stored differ when the response of the database was lost.
    const database = openDatabase(path.join(first.home, 'data/engine.db'));
    database.run("UPDATE step SET status = 'succeeded', finished_at = 1 WHERE name = 'work'");
    database.run('UPDATE attempt SET finished_at = 1, exit_code = 0');
    database.close();
    go();
    await until(() => first.host.activeExecutions().length === 0);
    expect(first.reports).toEqual(['Released a run because the database has a different owner or state']);
    expect(await first.host.recoverRuns()).toEqual([]);
    clock.advance(29_000);
    expect(await first.host.recoverRuns()).toEqual([]);
    clock.advance(2000);
    expect(await first.host.recoverRuns()).toMatchObject([{ dagRunId: run.dagRunId }]);
    expect(await first.end(run)).toMatchObject({
      status: 'succeeded',
      recoveries: [{ reason: 'the host was not running the run' }],
    });
  });
});
