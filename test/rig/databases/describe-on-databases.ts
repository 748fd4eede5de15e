import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { GatewayDatabase } from '../../../core/store/sql/database.ts';
import { openDatabase, type DatabaseSettings } from '../../../core/gateway/database/open-database.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { type PostgresVersion, TestPostgres, missingForPostgres, postgresVersions } from './postgres.ts';
import { silentLogger } from '../silent-logger.ts';

/** A database for tests of the gateway. */
export interface DatabaseUnderTest {
  readonly kind: 'embedded' | PostgresVersion;
  readonly database: GatewayDatabase;
  /** Of a server; undefined for the embedded database. */
  readonly server?: TestPostgres;
  /** The options of {@link openDatabase}. */
  readonly settings: DatabaseSettings;
  /** Of the embedded database: its home's `data`. */
  readonly home: { readonly data: string };
}

const limits = { poolSize: 10, poolTimeoutMs: 10_000, statementTimeoutMs: 10_000, preparesStatements: true };

/**
 * The same tests on the embedded database, PostgreSQL 15 and 18, each opened once for all tests. Where a
 * server is missing its tests are skipped, with the reason in the title.
 * @param changes of the settings
 * @param versions of the servers
 */
export function describeOnDatabases(
  name: string,
  define: (under: () => DatabaseUnderTest) => void,
  {
    changes = {},
    versions = postgresVersions,
  }: { changes?: Partial<DatabaseSettings>; versions?: readonly PostgresVersion[] } = {},
): void {
  describe(`${name}, embedded`, () => {
    define(openOnce('embedded', changes));
  });
  for (const version of versions) {
    const missing = missingForPostgres(version);
    const lack = missing === undefined ? '' : ` (missing here: ${missing})`;
    describe.skipIf(missing !== undefined)(`${name}, PostgreSQL ${version}${lack}`, () => {
      define(openOnce(version, changes));
    });
  }
}

function openOnce(
  kind: DatabaseUnderTest['kind'],
  changes: Partial<DatabaseSettings>,
): () => DatabaseUnderTest {
  let under: DatabaseUnderTest | undefined;
  beforeAll(async () => {
    const server = kind === 'embedded' ? undefined : await TestPostgres.start(kind);
    const home = { data: mkdtempSync(join(tmpdir(), 'gateway-')) };
    const settings = { ...limits, ...(server && { databaseUrl: server.url }), ...changes };
    const database = openDatabase(settings, home, systemClock, silentLogger);
    under = { kind, database, settings, home, ...(server && { server }) };
  }, 60_000);
  afterAll(async () => {
    await under?.database.close();
    await under?.server?.close();
    if (under !== undefined) rmSync(under.home.data, { recursive: true, force: true });
  }, 60_000);
  return () => under!;
}
