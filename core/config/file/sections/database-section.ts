import { secretKey, type ConfigTable } from '../config-key.ts';
import { postgresUrl } from '../values/read-postgres-url.ts';

/** Where runs, queues, schedules and everything of workers are kept (docs/distributed.md). */
export const databaseSection = {
  /** Holds a password, as a rule: nobody is shown it, and no step. Absent for the file in the home. */
  url: secretKey(postgresUrl('empty for the file in the home'), 'ENGINE_DATABASE_URL'),
} as const satisfies ConfigTable;
