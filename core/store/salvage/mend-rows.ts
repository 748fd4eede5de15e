import type { SqliteDatabase } from '../database/sqlite-database.ts';
import { hashSpec } from '../runs/changes/create-run.ts';

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
    saveText(database, key, `# The source of this workflow (${key}) was lost on disk.\n`);
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
