import { createHash, type Hash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Database, SqlValue, Statement } from '../database/database.ts';
import {
  listListColumns,
  listSharedTables,
  listTables,
  raiseLastKeys,
  readLastKeys,
  type Table,
} from '../database/tables.ts';
import { openDatabase } from '../open-store.ts';
import { type CopyEnd, type CopyTable, quote, readLastKey, type RowChunk } from './copy-end.ts';
import type { ColumnKind } from './copy-text.ts';
import {
  beginProgress,
  readProgress,
  restartProgress,
  saveMissing,
  type SavedProgress,
  saveTable,
} from './progress.ts';

/** A table that was copied; both databases have the same rows. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** Of all rows in the order of the key, hexadecimal. */
  readonly sha256: string;
}

/** `check` compares rows of an interrupted copy with the source, `index` counts indexes, the others rows. */
export type CopyPhase = 'check' | 'copy' | 'index' | 'verify';

export interface CopyOptions {
  /** Called after each part of a phase. */
  readonly onProgress?: (phase: CopyPhase, done: number, total: number) => void;
  /** Stops the copy; it can be continued. */
  readonly signal?: AbortSignal;
  /** Called before the copy is declared complete; rejects when the source has changed. */
  readonly beforeFinish?: () => Promise<void>;
}

export interface CopyResult {
  readonly tables: readonly CopiedTable[];
  /** Rows that an interrupted copy had copied. */
  readonly resumedRows: number;
  /** Whether it started over, because the source has changed since then. */
  readonly isRestarted: boolean;
}

/** Rows of one transaction: about a second. */
const rowsAtOnce = 20_000;

/**
 * Copies everything from one database to another, of the same or the other kind, and compares both afterwards. Keys and
 * the next generated keys stay the same. Progress is saved with the rows, so an interrupted copy is continued by the
 * next one; it starts over if the source has changed.
 * @throws AppError `already_exists` when the target is not empty; `database_corrupt` when it differs from the source
 * afterwards
 */
