import type { GatewayDatabase } from '../gateway/database/database.ts';

/** Opens the databases that steps query. */
export interface DatabasePort {
  /**
   * Opens a database. Connects on the first query; the caller closes it.
   * @param url URL of a PostgreSQL server; the database of the gateway if absent
   */
  open(url: string | undefined): Promise<GatewayDatabase>;
}
