import type { GatewayDatabase } from '../gateway/database/database.ts';

/** The databases that steps ask. */
export interface DatabasePort {
  /**
   * Nothing is opened before it is asked for something; the caller closes it.
   * @param url of a PostgreSQL server; absent for the database of the gateway
   */
  open(url: string | undefined): Promise<GatewayDatabase>;
}
