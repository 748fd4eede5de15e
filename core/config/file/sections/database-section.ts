import { secretKey, type ConfigTable } from '../config-key.ts';
import { postgresUrl } from '../values/read-postgres-url.ts';

/** Database for runs, queues, schedules and workers (docs/distributed.md). */
export const databaseSection = {
  /**
   * Usually contains a password, so it is never shown or passed to steps. Absent for the database file in the home.
   */
  url: secretKey(postgresUrl('empty for the file in the home'), 'ENGINE_DATABASE_URL'),
} as const satisfies ConfigTable;
