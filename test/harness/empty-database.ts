import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { homePaths } from '../../core/home/config/home.ts';
import { SqliteDatabase } from '../../core/store/database/sqlite-database.ts';
import { openDatabase } from '../../core/store/open-store.ts';
import { makeTemporaryFolder } from './resources.ts';

let template: string | undefined;
let schema: string | undefined;

/** A folder of the test that is a new home with a database. */
export function makeEngineHome(): string {
  const home = makeTemporaryFolder();
  placeEmptyDatabase(home);
  return home;
}

/** Gives a new home its database: a copy, which takes a tenth of the time of all migrations. */
export function placeEmptyDatabase(home: string): void {
  const { database } = homePaths(home);
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  copyFileSync((template ??= makeTemplate()), database);
  chmodSync(database, 0o600);
}

function makeTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-template-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'engine.db');
  openDatabase(file).close();
  return file;
}

/** Opens an empty database in memory, whose tables are created as they are after all migrations. */
export function openEmptyDatabase(): SqliteDatabase {
  const database = new SqliteDatabase(':memory:');
  database.configure();
  database.write(() => database.execute((schema ??= describeSchema())));
  return database;
}

function describeSchema(): string {
  const migrated = openDatabase(':memory:');
  const objects = migrated.all<{ name: string; type: string; sql: string }>(
    "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  const rows = objects
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) => migrated.all(`SELECT * FROM "${name}"`).map((row) => insertText(name, row)));
  const pragmas = ['user_version', 'application_id'].map(
    (name) => `PRAGMA ${name} = ${migrated.pragma(name)}`,
  );
  migrated.close();
  return [...objects.map(({ sql }) => sql), ...rows, ...pragmas].join(';\n');
}

/** The few rows of a new database contain numbers only. */
const insertText = (table: string, row: object): string =>
  `INSERT INTO "${table}" VALUES (${Object.values(row).map(Number).join(', ')})`;
