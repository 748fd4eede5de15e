import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../harness/resources.ts';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  type TestHome,
} from '../harness/home-and-command.ts';

/** A home with three succeeded runs of `etl`. */
async function makeHistory(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(place, 'etl', 'steps:\n  - name: a\n    command: echo from a\n');
  for (const id of ['r1', 'r2', 'r3']) await runEngine(place, ['start', 'etl', '--run-id', id, '-q']);
  return place;
}

const database = ({ home }: TestHome): string => join(home, 'data', 'engine.db');

/** Corrupts bytes of a file. */
function corruptFile(file: string, position: number, bytes: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, position);
  closeSync(descriptor);
}

const idsIn = async (place: TestHome): Promise<string[]> => {
  const { json } = await runForJson(place, ['history']);
  return (json as unknown as { dagRuns: { dagRunId: string }[] }).dagRuns.map(({ dagRunId }) => dagRunId);
};

describe('engine cleanup', () => {
  it('shows what it would delete, asks for confirmation, and deletes runs with their logs', async () => {
    const place = await makeHistory();
    const tried = await runEngine(place, ['cleanup', 'etl', '--keep', '1', '--dry-run']);
    expect(tried).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Would delete 2 runs of etl with sub-runs and logs.'),
    });
    const asked = await runEngine(place, ['cleanup', 'etl', '--keep', '1']);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await idsIn(place)).toEqual(['r3', 'r2', 'r1']);
    const done = await runEngine(place, ['cleanup', 'etl', '--keep', '1', '--yes']);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Deleted 2 runs of etl') });
    expect(await idsIn(place)).toEqual(['r3']);
    expect(readdirSync(join(place.home, 'logs', 'etl'))).toEqual([expect.stringMatching(/_r3$/)]);
  });

  it('prints JSON for programs, and rejects an invalid name', async () => {
    const place = await makeHistory();
    const { json } = await runForJson(place, ['cleanup', 'etl', '--status', 'succeeded', '--yes']);
    expect(json).toEqual({ name: 'etl', removed: { runs: 3, logFolders: 3 }, failures: [] });
    expect(await runEngine(place, ['cleanup', 'no such name', '--yes'])).toMatchObject({ code: 3 });
    expect(await runEngine(place, ['cleanup', 'etl', '--keep', '-1', '--yes'])).toMatchObject({ code: 2 });
  });
});

describe('engine backup and restore', () => {
  it('copy a home in use, which other commands can read', async () => {
    const place = await makeHistory();
    saveDag(place, 'slow', 'steps: [sleep 30]\n');
    const slow = startEngine(place, ['start', 'slow', '--run-id', 's1']);
    await until(() => existsSync(join(place.home, 'logs', 'slow')));
    const { json } = await runForJson(place, ['backup', '--logs']);
    const { file, files } = json as unknown as { file: string; files: number };
    expect(file.startsWith(place.cwd)).toBe(true);
    expect(await runEngine(place, ['restore', file, '--force'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('in use'),
    });
    slow.kill('SIGKILL');
    await slow.ended;

    const copy = { ...place, home: join(place.cwd, 'copy') };
    const restored = await runEngine(place, ['restore', file, '--engine-home', copy.home]);
    expect(restored).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`(${files} files verified).`),
    });
    expect(await idsIn(copy)).toEqual(['s1', 'r3', 'r2', 'r1']);
    expect((await runEngine(copy, ['status', 'slow'])).stdout).toMatch(/aborted/);
    expect((await runEngine(copy, ['logs', 'etl', 'a', '--stream', 'stdout'])).stdout).toBe('from a\n');
    expect(await runEngine(copy, ['start', 'etl', '-q'])).toMatchObject({ code: 0 });
    expect(await runEngine(place, ['restore', file, '--engine-home', copy.home])).toMatchObject({ code: 4 });
    // The killed process still has to be stopped.
    await runEngine(place, ['stop', 'slow', '--wait']);
  });
});

