import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { checkDatabase } from '../../../core/store/check-database.ts';
import { salvageDatabase } from '../../../core/store/salvage-database.ts';
import { createOwnedRun, makeDatabasePath, thrownBy } from './store-harness.ts';

const pageSize = 4096;
const runCount = 120;

let made: Buffer | undefined;

/** A copy of that database; created once. */
async function makeDatabase(): Promise<string> {
  if (made === undefined) {
    const file = await fillDatabase();
    made = readFileSync(file);
  }
  const file = makeDatabasePath();
  writeFileSync(file, made);
  return file;
}

/** A closed database of 120 ended runs with steps, attempts, events and a text each, and an active one. */
async function fillDatabase(): Promise<string> {
  const file = makeDatabasePath();
  const params = [{ name: 'P', value: 'x'.repeat(300) }];
  const store = openStore({ file });
  for (let index = 0; index <= runCount; index += 1) {
    const text = `name: etl\nsteps: [echo ${index}]\n${'# filler\n'.repeat(100)}`;
    const { write } = await createOwnedRun(store, {
      dagRunId: `r${index}`,
      params,
      spec: { text, document: 0 },
    });
    const steps = Array.from({ length: 5 }, (_, step) => ({ section: 'step', name: `s${step}` }) as const);
    await write([
      { type: 'run.started', logDir: `logs/${index}` },
      ...steps.map((node) => ({ type: 'step.started', node, attempt: 1, dir: `${node.name}.1` }) as const),
    ]);
    if (index === runCount) continue;
    await write(
      steps.map(
        (node) => ({ type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 }) as const,
      ),
    );
    await write([{ type: 'run.finished', status: 'succeeded', outputs: { index } }]);
  }
  store.close();
  return file;
}

function overwrite(file: string, position: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
}

/** Numbers of the pages of a table. */
function pagesOf(file: string, table: string, type: 'leaf' | 'internal' = 'leaf'): number[] {
  const database = new SqliteDatabase(file);
  const rows = database.all<{ pageno: number }>(
    `SELECT pageno FROM dbstat WHERE name = '${table}' AND pagetype = '${type}'`,
  );
  database.close();
  return rows.map(({ pageno }) => pageno);
}

const wipe = (file: string, page: number): void =>
  overwrite(file, (page - 1) * pageSize, Buffer.alloc(pageSize, 0xa5));

async function salvage(file: string) {
  const target = `${file}.saved`;
  const before = readFileSync(file);
  const report = salvageDatabase(file, target, 9000);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(checkDatabase(target)).toEqual([]);
  const store = openStore({ file: target });
  const runs = await store.listRuns({ limit: 1000 });
  const details = runs.map((run) => store.getDetail(run)!);
  store.close();
  return { report, runs, details };
}

