import type { SqlValue } from './database/database.ts';
import type { SqliteDatabase } from './database/sqlite-database.ts';
import { hashSpec } from './runs/create-run.ts';

/** A row as the values of its columns, in their order. */
export type RowValues = Record<string, SqlValue>;

/** Keys tried one by one after an unreadable place: more than a few pages can contain. */
const maxSingleProbes = 5000;

/** Higher than any key. */
const maxRowid = 2 ** 50;

/** How to read a table that may be damaged. */
export interface ReadTableContext {
  readonly database: SqliteDatabase;
  readonly table: string;
  /** The columns, quoted and separated by commas. */
  readonly columns: string;
  /** Receives every readable row; some of them more than once. */
  onRow(row: RowValues): void;
}

/**
 * Reads a table with a row id past its unreadable places: forwards from the start, over each unreadable place to the
 * next readable key, then backwards from the end.
 * @returns whether there was an unreadable place
 */
export function readKeyedRows(reading: ReadTableContext): boolean {
  let last = 0;
  const onRow = (row: RowValues): void => {
    last = Math.max(last, Number(row['__rowid']));
    const { __rowid: _, ...values } = row;
    reading.onRow(values);
  };
  const keyed = { ...reading, columns: `rowid AS __rowid, ${reading.columns}`, onRow };
  if (scan(keyed, 'WHERE rowid > ? ORDER BY rowid', 0)) return !readEarlier(keyed);
  for (;;) {
    const next = findNext(keyed, last);
    if (next === undefined) break;
    last = Math.max(last, next);
    if (scan(keyed, 'WHERE rowid > ? ORDER BY rowid', next)) break;
  }
  scan(keyed, 'ORDER BY rowid DESC');
  readEarlier(keyed);
  return true;
}

/** Reads any table from both of its ends until an unreadable place. Returns whether there was one. */
export function readFromEnds(reading: ReadTableContext, keyColumns: readonly string[]): boolean {
  const list = (direction: string): string => keyColumns.map((name) => `"${name}" ${direction}`).join(', ');
  if (scan(reading, `ORDER BY ${list('ASC')}`)) return false;
  scan(reading, `ORDER BY ${list('DESC')}`);
  return true;
}

/** Reads the rows of each run separately. Returns whether some were unreadable. */
export function readByRun(reading: ReadTableContext, runKeys: readonly number[]): boolean {
  let isDamaged = false;
  for (const key of runKeys) isDamaged = !scan(reading, 'WHERE run_key = ?', key) || isDamaged;
  return isDamaged;
}

/** Reads the rows of migrated runs, whose keys are below 1. */
const readEarlier = (reading: ReadTableContext): boolean =>
  scan(reading, 'WHERE rowid < 1 ORDER BY rowid DESC');

/** Reads a selection; returns whether all rows were readable. */
function scan(
  { database, table, columns, onRow }: ReadTableContext,
  selection: string,
  ...values: number[]
): boolean {
  try {
    for (const row of database.each<RowValues>(`SELECT ${columns} FROM "${table}" ${selection}`, ...values))
      onRow(row);
    return true;
  } catch {
    return false;
  }
}

/** Returns the last key before the next readable one after `last`; undefined when none follows. */
function findNext(reading: ReadTableContext, last: number): number | undefined {
  const { database, table, columns, onRow } = reading;
  const sql = `SELECT ${columns} FROM "${table}" WHERE rowid = ?`;
  let wasReadable = 0;
  for (let key = last + 1; key <= last + maxSingleProbes; key += 1) {
    try {
      const row = database.get<RowValues>(sql, key);
      if (row !== undefined) onRow(row);
      wasReadable += 1;
      // A single key between two unreadable ones does not mean that the unreadable place has ended.
      if (wasReadable === 2) return key;
    } catch {
      wasReadable = 0;
    }
  }
  return findFarther(reading, last + maxSingleProbes);
}

function findFarther(reading: ReadTableContext, from: number): number | undefined {
  let unreadable = from;
  let distance = maxSingleProbes;
  while (!canReadAfter(reading, unreadable + distance)) {
    unreadable += distance;
    distance *= 2;
    if (unreadable > maxRowid) return undefined;
  }
  let readable = unreadable + distance;
  while (readable - unreadable > 1) {
    const middle = Math.floor((readable + unreadable) / 2);
    if (canReadAfter(reading, middle)) readable = middle;
    else unreadable = middle;
  }
  return readable;
}

function canReadAfter({ database, table }: ReadTableContext, key: number): boolean {
  try {
    database.get(`SELECT * FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT 1`, key);
    return true;
  } catch {
    return false;
  }
}

/** Changes that were necessary to make the readable rows consistent. */
export interface RepairReport {
  /** Missing workflow sources, and sources that differ from their checksum and are saved as comments. */
  readonly textsLost: number;
  readonly textsDamaged: number;
  /** Rows that belonged to lost ones. */
  readonly rowsDropped: number;
}

