import { randomUUID } from 'node:crypto';
import { beforeAll, describe, onTestFinished } from 'vitest';
import type { PostgresDatabase } from '../../../../core/store/postgres/postgres-database.ts';
import { openServerDatabase } from '../../../../core/store/open-store.ts';
import {
  type TestPostgres,
  missingForPostgres,
  postgresVersions,
  sharePostgres,
} from '../../../rig/databases/postgres.ts';

/**
 * Tests of what only servers have, on available ones; the others are skipped under a name that says so.
 * @param define receives a server that other tests use as well
 */
export function describeOnServers(name: string, define: (server: () => TestPostgres) => void): void {
  for (const version of postgresVersions) {
    const missing = missingForPostgres(version);
    const lack = missing === undefined ? '' : ` (missing here: ${missing})`;
    describe.skipIf(missing !== undefined)(`${name}, PostgreSQL ${version}${lack}`, () => {
      let server: TestPostgres | undefined;
      beforeAll(async () => {
        server = await sharePostgres(version);
      }, 60_000);
      define(() => server!);
    });
  }
}

/** URL of an empty schema. */
export const newSchemaUrl = (server: TestPostgres): string =>
  `${server.url}?schema=own_${randomUUID().slice(0, 8)}`;

/** A connection that is closed with the test. */
export function openForTest(url: string): PostgresDatabase {
  const database = openServerDatabase(url);
  onTestFinished(() => database.close());
  return database;
}
