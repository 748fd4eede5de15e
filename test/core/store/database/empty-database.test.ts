import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { homePaths } from '../../../../core/home/config/home.ts';
import type { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { listTables } from '../../../../core/store/database/tables.ts';
import { openDatabase } from '../../../../core/store/open-store.ts';
import { openEmptyDatabase, placeEmptyDatabase } from '../../../harness/empty-database.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** Everything in a database, and what identifies its schema. */
function describeContents(database: SqliteDatabase): object {
  const contents = {
    schema: database.all(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2",
    ),
    rows: listTables(database).map(({ name }) => [name, database.all(`SELECT * FROM "${name}"`)]),
    pragmas: ['user_version', 'application_id', 'auto_vacuum', 'foreign_keys'].map((name) =>
      database.pragma(name),
    ),
  };
  database.close();
  return contents;
}

// Nearly all other tests start from one of these instead of migrating a new database.
it('is what all migrations make of a new database', () => {
  const migrated = describeContents(openDatabase(`${makeTemporaryFolder()}/engine.db`));
  const home = makeTemporaryFolder();
  placeEmptyDatabase(home);
  const { database } = homePaths(home);
  expect(existsSync(`${database}-wal`)).toBe(false);
  expect(describeContents(openDatabase(database))).toEqual(migrated);
  expect(describeContents(openEmptyDatabase())).toEqual({
    ...migrated,
    pragmas: describeContents(openDatabase(':memory:'))['pragmas' as never],
  });
});