describe('damaged database', () => {
  test('is recovered completely when none of its rows is damaged, and active runs have ended', async () => {
    const file = await makeDatabase();
    const { report, runs, details } = await salvage(file);
    expect(report).toMatchObject({ runs: runCount + 1, runsEnded: 1, usedNewHeader: false, rowsDropped: 0 });
    expect(report.tables.filter(({ isDamaged }) => isDamaged)).toEqual([]);
    expect(runs[0]).toMatchObject({ dagRunId: `r${runCount}`, status: 'aborted', cause: 'engine' });
    expect(details[0]!.steps.map(({ status }) => status)).toEqual(Array(5).fill('aborted'));
    expect(details[1]!.steps.map(({ status }) => status)).toEqual(Array(5).fill('succeeded'));
    expect(details[1]!.run.outputs).toEqual({ index: runCount - 1 });
  });

  test.each([
    ['the file header', 100],
    ['the first page', pageSize],
  ])('is recovered without %s', async (_, bytes) => {
    const file = await makeDatabase();
    overwrite(file, 0, Buffer.alloc(bytes, 0x5a));
    expect(checkDatabase(file)).toEqual([expect.stringContaining('missing SQLite header')]);
    const { report, details } = await salvage(file);
    expect(report).toMatchObject({ runs: runCount + 1, usedNewHeader: true });
    expect(details[5]!.steps).toHaveLength(5);
  });

  test('loses only the rows on a lost page of the runs', async () => {
    const file = await makeDatabase();
    const leaves = pagesOf(file, 'run');
    expect(leaves.length).toBeGreaterThan(4);
    for (const page of [leaves[0]!, leaves[2]!, leaves.at(-1)!]) wipe(file, page);
    expect(checkDatabase(file)).not.toEqual([]);
    const { report, runs } = await salvage(file);
    const lost = runCount + 1 - runs.length;
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan((3.5 / leaves.length) * runCount);
    expect(report.tables.find(({ table }) => table === 'run')).toMatchObject({
      isDamaged: true,
      rows: runs.length,
      expected: runCount + 1,
    });
    expect(report.rowsDropped).toBeGreaterThan(0);
  });

  test.each(['event', 'step', 'attempt', 'spec'])(
    'keeps all runs without a page of the table %s',
    async (table) => {
      const file = await makeDatabase();
      const leaves = pagesOf(file, table);
      wipe(file, leaves[Math.floor(leaves.length / 2)]!);
      const { report, runs } = await salvage(file);
      expect(runs).toHaveLength(runCount + 1);
      expect(report.tables.filter(({ isDamaged }) => isDamaged).map((saved) => saved.table)).toEqual([table]);
    },
  );

  test('loses no more than what is below a lost inner page', async () => {
    const file = await makeDatabase();
    for (const page of pagesOf(file, 'event', 'internal')) wipe(file, page);
    const { report, runs } = await salvage(file);
    expect(runs).toHaveLength(runCount + 1);
    expect(report.tables.find(({ table }) => table === 'event')).toMatchObject({ isDamaged: true, rows: 0 });
  });

  test('is recovered up to where the file was truncated', async () => {
    const file = await makeDatabase();
    const pages = statSync(file).size / pageSize;
    truncateSync(file, Math.floor(pages * 0.7) * pageSize + 100);
    const { report } = await salvage(file);
    expect(report.runs).toBeGreaterThan(0);
    expect(report.runs).toBeLessThanOrEqual(runCount + 1);
  });

  test('is read with the valid part of its write-ahead log', async () => {
    const file = await makeDatabase();
    const store = openStore({ file });
    await createOwnedRun(store, { dagRunId: 'in-the-log' });
    await createOwnedRun(store, { dagRunId: 'behind-the-damage' });
    const copy = `${file}.copy`;
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    store.close();
    const { size } = statSync(`${copy}-wal`);
    overwrite(`${copy}-wal`, size - 2000, Buffer.alloc(1000, 3));
    const { runs } = await salvage(copy);
    expect(runs.map(({ dagRunId }) => dagRunId)).toContain('in-the-log');
  });

  test('keeps corrupted text for reading only', async () => {
    const file = await makeDatabase();
    const database = new SqliteDatabase(file);
    database.run("UPDATE spec SET text = replace(text, 'echo', 'rm') WHERE key = 3");
    database.run("UPDATE run SET params = '[{' WHERE key = 4");
    database.close();
    expect(checkDatabase(file)).toEqual(['checksum mismatch in stored workflow 3']);
    const { report, details } = await salvage(file);
    expect(report.textsDamaged).toBe(1);
    const damaged = details.find(({ run }) => run.key === 3)!;
    expect(damaged.spec.text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([]);
    expect(damaged.spec.text).toContain('# steps: [rm 2]');
  });

  test('is rejected when there is nothing to read, and stays unchanged', async () => {
    const file = await makeDatabase();
    overwrite(file, 0, Buffer.alloc(statSync(file).size, 0xee));
    const before = readFileSync(file);
    const error = await thrownBy(() => salvageDatabase(file, `${file}.saved`, 1));
    expect(error).toMatchObject({ code: 'database_corrupt', message: expect.stringContaining('salvage') });
    expect(existsSync(`${file}.saved`)).toBe(false);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