export async function copyRows(
  source: CopyEnd,
  target: CopyEnd,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const { database } = target;
  const tables = await listCopyTables(source.database, database);
  let progress = await database.perform(() => readProgress(target, source));
  if (progress === undefined) await assertUnused(database);
  progress ??= await database.perform(() => beginProgress(target, source));
  const counter = new Counter(options);
  let hashes = await checkCopied(source, tables, progress, counter);
  const isRestarted = hashes === undefined;
  if (hashes === undefined) {
    progress = await restartProgress(target, progress);
    hashes = new Map();
  }
  const resumedRows = sum([...progress.tables.values()].map(({ rows }) => rows));
  let total = 0;
  for (const table of tables) total += await source.countRows(table);
  counter.begin('copy', total, resumedRows);
  const copied: CopiedTable[] = [];
  for (const table of tables)
    copied.push(await copyTable({ source, target, table, progress, counter, hash: hashes.get(table.name) }));
  await createMissing(target, progress.missing, counter);
  counter.begin('verify', total);
  for (const [index, table] of tables.entries())
    if (!(await isEqual(target, table, copied[index]!, counter))) {
      await restartProgress(target, progress);
      throw differenceError(target, table);
    }
  await options.beforeFinish?.();
  failPoint('copy.verified');
  const lastKeys = await source.database.perform(() => readLastKeys(source.database));
  const endProgress = (): Promise<void> =>
    database.perform(() =>
      database.write(() => {
        raiseLastKeys(database, lastKeys);
        database.execute('DROP TABLE copy_progress');
      }),
    );
  await target.finish(endProgress);
  return { tables: copied, resumedRows, isRestarted };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((left, right) => left + right, 0);

/** Counts and reports what is done. */
class Counter {
  readonly #options: CopyOptions;
  #phase: CopyPhase = 'check';
  #done = 0;
  #total = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  begin(phase: CopyPhase, total: number, done = 0): void {
    [this.#phase, this.#total, this.#done] = [phase, total, done];
    this.add(0);
  }

  /** Throws the reason of the signal when the copy was stopped. */
  add(count: number): void {
    this.#done += count;
    this.#options.signal?.throwIfAborted();
    this.#options.onProgress?.(this.#phase, this.#done, this.#total);
  }
}

const describeTables = (database: Database) =>
  database.perform(() => ({ tables: listTables(database), lists: listListColumns(database) }));

/** Lists the tables that both have, with the kinds of their columns. */
async function listCopyTables(source: Database, target: Database): Promise<CopyTable[]> {
  const [from, to] = await Promise.all([source, target].map(describeTables));
  const template = openDatabase(':memory:');
  try {
    const types = new Map(
      template
        .all<{ name: string; type: string }>(
          `SELECT t.name || '.' || c.name AS name, c.type AS type FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
          WHERE t.type = 'table'`,
        )
        .map(({ name, type }) => [name, type.toLowerCase() as ColumnKind]),
    );
    const lists = new Set([...from!.lists, ...to!.lists]);
    const kindOf = (table: Table, column: string): ColumnKind => {
      const name = `${table.name}.${column}`;
      return lists.has(name) ? 'list' : types.get(name)!;
    };
    return listSharedTables(from!.tables, to!.tables).map((table) => ({
      ...table,
      kinds: table.columns.map((column) => kindOf(table, column)),
    }));
  } finally {
    template.close();
  }
}

/** Rejects a target that is not empty. An unused database has only the initial rows of its schema. */
export async function assertUnused(database: Database): Promise<void> {
  const template = openDatabase(':memory:');
  try {
    const initialCounts = new Map(
      listTables(template).map((table) => [table.name, countUpTo(template, table.name, 1000)]),
    );
    const nonEmpty = await database.perform(() =>
      listTables(database).find((table) => {
        const initial = initialCounts.get(table.name) ?? 0;
        return countUpTo(database, table.name, initial + 1) > initial;
      }),
    );
    if (nonEmpty === undefined) return;
    throw new AppError(
      'already_exists',
      `The database ${database.name} is not empty (table ${nonEmpty.name} has rows). ` +
        'Use another file, database or schema (?schema=…).',
    );
  } finally {
    template.close();
  }
}

const countUpTo = (database: Database, table: string, limit: number): number =>
  database.get<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${quote(table)} LIMIT ?) AS found`,
    limit,
  )!.count;

/**
 * Compares the source with the rows that an interrupted copy has copied.
 * @returns the hashes of these rows; undefined when the source has changed
 */
async function checkCopied(
  source: CopyEnd,
  tables: readonly CopyTable[],
  { tables: saved }: SavedProgress,
  counter: Counter,
): Promise<Map<string, Hash> | undefined> {
  if (saved.size > 0) counter.begin('check', sum([...saved.values()].map(({ rows }) => rows)));
  const hashes = new Map<string, Hash>();
  for (const table of tables) {
    const copied = saved.get(table.name);
    if (copied === undefined) continue;
    const hash = createHash('sha256');
    let count = 0;
    for await (const { data, rows } of source.read(table, { upTo: copied.key })) {
      hash.update(data);
      count += rows;
      counter.add(rows);
    }
    if (count !== copied.rows || hash.copy().digest('hex') !== copied.sha256) return undefined;
    hashes.set(table.name, hash);
  }
  return hashes;
}

interface TableCopy {
  readonly source: CopyEnd;
  readonly target: CopyEnd;
  readonly table: CopyTable;
  readonly progress: SavedProgress;
  readonly counter: Counter;
  /** Of the rows that the target has. */
  readonly hash: Hash | undefined;
}

/** Copies the rows after the saved ones. The server works while the next rows are read. */
async function copyTable({ source, target, table, progress, counter, ...saved }: TableCopy) {
  const { name } = table;
  const hash = saved.hash ?? createHash('sha256');
  const before = progress.tables.get(name);
  let rows = before?.rows ?? 0;
  let key: readonly SqlValue[] = before?.key ?? [];
  const chunks = source.read(table, { after: before?.key })[Symbol.asyncIterator]();
  let next = await chunks.next();
  const readBatch = async function* (limit: number): AsyncGenerator<RowChunk> {
    for (; next.done !== true && rows < limit; next = await chunks.next()) {
      const chunk = next.value;
      hash.update(chunk.data);
      rows += chunk.rows;
      key = readLastKey(table, chunk);
      yield chunk;
      counter.add(chunk.rows);
    }
  };
  const save = (): Statement => {
    failPoint('copy.rows');
    return saveTable(table, { rows, key, sha256: hash.copy().digest('hex') });
  };
  try {
    while (next.done !== true) await target.write(table, readBatch(rows + rowsAtOnce), save);
  } finally {
    await chunks.return?.();
  }
  return { name, rows, sha256: hash.digest('hex') };
}

/** Creates indexes and triggers, and verifies foreign keys. */
async function createMissing(target: CopyEnd, missing: readonly string[], counter: Counter): Promise<void> {
  counter.begin('index', missing.length);
  for (const [index, sql] of missing.entries()) {
    await target.execute([{ sql, values: [] }, saveMissing(missing.slice(index + 1))]);
    failPoint('copy.indexed');
    counter.add(1);
  }
}

/** Whether the target has the rows that were copied. */
async function isEqual(
  target: CopyEnd,
  table: CopyTable,
  copied: CopiedTable,
  counter: Counter,
): Promise<boolean> {
  const hash = createHash('sha256');
  let rowCount = 0;
  for await (const { data, rows } of target.read(table, {})) {
    hash.update(data);
    rowCount += rows;
    counter.add(rows);
  }
  return rowCount === copied.rows && hash.digest('hex') === copied.sha256;
}

const differenceError = ({ name }: CopyEnd, table: CopyTable): AppError =>
  new AppError(
    'database_corrupt',
    `Table ${table.name} of ${name} differs from the rows that were copied to it. ` +
      'The copied rows were removed; run the command again.',
  );
