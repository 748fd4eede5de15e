import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { Database, SqlValue } from './database/database.ts';
import {
  addTableRows,
  emptyTables,
  listSharedTables,
  listTables,
  loadWithoutIndexes,
  raiseLastKeys,
  readLastKeys,
  readTableRows,
  type Table,
} from './database/tables.ts';
import { openDatabase } from './open-store.ts';
import { corruptDatabaseError, toSqliteError } from './database/store-error.ts';
import { checkPages } from './check-database.ts';
import { endOpenRuns } from './maintenance-store.ts';
import { migrations } from './database/migrate.ts';

/** A table that was copied; both databases have the same rows. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** Of all values in the order of the key, hexadecimal. */
  readonly sha256: string;
}

const rowsAtOnce = 500;

/**
 * Copies everything from one database to another, of the same or the other kind, in one transaction, and compares both
 * afterwards. Keys and the next generated keys stay the same. The target is unchanged when it throws.
 * @throws AppError `already_exists` when the target is not empty; `database_corrupt` when it differs from the source
 * afterwards
 */
export function transfer(source: Database, target: Database): CopiedTable[] {
  return source.read(() =>
    target.write(() => {
      assertUnused(target);
      emptyTables(target);
      const tables = listSharedTables(source, target);
      const copied = loadWithoutIndexes(target, () =>
        tables.map((table) => copyTable(source, target, table)),
      );
      raiseLastKeys(target, readLastKeys(source));
      for (const table of copied)
        compare(
          target,
          table,
          tables.find(({ name }) => name === table.name)!,
        );
      return copied;
    }),
  );
}

/** Rejects a target that is not empty. An unused database has only the initial rows of its schema. */
function assertUnused(target: Database): void {
  const template = openDatabase(':memory:');
  try {
    const initialCounts = new Map(listTables(template).map(({ name }) => [name, countRows(template, name)]));
    const nonEmpty = listTables(target).find(
      ({ name }) => countRows(target, name) > (initialCounts.get(name) ?? 0),
    );
    if (nonEmpty === undefined) return;
    throw new AppError(
      'already_exists',
      `The database ${target.name} is not empty (table ${nonEmpty.name} has rows). ` +
        'Use another file, database or schema (?schema=…).',
    );
  } finally {
    template.close();
  }
}

const countRows = (database: Database, table: string): number =>
  database.get<{ count: number }>(`SELECT count(*) AS count FROM "${table}"`)!.count;

function copyTable(source: Database, target: Database, table: Table): CopiedTable {
  const hash = createHash('sha256');
  let rows = 0;
  for (const batch of readBatches(source, table)) {
    rows += addTableRows(target, table, batch);
    for (const row of batch) hash.update(rowText(row));
  }
  return { name: table.name, rows, sha256: hash.digest('hex') };
}

function* readBatches(database: Database, table: Table): Generator<SqlValue[][]> {
  let after: SqlValue[] | undefined;
  for (;;) {
    const batch = readTableRows(database, table, after, rowsAtOnce);
    if (batch.length > 0) yield batch;
    if (batch.length < rowsAtOnce) return;
    after = batch.at(-1);
  }
}

function compare(target: Database, { name, rows, sha256 }: CopiedTable, table: Table): void {
  const hash = createHash('sha256');
  let rowCount = 0;
  for (const batch of readBatches(target, table)) {
    for (const row of batch) hash.update(rowText(row));
    rowCount += batch.length;
  }
  if (rowCount === rows && hash.digest('hex') === sha256) return;
  throw target.toDamageError(
    `table ${name} has ${rowCount} rows after copying ${rows}, or different values; the copy was rolled back`,
  );
}

/** Serializes values independently of the kind of database. */
const rowText = (row: readonly SqlValue[]): string =>
  `${JSON.stringify(row.map((value) => (value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value)))}\n`;

/**
 * Turns a copy of a database into an independent one: checked, migrated to the schema of this release, and with all
 * active runs ended.
 * @param at epoch milliseconds
 * @param reason the error of those runs
 * @returns the number of ended runs
 */
export function detachCopy(file: string, at: number, reason: string): number {
  const database = openDatabase(file);
  try {
    const [finding] = checkPages(database, 'integrity_check');
    if (finding !== undefined) throw corruptDatabaseError(file, finding);
    return endOpenRuns(database, at, reason);
  } catch (error) {
    throw toSqliteError(error, file);
  } finally {
    database.close();
    // The backup is the copy to go back to.
    for (const { version } of migrations) rmSync(`${file}.schema-${version}.bak`, { force: true });
  }
}
