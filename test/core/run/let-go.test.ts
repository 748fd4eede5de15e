import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRef } from '../../../core/model/run.ts';
import { openDatabase } from '../../../core/store/open-store.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import { TestEngine } from '../../harness/engine.ts';

const waitForGoFile = 'touch begun; while [ ! -e go ]; do sleep 0.01; done; echo done';

/** A run whose first step waits for the file `go`; more would follow. */
async function startWaiting(engine: TestEngine, folder: string): Promise<RunRef> {
  const run = await engine.start(
    `
name: waits
timeoutSec: 60
steps: [{ name: wait, command: "${waitForGoFile}" }, { name: next, command: touch next, preconditions: [{ command: touch condition }] }]
handlerOn: { failure: touch handler, exit: touch handler }`,
    { defaultWorkingDir: folder },
  );
  await until(() => existsSync(path.join(folder, 'begun')));
  await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
  return run;
}

describe('detached run', () => {
  test('of a closing host keeps its process, starts nothing more and stays unchanged', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const run = await startWaiting(engine, folder);
    const view = await engine.get(run);
    const { pid, stdoutFile } = view.steps[0]!.attempts[0]!;
    await engine.host.close('leave');
    // Not even the run's own timeout reaches the process now.
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

  test('of a closing host keeps what was written in the same tick', async () => {
    const engine = new TestEngine();
    const run = await engine.start('steps: ["true"]');
    await engine.host.close('leave');
    const view = await new TestEngine({ home: engine.home }).get(run);
    expect(view).toMatchObject({ status: 'running', logDir: expect.stringContaining(run.dagRunId) });
  });

  test('of another owner writes nothing more and starts nothing more', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const run = await startWaiting(engine, folder);
    const database = openDatabase(path.join(engine.home, 'data/engine.db'));
    database.run('UPDATE run SET epoch = epoch + 1 WHERE run_id = ?', run.dagRunId);
    database.close();
    const before = (await engine.get(run)).lastEventId;
    writeFileSync(path.join(folder, 'go'), '');
    await until(() => engine.reports.length > 0);
    expect(engine.reports).toEqual(['Another host took over a run']);
    await until(() => engine.host.activeExecutions().length === 0);
    expect(await engine.get(run)).toMatchObject({ status: 'running', lastEventId: before });
    expect(readdirSync(folder).toSorted()).toEqual(['begun', 'go']);
  });

  test('whose events the store rejects reports that to callers that wait for it', async () => {
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
    // Also when called afterwards.
    await expect(engine.host.waitForEnd(run)).rejects.toThrow(/the table is broken/);
    expect(readdirSync(folder).toSorted()).toEqual(['begun', 'go']);
  });
});
