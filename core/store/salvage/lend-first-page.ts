import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { migrate } from '../database/migrate.ts';
import { migrations } from '../database/migrations/migrations.ts';

const pageSize = 4096;

/**
 * Copies the start of a new database, with the schema, to a copy of a damaged one: the root pages of the tables are at
 * the same places in every database of this schema. The rows that become readable are checked one by one. Offsets:
 * https://www.sqlite.org/fileformat2.html section 1.3.
 */
export function replaceHeaderPage(copy: string): void {
  const template = `${copy}.template`;
  const schemaPages = createTemplate(template);
  const bytes = readFileSync(template);
  rmSync(template);
  const descriptor = openSync(copy, 'r+');
  try {
    const pages = Math.max(1, Math.floor(fstatSync(descriptor).size / pageSize));
    const first = Buffer.from(bytes.subarray(0, pageSize));
    const counter = Buffer.alloc(4);
    readSync(descriptor, counter, 0, 4, 24);
    first.writeUInt32BE(pages, 28);
    // No free pages: a wrong list of them would be worse than none.
    first.writeUInt32BE(0, 32);
    first.writeUInt32BE(0, 36);
    for (const offset of [24, 92]) counter.copy(first, offset);
    writeSync(descriptor, first, 0, pageSize, 0);
    for (const page of schemaPages) {
      const start = (page - 1) * pageSize;
      if (page > 1) writeSync(descriptor, bytes, start, pageSize, start);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a new database; returns the numbers of the pages that describe its tables. */
function createTemplate(file: string): number[] {
  rmSync(file, { force: true });
  const database = new SqliteDatabase(file);
  database.configure();
  migrate(database, migrations);
  const pages = database.all<{ pageno: number }>("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'");
  database.execute('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return pages.map(({ pageno }) => pageno);
}
