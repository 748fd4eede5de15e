import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { nextTick } from '../../base/clock.ts';
import { systemClock } from '../../base/system-clock.ts';
import { AppError } from '../../base/errors.ts';
import { fsyncDir } from '../../process/write-file-durable.ts';
import type { Statement } from '../database/database.ts';
import type { SqliteDatabase } from '../database/sqlite-database.ts';
import { hasTable } from '../database/tables.ts';
import { openDatabase } from '../open-store.ts';
import { isDatabaseInUse } from '../storage.ts';
import { formatRow, parseRow } from './copy-text.ts';
import {
  chunkBytes,
  type CopyEnd,
  type CopyTable,
  quote,
  selectRows,
  type RowChunk,
  type RowRange,
} from './copy-end.ts';

/** References are checked at the end. A commit that a power cut loses is copied again. */
const copyPragmas = `
  PRAGMA foreign_keys = OFF;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -65536;
  PRAGMA wal_autocheckpoint = 10000`;

/** A file. A source is locked for writing; a target gets its name when it is complete. */
export class FileEnd implements CopyEnd {
  readonly name: string;
  readonly database: SqliteDatabase;
  readonly #target: string | undefined;

  private constructor(database: SqliteDatabase, target?: string) {
    this.name = target ?? database.file;
    this.database = database;
    this.#target = target;
  }

  static openSource(file: string): FileEnd {
    const database = openDatabase(file);
    try {
      database.run('BEGIN IMMEDIATE');
      return new FileEnd(database);
    } catch (error) {
      database.close();
      throw database.toStoreError(error);
    }
  }

  /**
   * Opens the file in which the copy is made, which may hold an unfinished one.
   * @throws AppError `still_running` while another copy to it runs
   */
  static openTarget(target: string): FileEnd {
    const file = partialFile(target);
    if (isDatabaseInUse(file))
      throw new AppError('still_running', `Another copy to the database ${target} is running.`);
    if (!hasProgress(file)) removePartialCopy(target);
    const database = openDatabase(file);
    chmodSync(file, 0o600);
    database.execute(copyPragmas);
    return new FileEnd(database, target);
  }

  countRows({ name }: CopyTable): Promise<number> {
    const row = this.database.get<{ count: number }>(`SELECT count(*) AS count FROM ${quote(name)}`);
    return Promise.resolve(row!.count);
  }

  async *read(table: CopyTable, range: RowRange): AsyncGenerator<RowChunk> {
    const { sql, values } = selectRows(table, range);
    let [lines, rows] = ['', 0];
    for (const row of this.database.eachArray(sql, ...values)) {
      lines += formatRow(row, table.kinds);
      rows += 1;
      if (lines.length < chunkBytes) continue;
      yield { data: Buffer.from(lines), rows };
      [lines, rows] = ['', 0];
      // Sent data, signals and progress need the event loop.
      await nextTick(systemClock);
    }
    if (rows > 0) yield { data: Buffer.from(lines), rows };
  }

  async write(table: CopyTable, chunks: AsyncIterable<RowChunk>, last: () => Statement): Promise<void> {
    const { name, columns, kinds } = table;
    const sql = `INSERT INTO ${quote(name)} (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    await this.#transact(async () => {
      for await (const { data } of chunks) {
        const lines = data.toString().split('\n');
        lines.pop();
        for (const line of lines) this.database.run(sql, ...parseRow(line, kinds));
      }
      this.#run(last());
    });
  }

  async execute(statements: readonly Statement[]): Promise<void> {
    await this.#transact(() => {
      for (const statement of statements) this.#run(statement);
      return Promise.resolve();
    });
  }

  async #transact(operation: () => Promise<void>): Promise<void> {
    this.database.run('BEGIN IMMEDIATE');
    try {
      await operation();
      this.database.run('COMMIT');
    } catch (error) {
      this.database.rollBack();
      throw this.database.toStoreError(error);
    }
  }

  #run({ sql, values }: Statement): void {
    if (values.length === 0) this.database.execute(sql);
    else this.database.run(sql, ...values);
  }

  /** Checks the references, and gives the file its name once it is on disk. */
  async finish(endProgress: () => Promise<void>): Promise<void> {
    const { database } = this;
    const target = this.#target!;
    const [broken] = database.all<{ table: string; parent: string }>('PRAGMA foreign_key_check');
    if (broken !== undefined)
      throw database.toDamageError(`a row in ${broken.table} refers to a missing row in ${broken.parent}`);
    await endProgress();
    database.execute('PRAGMA journal_mode = DELETE');
    database.close();
    const file = partialFile(target);
    const descriptor = openSync(file, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(file, target);
    await fsyncDir(path.dirname(target));
  }

  close(): Promise<void> {
    this.database.close();
    return Promise.resolve();
  }
}

/** Whether a file contains an unfinished copy: not if it was interrupted as it began, or before it got its name. */
function hasProgress(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = openDatabase(file);
  try {
    return hasTable(database, 'copy_progress');
  } finally {
    database.close();
  }
}

/** The name of a copy until it is complete. */
const partialFile = (target: string): string => `${target}.part`;

/** Removes an unfinished copy. */
export function removePartialCopy(target: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${partialFile(target)}${end}`, { force: true });
}