/** Makes a database consistent whose rows come from a damaged one. Foreign keys must not be enforced meanwhile. */
export function repairRows(database: SqliteDatabase): RepairReport {
  const textsDamaged = commentOutDamagedTexts(database);
  const textsLost = replaceLostTexts(database);
  repairValues(database);
  detachRuns(database);
  discardCounts(database);
  return { textsDamaged, textsLost, rowsDropped: dropOrphans(database) };
}

function commentOutDamagedTexts(database: SqliteDatabase): number {
  const specs = database.all<{ key: number; sha256: string; text: string }>('SELECT * FROM spec');
  const damaged = specs.filter(({ text, sha256 }) => hashSpec(text) !== sha256);
  for (const { key, text } of damaged) {
    const commented = text.replaceAll(/^/gm, '# ');
    saveText(database, key, `# This source (${key}) was damaged on disk. For reference only.\n${commented}`);
  }
  return damaged.length;
}

function replaceLostTexts(database: SqliteDatabase): number {
  const lost = database.all<{ key: number }>(
    'SELECT DISTINCT spec_key AS key FROM run WHERE spec_key NOT IN (SELECT key FROM spec)',
  );
  for (const { key } of lost)
    saveText(database, key, `# The source of this workflow (${key}) could not be recovered.\n`);
  return lost.length;
}

const saveText = (database: SqliteDatabase, key: number, text: string): void =>
  void database.run(
    'INSERT OR REPLACE INTO spec (key, sha256, text) VALUES (?, ?, ?)',
    key,
    hashSpec(text),
    text,
  );

/** Repairs values that should be JSON but are not valid any more. */
function repairValues(database: SqliteDatabase): void {
  database.execute(/* sql */ `
    UPDATE run SET params = '[]' WHERE NOT json_valid(params);
    UPDATE run SET outputs = '{}' WHERE NOT json_valid(outputs);
    UPDATE step SET output_name = NULL, output_value = NULL WHERE output_value IS NOT NULL AND NOT json_valid(output_value);
    DELETE FROM event WHERE NOT json_valid(data);`);
}

/** Turns sub-runs whose parent is lost into top-level runs. */
function detachRuns(database: SqliteDatabase): void {
  const lost = (column: string, table: string): string =>
    `${column} IS NOT NULL AND ${column} NOT IN (SELECT key FROM ${table})`;
  database.execute(/* sql */ `
    UPDATE run SET parent_key = NULL, parent_step = NULL, root_key = NULL, is_sub = 0 WHERE ${lost('parent_key', 'run')};
    UPDATE run SET root_key = NULL WHERE ${lost('root_key', 'run')};`);
  const columns = database.all<{ name: string }>('PRAGMA table_info(run)').map(({ name }) => name);
  if (columns.includes('base_key'))
    database.run(`UPDATE run SET base_key = NULL WHERE ${lost('base_key', 'spec')}`);
  if (columns.includes('owner_key'))
    database.run(`UPDATE run SET owner_key = NULL WHERE ${lost('owner_key', 'host')}`);
  const attemptColumns = database.all<{ name: string }>('PRAGMA table_info(attempt)');
  if (attemptColumns.some(({ name }) => name === 'spec_key'))
    database.run(`UPDATE attempt SET spec_key = NULL WHERE ${lost('spec_key', 'spec')}`);
}

/** Runs may be missing: the next long-running host counts them again. */
function discardCounts(database: SqliteDatabase): void {
  const counts = "SELECT 1 FROM sqlite_schema WHERE name = 'run_outcome_count'";
  if (database.get(counts) === undefined) return;
  database.execute('DELETE FROM run_outcome_count');
  database.run('UPDATE run_outcome_progress SET counted_from = ?', Number.MAX_SAFE_INTEGER);
}

/** Removes rows that refer to missing rows, until there are none. */
function dropOrphans(database: SqliteDatabase): number {
  let dropped = 0;
  for (;;) {
    const before = dropped;
    for (const { table, parent, pairs } of listReferences(database)) {
      const isSet = pairs.map(({ from }) => `"${table}"."${from}" IS NOT NULL`).join(' AND ');
      const joinCondition = pairs
        .map(({ from, to }) => `parent."${to}" = "${table}"."${from}"`)
        .join(' AND ');
      dropped += database.run(
        `DELETE FROM "${table}" WHERE ${isSet} AND NOT EXISTS (SELECT 1 FROM "${parent}" parent WHERE ${joinCondition})`,
      ).changes;
    }
    if (dropped === before) return dropped;
  }
}

interface Reference {
  readonly table: string;
  readonly parent: string;
  readonly pairs: readonly { readonly from: string; readonly to: string }[];
}

function listReferences(database: SqliteDatabase): Reference[] {
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  return tables.flatMap(({ name }) => {
    const rows = database.all<{ id: number; table: string; from: string; to: string }>(
      `PRAGMA foreign_key_list("${name}")`,
    );
    return [...Map.groupBy(rows, ({ id }) => id).values()].map((pairs) => ({
      table: name,
      parent: pairs[0]!.table,
      pairs: pairs.map(({ from, to }) => ({ from, to })),
    }));
  });
}
