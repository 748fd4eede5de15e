import type { GatewayDatabase } from '../../database/database.ts';

/** The time zones that a database knows, asked for once: it reads a file for each of them. */
export class Timezones {
  readonly #database: GatewayDatabase;
  #known: Promise<ReadonlySet<string>> | undefined;

  constructor(database: GatewayDatabase) {
    this.#database = database;
  }

  /** Their names in lower case. */
  async list(): Promise<ReadonlySet<string>> {
    this.#known ??= this.#read();
    try {
      return await this.#known;
    } catch (thrown) {
      this.#known = undefined;
      throw thrown;
    }
  }

  async #read(): Promise<ReadonlySet<string>> {
    const statement = { text: 'SELECT lower(name) FROM pg_catalog.pg_timezone_names', values: [] };
    const [result] = await this.#database.transact({ isReadOnly: true, statements: [statement] });
    return new Set(result!.rows.map(([name]) => name ?? ''));
  }
}
