import type { GatewayDatabase } from '../../database/database.ts';

/** Time zones of a database, cached because the query reads a file per zone. */
export class Timezones {
  readonly #database: GatewayDatabase;
  #known: Promise<ReadonlySet<string>> | undefined;

  constructor(database: GatewayDatabase) {
    this.#database = database;
  }

  /** Returns the names in lower case. */
  async list(): Promise<ReadonlySet<string>> {
    this.#known ??= this.#read();
    try {
      return await this.#known;
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }

  async #read(): Promise<ReadonlySet<string>> {
    const statement = { text: 'SELECT lower(name) FROM pg_catalog.pg_timezone_names', values: [] };
    const [result] = await this.#database.transact({ isReadOnly: true, statements: [statement] });
    return new Set(result!.rows.map(([name]) => name ?? ''));
  }
}
