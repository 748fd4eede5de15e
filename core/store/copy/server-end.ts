import { AppError } from '../../base/errors.ts';
import type { Statement } from '../database/database.ts';
import { listTables } from '../database/tables.ts';
import { migrations } from '../database/migrate.ts';
import { openPostgres, readPostgresUrl } from '../postgres/open-postgres.ts';
import { unusableServerError } from '../postgres/postgres-error.ts';
import type { PostgresDatabase } from '../postgres/postgres-database.ts';
import { translate } from '../postgres/translate.ts';
import { CopyClient, inlineValues } from './copy-client.ts';
import { type CopyEnd, type CopyTable, quote, selectRows, type RowChunk, type RowRange } from './copy-end.ts';

const isCopyingSql = /* sql */ `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked`;
const foreignTableSql = /* sql */ `
  SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())
    AND NOT pg_has_role(relowner, 'USAGE') LIMIT 1`;

/** A schema of a server. A source is read as of one moment. */
export class ServerEnd implements CopyEnd {
  readonly name: string;
  readonly database: PostgresDatabase;
  readonly #client: CopyClient;

  private constructor(database: PostgresDatabase, client: CopyClient) {
    this.name = database.name;
    this.database = database;
    this.#client = client;
  }

  static openSource(url: string): Promise<ServerEnd> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1';
    return ServerEnd.#open(openPostgres(url, migrations), url, (client) => client.execute(begin));
  }

  /**
   * Opens a target, which may hold an unfinished copy.
   * @throws AppError `still_running` while another copy to it runs, `home_unusable` when its tables cannot be changed
   */
  static openTarget(url: string): Promise<ServerEnd> {
    const database = openPostgres(url, migrations, { isCopyTarget: true });
    return ServerEnd.#open(database, url, async (client) => {
      const { name, schema } = database;
      const [lock] = await client.all<{ locked: number }>(isCopyingSql, [`stepwright copy to ${schema}`]);
      if (lock?.locked !== 1)
        throw new AppError('still_running', `Another copy to the database ${name} is running.`);
      const [foreign] = await client.all<{ name: string }>(foreignTableSql);
      if (foreign === undefined) return;
      throw unusableServerError(
        name,
        `its user does not own the table ${foreign.name}; make it the owner of all tables of schema ${schema}, or use another schema`,
      );
    });
  }

  static async #open(
    database: PostgresDatabase,
    url: string,
    begin: (client: CopyClient) => Promise<void>,
  ): Promise<ServerEnd> {
    let client: CopyClient | undefined;
    try {
      await database.perform(() => undefined);
      client = await CopyClient.connect(readPostgresUrl(url));
      await begin(client);
      return new ServerEnd(database, client);
    } catch (error) {
      await client?.close();
      database.close();
      throw database.toStoreError(error);
    }
  }

  async countRows({ name }: CopyTable): Promise<number> {
    const [row] = await this.#client.all<{ count: number }>(`SELECT count(*) AS count FROM ${quote(name)}`);
    return row!.count;
  }

  read(table: CopyTable, range: RowRange): AsyncIterable<RowChunk> {
    return this.#client.copyOut(`COPY (${inlineValues(selectRows(table, range))}) TO STDOUT`);
  }

  async write(table: CopyTable, chunks: AsyncIterable<RowChunk>, last: () => Statement): Promise<void> {
    const columns = table.columns.map(quote).join(', ');
    await this.#client.transact(async () => {
      await this.#client.copyIn(`COPY ${quote(table.name)} (${columns}) FROM STDIN`, chunks);
      await this.#run(last());
    });
  }

  async execute(statements: readonly Statement[]): Promise<void> {
    await this.#client.transact(async () => {
      for (const statement of statements) await this.#run(statement);
    });
  }

  async #run({ sql, values }: Statement): Promise<void> {
    if (values.length === 0) await this.#client.execute(sql);
    else await this.#client.all(translate(sql, new Map()), values);
  }

  /** Updates the statistics, which plans depend on. */
  async finish(endProgress: () => Promise<void>): Promise<void> {
    const tables = await this.database.perform(() => listTables(this.database));
    const names = tables.map(({ name }) => quote(name));
    await this.#client.execute(`ANALYZE ${names.join(', ')}`);
    await endProgress();
  }

  async close(): Promise<void> {
    await this.#client.close();
    this.database.close();
  }
}
