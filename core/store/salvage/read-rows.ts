import type { SqlValue } from '../database/database.ts';
import type { SqliteDatabase } from '../database/sqlite-database.ts';

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
