import {
  copyFileSync,
  constants,
  existsSync,
  rmSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { SqlValue } from './database/database.ts';
import { SqliteDatabase } from './database/sqlite-database.ts';
import { migrate, newerDatabaseError, migrations } from './database/migrate.ts';
import { corruptDatabaseError, toSqliteError } from './database/store-error.ts';
import { checkPages, knownSchema } from './check-database.ts';
import { endOpenRuns } from './maintenance-store.ts';
import {
  repairRows,
  type RepairReport,
  readByRun,
  readFromEnds,
  readKeyedRows,
  type ReadTableContext,
} from './salvage-rows.ts';

/** The recovered rows of one table. */
export interface SavedTable {
  readonly table: string;
  readonly rows: number;
  /** The original number of rows, when it could be counted by an index. */
  readonly expected?: number;
  /** Whether a part of it could not be read. */
  readonly isDamaged: boolean;
}

/** The recovered content of a database. */
export interface SalvageReport extends RepairReport {
  readonly tables: readonly SavedTable[];
  readonly runs: number;
  /** Runs that were active; they count as aborted now. */
  readonly runsEnded: number;
  /** Whether the schema was unreadable and that of a new database was used. */
  readonly usedNewHeader: boolean;
}

const lostReason = 'The database was damaged and recovered. The final status of the run is unknown.';

/**
 * Writes what can be read of a damaged database to a new one, table by table and, around unreadable places, row by row.
 * The damaged files stay unchanged.
 * @param target must not exist; complete, consistent and synced to disk afterwards
 * @param at epoch milliseconds; end time of runs that were active
 */
export function salvageDatabase(file: string, target: string, at: number): SalvageReport {
  const copy = `${target}.copy`;
  const leftovers = ['', '-wal', '-shm'].flatMap((suffix) => [copy + suffix, target + suffix]);
  try {
    for (const leftover of leftovers) rmSync(leftover, { force: true });
    const { source, usedNewHeader } = openDamaged(file, copy);
    try {
      const saved = save(source, target, at);
      if (saved.runs === 0 && saved.tables.some(({ isDamaged }) => isDamaged))
        throw corruptDatabaseError(file, 'no runs are readable');
      return { ...saved, usedNewHeader };
    } finally {
      source.close();
    }
  } catch (error) {
    for (const leftover of leftovers) rmSync(leftover, { force: true });
    throw toSqliteError(error, target);
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
  }
}

/**
 * Opens a copy, because SQLite changes a file when it opens it with its log.
 * @throws `database_corrupt` when all attempts fail
 */
function openDamaged(file: string, copy: string): { source: SqliteDatabase; usedNewHeader: boolean } {
  const preparations = [() => {}, () => replaceHeaderPage(copy)];
  let reason: unknown;
  for (const [attempt, prepare] of preparations.entries()) {
    for (const suffix of ['', '-wal']) {
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    }
    rmSync(`${copy}-shm`, { force: true });
    prepare();
    const source = new SqliteDatabase(copy);
    try {
      const version = source.pragma('user_version');
      if (version > knownSchema) throw newerDatabaseError(file, version, knownSchema);
      // The schema is read with the first statement on one of the tables.
      source.all("SELECT name FROM sqlite_schema WHERE name = 'run' AND type = 'table'");
      if (version > 0 && canBegin(source)) return { source, usedNewHeader: attempt > 0 };
      source.close();
    } catch (error) {
      source.close();
      if (error instanceof AppError) throw error;
      reason = error;
    }
  }
  throw corruptDatabaseError(file, 'nothing is readable', reason);
}

/** Whether the schema is readable, whatever state the rows are in. */
function canBegin(source: SqliteDatabase): boolean {
  const tables = source.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = tables.map(({ name }) => name);
  return ['run', 'spec', 'step', 'attempt', 'event'].every((name) => names.includes(name));
}

function save(source: SqliteDatabase, file: string, at: number): Omit<SalvageReport, 'usedNewHeader'> {
  const version = source.pragma('user_version');
  const target = new SqliteDatabase(file);
  try {
    target.configure();
    migrate(
      target,
      migrations.filter((migration) => migration.version <= version),
    );
    target.execute('PRAGMA foreign_keys = OFF');
    const { tables, repairs } = target.write(() => ({
      tables: saveTables(source, target),
      repairs: repairRows(target),
    }));
    target.execute('PRAGMA foreign_keys = ON');
    migrate(target, migrations);
    rmSync(`${file}.schema-${version}.bak`, { force: true });
    const runsEnded = endOpenRuns(target, at, lostReason);
    const runs = Number(target.get('SELECT count(*) AS count FROM run')!['count']);
    const findings = [...checkPages(target, 'integrity_check'), ...target.all('PRAGMA foreign_key_check')];
    if (findings.length > 0)
      throw new Error(`the recovered database is damaged: ${JSON.stringify(findings[0])}`);
    target.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    return { tables, ...repairs, runs, runsEnded };
  } finally {
    target.close();
  }
}

interface TableInfo {
  readonly name: string;
  /** WITHOUT ROWID. */
  readonly wr: number;
}

/** Runs first: the rows of other tables are searched by run. */
function saveTables(source: SqliteDatabase, target: SqliteDatabase): SavedTable[] {
  const tables = target
    .all<TableInfo & { type: string }>('PRAGMA table_list')
    .filter(({ name, type }) => type === 'table' && !name.startsWith('sqlite_'))
    .sort((a, b) => Number(b.name === 'run') - Number(a.name === 'run') || a.name.localeCompare(b.name));
  return tables.map((table) => saveTable(source, target, table));
}

function saveTable(source: SqliteDatabase, target: SqliteDatabase, { name, wr }: TableInfo): SavedTable {
  const columns = target.all<{ name: string; pk: number }>(`PRAGMA table_info("${name}")`);
  const list = columns.map((column) => `"${column.name}"`).join(', ');
  const insert = `INSERT OR IGNORE INTO "${name}" (${list}) VALUES (${columns.map(() => '?').join(', ')})`;
  let rows = 0;
  let hasFailed = false;
  const reading: ReadTableContext = {
    database: source,
    table: name,
    columns: list,
    onRow(row) {
      try {
        rows += target.run(insert, ...columns.map((column) => row[column.name] as SqlValue)).changes;
      } catch {
        // A value of the wrong type for its column: the page has other content than it should.
        hasFailed = true;
      }
    },
  };
  const isDamaged = readTable(reading, { columns, wr, target }) || hasFailed;
  return { table: name, rows, expected: isDamaged ? countRows(source, name) : rows, isDamaged };
}

function readTable(
  reading: ReadTableContext,
  tableInfo: { columns: readonly { name: string; pk: number }[]; wr: number; target: SqliteDatabase },
): boolean {
  const { columns, wr, target } = tableInfo;
  if (wr === 0) return readKeyedRows(reading);
  if (columns[0]!.name !== 'run_key') {
    const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    return readFromEnds(
      reading,
      keys.map((column) => column.name),
    );
  }
  const runs = target.all<{ key: number }>('SELECT key FROM run ORDER BY key');
  return readByRun(
    reading,
    runs.map(({ key }) => key),
  );
}

/** Counts by an index, when a readable one exists. */
function countRows(source: SqliteDatabase, table: string): number | undefined {
  try {
    return Number(source.get(`SELECT count(*) AS count FROM "${table}"`)!['count']);
  } catch {
    return undefined;
  }
}

const pageSize = 4096;

/**
 * Copies the start of a new database, with the schema, to a copy of a damaged one: the root pages of the tables are at
 * the same places in every database of this schema. The rows that become readable are checked one by one. Offsets:
 * https://www.sqlite.org/fileformat2.html section 1.3.
 */
function replaceHeaderPage(copy: string): void {
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