describe('a damaged home', () => {
  it('is rejected with instructions, and recovered by following them', async () => {
    const place = await makeHistory();
    expect(await runEngine(place, ['check'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No damage found in '),
    });
    expect((await runEngine(place, ['salvage'])).stdout).toContain('Nothing was changed.');
    corruptFile(database(place), 0, 100);
    const refused = await runEngine(place, ['history']);
    expect(refused).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/engine restore .*engine salvage/),
    });
    expect(await runEngine(place, ['check'])).toMatchObject({ code: 5 });
    expect(await runEngine(place, ['salvage'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'hint: Add --yes to confirm. To check without changes, run "engine check".',
      ),
    });
    const saved = await runEngine(place, ['salvage', '--yes']);
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining('3 runs recovered') });
    expect(await idsIn(place)).toEqual(['r3', 'r2', 'r1']);
    expect((await runEngine(place, ['logs', 'etl', 'a', '--stream', 'stdout'])).stdout).toBe('from a\n');
    expect(readdirSync(join(place.home, 'data')).filter((name) => name.startsWith('damaged_'))).toHaveLength(
      1,
    );
  });

  it('is replaced by its backup', async () => {
    const place = await makeHistory();
    await runEngine(place, ['backup', 'b.tar.gz']);
    corruptFile(database(place), 0, 5000);
    const restored = await runEngine(place, ['restore', 'b.tar.gz', '--force']);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('logs') });
    expect((await runEngine(place, ['logs', 'etl', 'a', '--stream', 'stdout'])).stdout).toBe('from a\n');
  });
});

describe('engine migrate history', () => {
  /** Files as written by release 1.16. */
  function addOldHistory({ home }: TestHome, count: number): string {
    const dataDir = join(home, 'data');
    const folder = join(dataDir, 'old-0123456789abcdef0123456789abcdef');
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < count; index += 1) {
      const id = `old-${index}`;
      const step = { name: 'a', cmdWithArgs: 'echo a' };
      const times = { StartedAt: '2025-03-01T10:00:00Z', FinishedAt: '2025-03-01T10:00:01Z' };
      const nodes = [{ Step: step, ...times, Status: 4 }];
      const status = { RequestId: id, Name: 'old', Status: 4, Nodes: nodes, ...times };
      const time = new Date(Date.UTC(2025, 2, 1, 0, 0, index)).toISOString();
      const stamp = time.replaceAll('-', '').replace('T', '.');
      writeFileSync(
        join(folder, `old.${stamp}.${id.slice(0, 8)}${index}.dat`),
        `${JSON.stringify(status)}\n`,
      );
    }
    return dataDir;
  }

  it('uses the singular for one', async () => {
    const place = makeTestHome();
    const dataDir = addOldHistory(place, 1);
    const { code, stdout } = await runEngine(place, ['migrate', 'history']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Read 1 file in 1 folder of ${dataDir}\nMigrated 1 run; already migrated: 0;`);
    expect(stdout).toContain('Moved 1 old folder to ');
  });

  it('imports it exactly once, even when killed halfway', async () => {
    const place = await makeHistory();
    const dataDir = addOldHistory(place, 1500);
    const killed = startEngine(place, ['migrate', 'history']);
    await until(() => existsSync(`${database(place)}-wal`));
    killed.kill('SIGKILL');
    await killed.ended;
    const { stdout } = await runEngine(place, ['migrate', 'history', '--format', 'json']);
    const { runs, known } = JSON.parse(stdout) as { runs: number; known: number };
    expect(runs + known).toBe(1500);
    const { json: history } = await runForJson(place, ['history', '--limit', '5000']);
    const { dagRuns } = history as unknown as { dagRuns: { dagRunId: string }[] };
    const ids = dagRuns.map(({ dagRunId }) => dagRunId);
    expect([new Set(ids).size, ids.length, ids[0], ids[3]]).toEqual([1503, 1503, 'r3', 'old-1499']);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('history_migrated_'))).toHaveLength(1);
    expect((await runEngine(place, ['status', 'old'])).stdout).toMatch(/^a +✔ succeeded/m);
    expect(await runEngine(place, ['retry', 'old'])).toMatchObject({ code: 1 });
    expect((await runEngine(place, ['migrate', 'history'])).stdout).toContain('No history of release');
  });
});
