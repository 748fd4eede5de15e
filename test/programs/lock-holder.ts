/**
 * Holds the write lock of the database in its first argument from the line it prints, until its standard
 * input ends. With a second argument it registers with the home as a host of that kind.
 */
import { writeSync } from 'node:fs';
import { getCurrentProcess } from '../../core/process/process-table.ts';
import type { HostKind } from '../../core/model/run.ts';
import { SqliteDatabase } from '../../core/store/database/sqlite-database.ts';
import { openStore } from '../../core/store/open-store.ts';

const [file, kind] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: lock-holder FILE [KIND]');
if (kind !== undefined) {
  const store = openStore({ file });
  await store.beat({ ...getCurrentProcess(Date.now()), kind: kind as HostKind }, Date.now());
  store.close();
}
const database = new SqliteDatabase(file);
database.configure();
database.execute('BEGIN IMMEDIATE');
writeSync(1, 'locked\n');
process.stdin.resume().on('end', () => database.close());
