import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRef } from '../../../core/model/run/run.ts';
import { openDatabase } from '../../../core/store/open-store.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { TestEngine } from '../../rig/test-engine.ts';
import { until } from '../../rig/until.ts';

const waitForGo = 'touch begun; while [ ! -e go ]; do sleep 0.01; done; echo done';

/** A run whose first step waits for the file `go`; more would follow. */
async function startWaiting(engine: TestEngine, folder: string): Promise<RunRef> {
  const run = await engine.start(
    `
name: waits
timeoutSec: 60
steps: [{ name: wait, command: "${waitForGo}" }, { name: next, command: touch next, preconditions: [{ command: touch condition }] }]
handlerOn: { failure: touch handler, exit: touch handler }`,
    { defaultWorkingDir: folder },
  );
  await until(() => existsSync(path.join(folder, 'begun')));
  await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
  return run;
}

describe('a run that is let go of', () => {
  test('by a host that closes goes on with its process, starts nothing more and stays as it was', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const run = await startWaiting(engine, folder);
    const view = await engine.get(run);
    const { pid, stdoutFile } = view.steps[0]!.attempts[0]!;
    await engine.host.close('leave');
    // Not even the run's own time limit reaches the process now.
    engine.clock.advance(120_000);
    expect(process.kill(pid!, 0)).toBe(true);
    writeFileSync(path.join(folder, 'go'), '');
    await until(() => readFileSync(stdoutFile, 'utf8') === 'done\n');
    const other = new TestEngine({ home: engine.home });
    await until(() => existsSync(path.join(view.logDir!, 'exits.jsonl')));
    await until(() => engine.host.activeExecutions().length === 0);
    expect(await other.get(run)).toMatchObject({
      status: 'running',
      steps: [{ status: 'running' }, { status: 'not_started' }],
    });
    expect(readdirSync(folder).toSorted()).toEqual(['begun', 'go']);
  });

  test('by a host that closes keeps what it has written in that very turn', async () => {
    const engine = new TestEngine();
    const run = await engine.start('steps: ["true"]');
    await engine.host.close('leave');
    const view = await new TestEngine({ home: engine.home }).get(run);
    expect(view).toMatchObject({ status: 'running', logDir: expect.stringContaining(run.dagRunId) });
  });

  test('because another host owns it writes nothing more and starts nothing more', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const run = await startWaiting(engine, folder);
    const database = openDatabase(path.join(engine.home, 'data/engine.db'));
    database.run('UPDATE run SET epoch = epoch + 1 WHERE run_id = ?', run.dagRunId);
    database.close();
    const before = (await engine.get(run)).lastEventId;
    writeFileSync(path.join(folder, 'go'), '');
    await until(() => engine.reports.length > 0);
    expect(engine.reports).toEqual(['Lost a run to another host']);
    await until(() => engine.host.activeExecutions().length === 0);
    expect(await engine.get(run)).toMatchObject({ status: 'running', lastEventId: before });
    expect(readdirSync(folder).toSorted()).toEqual(['begun', 'go']);
  });

  test('because the store refuses its events is reported to whoever waits for it', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const run = await startWaiting(engine, folder);
    const database = openDatabase(path.join(engine.home, 'data/engine.db'));
    database.run(
      "CREATE TRIGGER refuse BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'the table is broken'); END",
    );
    database.close();
    const ended = engine.host.waitForEnd(run);
    writeFileSync(path.join(folder, 'go'), '');
    await expect(ended).rejects.toThrow(/the table is broken/);
    expect(engine.reports).toEqual(['Cannot write the events of a run', 'Cannot continue a run']);
    // Asked afterwards as well.
    await expect(engine.host.waitForEnd(run)).rejects.toThrow(/the table is broken/);
    expect(readdirSync(folder).toSorted()).toEqual(['begun', 'go']);
  });
});
