import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { homePaths } from '../../../../core/home/config/home.ts';
import { migrateHistory, type MigrationOptions } from '../../../../core/store/maintenance/migrate-history.ts';
import { openImports } from '../../../../core/store/maintenance/open-home.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { stdoutOf, TestEngine, testCaller } from '../../../harness/engine.ts';

interface Facts {
  readonly name?: string;
  readonly id: string;
  readonly at?: string;
  readonly status?: number;
  readonly nodes?: readonly object[];
  readonly more?: object;
}

const node = (name: string, status: number, more: object = {}, step: object = {}): object => ({
  Step: { name, cmdWithArgs: `echo ${name}`, ...step },
  StartedAt: '2025-03-01T10:00:00Z',
  FinishedAt: '2025-03-01T10:00:02Z',
  Status: status,
  StatusText: 'whatever',
  ...more,
});

const getLine = ({ name = 'etl', id, at = '2025-03-01T10:00:00Z', status = 4, nodes, more }: Facts): string =>
  JSON.stringify({
    RequestId: id,
    Name: name,
    Status: status,
    StatusText: 'whatever',
    Pid: 12,
    Nodes: nodes ?? [node('a', 4)],
    OnExit: null,
    StartedAt: at,
    FinishedAt: '2025-03-01T10:01:00Z',
    Log: '',
    ...more,
  });

/** A data directory with history files as that release wrote them. */
class OldHistory {
  readonly dataDir = makeTemporaryFolder();
  readonly home = path.join(makeTemporaryFolder(), 'home');
  #count = 0;

  folderOf(name: string): string {
    const hash = createHash('md5').update(`/dags/${name}.yaml`).digest('hex');
    return path.join(this.dataDir, `${name}-${hash}`);
  }

