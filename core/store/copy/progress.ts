import { AppError } from '../../base/errors.ts';
import { migrations } from '../database/migrate.ts';
import type { Database, SqlValue, Statement } from '../database/database.ts';
import { emptyTables, hasTable, prepareForRows } from '../database/tables.ts';
import type { CopyEnd, CopyTable } from './copy-end.ts';

/** Rows of a table that the target has. */
export interface CopiedRows {
  readonly rows: number;
  /** Key of the last one. */
  readonly key: readonly SqlValue[];
  /** Of these rows, hexadecimal. */
  readonly sha256: string;
}

/** Progress of a copy, stored in its target. */
export interface SavedProgress {
  /** Name of the source. */
  readonly source: string;
  /** Statements for the indexes, foreign keys and triggers that are still missing. */
  readonly missing: readonly string[];
  readonly tables: ReadonlyMap<string, CopiedRows>;
}

const schemaVersion = migrations.at(-1)!.version;
const tablePrefix = 'table ';

/**
 * Reads the progress of an unfinished copy; undefined when the database is no target of a copy.
 * @throws AppError `already_exists` when the copy is of another source or release
 */
export function readProgress(target: CopyEnd, source: CopyEnd): SavedProgress | undefined {
  const { database, name } = target;
  if (!hasTable(database, 'copy_progress')) return undefined;
  const rows = database.all<{ name: string; value: string }>('SELECT name, value FROM copy_progress');
  const values = new Map(rows.map((row) => [row.name, JSON.parse(row.value) as unknown]));
  if (values.get('source') !== source.name || values.get('schema') !== schemaVersion)
    throw new AppError(
      'already_exists',
      `The database ${name} contains an unfinished copy of ${String(values.get('source'))}. ` +
        'Finish it with the release and source that it was started with, or use another file or schema (?schema=…).',
    );
  return {
    source: source.name,
    missing: values.get('missing') as string[],
    tables: new Map(
      [...values].flatMap(([key, value]) =>
        key.startsWith(tablePrefix) ? [[key.slice(tablePrefix.length), value as CopiedRows]] : [],
      ),
    ),
  };
}

/** Makes an unused database the target of a copy. */
export function beginProgress({ database }: CopyEnd, source: CopyEnd): SavedProgress {
  return database.write(() => {
    const missing = prepareForRows(database);
    database.execute('CREATE TABLE copy_progress (name text PRIMARY KEY, value text NOT NULL)');
    for (const [name, value] of [
      ['source', source.name],
      ['schema', schemaVersion],
      ['missing', missing],
    ] as const)
      save(database, name, value);
    return { source: source.name, missing, tables: new Map() };
  });
}

/** Removes all copied rows. */
export async function restartProgress(
  { database }: CopyEnd,
  progress: SavedProgress,
): Promise<SavedProgress> {
  await database.perform(() =>
    database.write(() => {
      emptyTables(database);
      database.run("DELETE FROM copy_progress WHERE name LIKE 'table %'");
    }),
  );
  return { ...progress, tables: new Map() };
}

const saveSql = /* sql */ `
  INSERT INTO copy_progress (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

const save = (database: Database, name: string, value: unknown): void =>
  void database.run(saveSql, name, JSON.stringify(value));

/** Returns the statement that saves the progress of a table. */
export const saveTable = ({ name }: CopyTable, copied: CopiedRows): Statement => ({
  sql: saveSql,
  values: [`${tablePrefix}${name}`, JSON.stringify(copied)],
});

/** Returns the statement that saves what is missing. */
export const saveMissing = (missing: readonly string[]): Statement => ({
  sql: saveSql,
  values: ['missing', JSON.stringify(missing)],
});