  add(facts: Facts, text = `${getLine(facts)}\n`): string {
    const { name = 'etl', id } = facts;
    mkdirSync(this.folderOf(name), { recursive: true });
    this.#count += 1;
    const second = String(this.#count % 60).padStart(2, '0');
    const minute = String(Math.floor(this.#count / 60)).padStart(2, '0');
    const file = path.join(
      this.folderOf(name),
      `${name}.20250301.10:${minute}:${second}.000Z.${id.slice(0, 8)}.dat`,
    );
    writeFileSync(file, text);
    return file;
  }

  async migrate(more: Partial<MigrationOptions> = {}) {
    const { dataDir, home } = this;
    const store = openImports(homePaths(home));
    try {
      return await migrateHistory({ dataDir, home, dryRun: false, clock: new FakeClock(), ...more }, store);
    } finally {
      store.close();
    }
  }

  open(): TestEngine {
    return new TestEngine({ home: this.home });
  }

  async list(): Promise<string[]> {
    const { dagRuns } = await this.open().host.api.call('runs.list', { limit: 1000 }, testCaller);
    return dagRuns.map(({ dagRunId }) => dagRunId);
  }
}

describe('history of release 1.16', () => {
  test('is imported with steps, times, parameters, errors and logs, and can be viewed', async () => {
    const old = new OldHistory();
    const logs = makeTemporaryFolder();
    const [log, runLog] = [path.join(logs, 'b.log'), path.join(logs, 'run.log')];
    writeFileSync(log, 'from b\n');
    writeFileSync(runLog, 'the engine\n');
    old.add({
      id: 'r-1',
      status: 2,
      nodes: [
        node('a', 4, {}, { output: 'X', outputVariables: { X: 'X=1=2' } }),
        node('b', 2, { Log: log, RetryCount: 2, Error: 'exit status 3' }, { depends: ['a'] }),
        node(
          'c',
          5,
          { StartedAt: '-', FinishedAt: '-' },
          { depends: ['b'], childDag: { name: 'other', params: 'A=1' } },
        ),
        node('d', 0, { StartedAt: '-', FinishedAt: '-' }),
      ],
      more: {
        Params: 'first DATE="2025 01"',
        ParamsList: ['1=first', 'DATE=2025 01'],
        Log: runLog,
        OnExit: node('onExit', 4, { Log: path.join(logs, 'gone.log') }),
      },
    });
    const report = await old.migrate();
    expect(report).toMatchObject({
      folders: 1,
      files: 1,
      runs: 1,
      skipped: [],
      failed: [],
      logsCopied: 2,
      logsMissing: 1,
    });
    const engine = old.open();
    const run = await engine.get({ name: 'etl', dagRunId: 'r-1' });
    expect(run).toMatchObject({
      status: 'failed',
      trigger: 'migrated',
      error: 'Step "b" failed: exit status 3',
      params: [
        { name: '1', value: 'first' },
        { name: 'DATE', value: '2025 01' },
      ],
      startedAt: '2025-03-01T10:00:00.000Z',
      finishedAt: '2025-03-01T10:01:00.000Z',
      outputs: { X: '1=2' },
    });
    expect(run.steps.map(({ name, status }) => [name, status])).toEqual([
      ['a', 'succeeded'],
      ['b', 'failed'],
      ['c', 'skipped'],
      ['d', 'not_started'],
    ]);
    expect(run.workflow.steps[1]!.depends).toEqual(['a']);
    expect(run.steps[1]).toMatchObject({ exitCode: 3, attempts: [{ attempt: 3, exitCode: 3 }] });
    expect(stdoutOf(run, 'b')).toBe('from b\n');
    expect(run.handlers).toMatchObject([{ name: 'onExit', status: 'succeeded' }]);
    expect(readFileSync(path.join(run.logDir!, 'run.log'), 'utf8')).toBe('the engine\n');
    const lines = await engine.host.api.call(
      'logs.lines',
      { name: 'etl', dagRunId: 'r-1', step: 'b', stream: 'stdout' } as never,
      testCaller,
    );
    expect(lines).toMatchObject({ totalLines: 1, complete: true });
  });

  test('is older than the home’s own runs, ordered by time, and pagination continues into it', async () => {
    const old = new OldHistory();
    const before = old.open();
    const { dagRunId } = await before.run('name: etl\nsteps: [echo now]');
    await before.host.close('stop');
    for (let index = 0; index < 5; index += 1)
      old.add({ id: `r${index}`, name: index % 2 === 0 ? 'etl' : 'other' });
    await old.migrate();
    const engine = old.open();
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const input = cursor === undefined ? { limit: 2 } : { limit: 2, cursor };
      const page = await engine.host.api.call('runs.list', input, testCaller);
      ids.push(...page.dagRuns.map((run) => run.dagRunId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(ids).toEqual([dagRunId, 'r4', 'r3', 'r2', 'r1', 'r0']);
    expect(await engine.get({ name: 'etl', dagRunId: 'latest' })).toMatchObject({ dagRunId });
    expect(await engine.run('name: etl\nsteps: [echo more]')).toMatchObject({ status: 'succeeded' });
  });

  test('maps status names; unfinished runs are ended', async () => {
    const old = new OldHistory();
    for (let status = 0; status <= 6; status += 1)
      old.add({ id: `r${status}`, status, nodes: [node('a', status)] });
    old.add({ id: 'r7', status: 77 });
    const report = await old.migrate();
    expect(report.skipped).toMatchObject([{ reason: expect.stringContaining('77') }]);
    const engine = old.open();
    const found = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map(async (status) => {
        const run = await engine.get({ name: 'etl', dagRunId: `r${status}` });
        return [run.status, run.steps[0]!.status];
      }),
    );
    expect(found).toEqual([
      ['aborted', 'not_started'],
      ['failed', 'failed'],
      ['failed', 'failed'],
      ['aborted', 'aborted'],
      ['succeeded', 'succeeded'],
      ['aborted', 'skipped'],
      ['partially_succeeded', 'partially_succeeded'],
    ]);
    expect(await engine.host.hasOrphans()).toBe(false);
  });

  test('uses the last complete line of a file, and reports files without one', async () => {
    const old = new OldHistory();
    old.add(
      { id: 'r1' },
      `${getLine({ id: 'r1', status: 1 })}\n\n${getLine({ id: 'r1', status: 4 })}\n{"RequestId":"r1","Sta`,
    );
    const empty = old.add({ id: 'r2' }, '');
    const broken = old.add({ id: 'r3' }, '{"Status":4}\n[1]\nnull\n\u0000\u0001');
    // Earlier releases wrote the keys of steps in capitals.
    old.add({ id: 'r4', nodes: [{ Step: { Name: 'big', Command: 'ls', Args: ['-l'] }, Status: 4 }] });
    const report = await old.migrate();
    expect(report).toMatchObject({ files: 4, runs: 2, failed: [], foldersMoved: 1 });
    expect(report.skipped.map(({ file }) => file).toSorted()).toEqual([empty, broken]);
    const engine = old.open();
    expect(await engine.get({ name: 'etl', dagRunId: 'r1' })).toMatchObject({ status: 'succeeded' });
    const { workflow } = await engine.get({ name: 'etl', dagRunId: 'r4' });
    expect(workflow.steps[0]).toMatchObject({ name: 'big', action: { command: 'ls -l' } });
  });

  test('accepts names and steps that would be invalid here', async () => {
    const old = new OldHistory();
    const name = `a name with spaces ${'x'.repeat(40)}`;
    old.add({
      name,
      id: 'r1',
      nodes: [node('s', 4, {}, { cmdWithArgs: '', script: '', executorConfig: { type: 'mail' } })],
    });
    old.add({ id: 'bad id' });
    const { runs, skipped } = await old.migrate();
    expect({ runs, skipped }).toMatchObject({
      runs: 1,
      skipped: [{ reason: expect.stringContaining('run ID') }],
    });
    const { dagRuns } = await old.open().host.api.call('runs.list', {}, testCaller);
    expect(dagRuns[0]!.name).toMatch(/^a_name_with_spaces_x+-[0-9a-f]{6}$/);
  });

  test('cannot be retried, with a hint what to do instead', async () => {
    const old = new OldHistory();
    old.add({ id: 'r1', status: 2, nodes: [node('a', 2)] });
    await old.migrate();
    const { host } = old.open();
    const run = { name: 'etl', dagRunId: 'r1' };
    await expect(host.api.call('runs.retry', run, testCaller)).rejects.toMatchObject({
      code: 'invalid_spec',
      message: expect.stringContaining('Start the workflow from its file instead.'),
    });
  });
});

describe('migration', () => {
  test('moves the old directories, and nothing else', async () => {
    const old = new OldHistory();
    const file = old.add({ id: 'r1' });
    mkdirSync(path.join(old.dataDir, 'queue'));
    writeFileSync(path.join(old.dataDir, 'engine.db'), '');
    const { movedTo } = await old.migrate();
    expect(movedTo).toBe(path.join(old.dataDir, 'history_migrated_20260101_000000'));
    expect(readdirSync(old.dataDir).toSorted()).toEqual([
      'engine.db',
      'history_migrated_20260101_000000',
      'queue',
    ]);
    expect(existsSync(path.join(movedTo!, path.basename(path.dirname(file)), path.basename(file)))).toBe(
      true,
    );
    expect(await old.migrate()).toMatchObject({ folders: 0, runs: 0, foldersMoved: 0 });
  });

  test('changes nothing in a dry run', async () => {
    const old = new OldHistory();
    old.add({ id: 'r1' });
    old.add({ id: 'r1' });
    expect(await old.migrate({ dryRun: true })).toMatchObject({
      files: 2,
      runs: 1,
      known: 1,
      foldersMoved: 0,
    });
    expect(readdirSync(old.dataDir)).toHaveLength(1);
    expect(await old.list()).toEqual([]);
  });

  test('is completed after any interruption by the next one, without duplicates', async () => {
    const old = new OldHistory();
    const ids = Array.from({ length: 350 }, (_, index) => `r${index}`);
    for (const id of ids) old.add({ id, name: Number(id.slice(1)) % 3 === 0 ? 'one' : 'two' });
    for (const end of [50, 130, 349]) {
      const onProgress = (done: number): void => {
        if (done === end) throw new Error('killed');
      };
      await expect(old.migrate({ onProgress })).rejects.toThrow('killed');
    }
    const { runs, known, foldersMoved } = await old.migrate();
    expect({ all: runs + known, foldersMoved }).toEqual({ all: 350, foldersMoved: 2 });
    expect(known).toBeGreaterThanOrEqual(300);
    expect(await old.list()).toEqual(ids.toReversed());
  });

  test('keeps a directory that cannot be migrated completely, until it can be', async () => {
    const old = new OldHistory();
    const log = path.join(makeTemporaryFolder(), 'a.log');
    writeFileSync(log, 'from a\n');
    const file = old.add({ id: 'r1', nodes: [node('a', 4, { Log: log })] });
    old.add({ id: 'r2', name: 'other' });
    // Blocks the logs.
    const inTheWay = path.join(old.home, 'logs', 'etl');
    mkdirSync(path.dirname(inTheWay), { recursive: true });
    writeFileSync(inTheWay, '');
    const report = await old.migrate();
    expect(report).toMatchObject({
      runs: 1,
      foldersMoved: 1,
      failed: [{ file, reason: expect.any(String) }],
    });
    expect(existsSync(file)).toBe(true);
    rmSync(inTheWay);
    expect(await old.migrate()).toMatchObject({ runs: 1, logsCopied: 1, failed: [], foldersMoved: 1 });
  });

  test('needs an existing directory', async () => {
    const old = new OldHistory();
    const dataDir = path.join(old.dataDir, 'nowhere');
    await expect(old.migrate({ dataDir })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describeOnServers('history of release 1.16', (server) => {
  test('is imported once into the database of the home', async () => {
    const old = new OldHistory();
    for (const id of ['r-1', 'r-2']) old.add({ id, at: `2025-03-0${id.at(-1)}T10:00:00Z` });
    const databaseUrl = newSchemaUrl(server());
    const migrate = async (): Promise<number> => {
      const store = openImports(homePaths(old.home, { databaseUrl }));
      const { runs } = await migrateHistory(
        { dataDir: old.dataDir, home: old.home, dryRun: false, clock: new FakeClock() },
        store,
      );
      store.close();
      return runs;
    };
    expect(await migrate()).toBe(2);
    old.add({ id: 'r-2' });
    expect(await migrate()).toBe(0);
    const runs = await createStore(openForTest(databaseUrl)).listRuns({ limit: 10 });
    expect(runs.map(({ dagRunId, status }) => [dagRunId, status])).toEqual([
      ['r-2', 'succeeded'],
      ['r-1', 'succeeded'],
    ]);
    expect(existsSync(homePaths(old.home).database)).toBe(false);
  });
});
