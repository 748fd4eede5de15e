import { AppError } from '../../base/errors.ts';
import type { Migration } from '../database/migrate.ts';
import { editUrl, hidePassword, readConnectionUrl, splitHosts } from '../sql/connection-settings.ts';
import { quoteName } from './requests.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { unusableServerError } from './postgres-error.ts';

/**
 * Returns a schema of a server as a database. Its first operation connects, and creates or migrates the schema when
 * needed, in one transaction and by one process at a time; it rejects with `unavailable`, `home_unusable` or
 * `database_newer`.
 * @param options.isCopyTarget whether the schema may contain an unfinished copy of this release
 * @throws AppError `home_unusable` when the URL is invalid
 */
export function openPostgres(
  databaseUrl: string,
  migrations: readonly Migration[],
  { isCopyTarget = false } = {},
): PostgresDatabase {
  return new PostgresDatabase(readPostgresUrl(databaseUrl), (database) =>
    migrateServer(database, migrations, isCopyTarget),
  );
}

/** Read as rows, because looking up a missing name caches that it is missing. */
const versionTableSql = /* sql */ `
  SELECT has_schema_privilege(pg_namespace.oid, 'USAGE') AS usable, EXISTS (
    SELECT FROM pg_class AS other WHERE other.relnamespace = pg_namespace.oid AND other.relname = 'copy_progress'
  ) AS is_copying
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = ? AND relname = 'schema_version'`;

/** A table that the user may not change. */
const versionSql = /* sql */ `
  SELECT version, (SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema()) AND NOT (
      has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
    ORDER BY relname LIMIT 1) AS forbidden
  FROM schema_version`;

interface ServerVersion {
  readonly version: number;
  /** Whether the schema contains an unfinished copy. */
  readonly isCopying: boolean;
}

/**
 * Returns the version of the schema; undefined when it is not one of ours.
 * @throws AppError `home_unusable` when its tables cannot be written
 */
function readServerVersion(database: PostgresDatabase): ServerVersion | undefined {
  const { name, schema } = database;
  const table = database.get<{ usable: number; is_copying: number }>(versionTableSql, schema);
  if (table === undefined) return undefined;
  if (table.usable !== 1) throw missingRightsError(name, schema, `use schema ${schema}`);
  const row = database.get<{ version: number; forbidden: string | null }>(versionSql);
  if (row === undefined) return undefined;
  if (row.forbidden !== null) throw missingRightsError(name, schema, `write the table ${row.forbidden}`);
  return { version: row.version, isCopying: table.is_copying === 1 };
}

function missingRightsError(name: string, schema: string, what: string): AppError {
  const remedy = `make the user the owner of schema ${schema}, or grant it USAGE on the schema and SELECT, INSERT, UPDATE and DELETE on all its tables`;
  return unusableServerError(name, `its user may not ${what}; ${remedy}`);
}

function migrateServer(
  database: PostgresDatabase,
  migrations: readonly Migration[],
  isCopyTarget: boolean,
): void {
  const target = migrations.at(-1)!.version;
  const found = readServerVersion(database);
  if (found?.isCopying && !(isCopyTarget && found.version === target)) throw unfinishedCopyError(database);
  if (found?.version === target) return;
  assertSupportedVersion(database, found?.version, target);
  database.write(() => {
    const now = readServerVersion(database)?.version;
    assertSupportedVersion(database, now, target);
    if (now === undefined) createSchema(database);
    const missing = migrations.filter(({ version }) => version > (now ?? 0));
    for (const { postgres } of missing) if (postgres !== undefined) database.execute(postgres);
    database.run('UPDATE schema_version SET version = ?', target);
  });
}

const unfinishedCopyError = ({ name, schema }: PostgresDatabase): AppError =>
  unusableServerError(
    name,
    `schema ${schema} contains an unfinished copy; run the same "engine db copy" again, with the release that started it, or drop the schema`,
  );

function assertSupportedVersion(database: PostgresDatabase, found: number | undefined, known: number): void {
  if (found === undefined || found <= known) return;
  const { name } = database;
  throw new AppError(
    'database_newer',
    `The database ${name} was written by a newer release (schema ${found}, supported up to ${known}). ` +
      'Update Stepwright, or use another database.',
    { details: { database: name, found, known } },
  );
}

const foreignSql = /* sql */ `
  SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = ? AND relkind IN ('r', 'p', 'v', 'm') LIMIT 1`;

function createSchema(database: PostgresDatabase): void {
  const { schema, name } = database;
  const found = database.get('SELECT 1 FROM pg_namespace WHERE nspname = ?', schema);
  const foreign = database.get<{ name: string }>(foreignSql, schema);
  if (foreign !== undefined) {
    const reason = `schema ${schema} contains the table ${foreign.name} of another program; use another schema with "?${schemaParameter}=…"`;
    throw unusableServerError(name, reason);
  }
  if (found === undefined) database.execute(`CREATE SCHEMA ${quoteName(schema)}`);
  database.execute(
    'CREATE TABLE schema_version (version bigint NOT NULL); INSERT INTO schema_version VALUES (0)',
  );
}

const usualSchema = 'stepwright';
/** The URL parameter that names another schema. */
const schemaParameter = 'schema';

/** Where a database on a server is. */
export interface PostgresLocation {
  /** URL for the driver. It may name several hosts. */
  readonly url: string;
  readonly schema: string;
  /** URL for display, without the password. */
  readonly name: string;
}

/**
 * Parses `postgres://user:password@host:port,host:port/database?sslmode=…&schema=…`.
 * @throws AppError `home_unusable`; the message does not contain the password
 */
export function readPostgresUrl(text: string): PostgresLocation {
  const name = hidePassword(text);
  const hosts = splitHosts(text);
  const isUrl = hosts.every((host) => URL.canParse(host));
  const schema = (isUrl ? new URL(hosts[0]!).searchParams.get(schemaParameter) : null) ?? usualSchema;
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema))
    throw unusableServerError(name, `invalid schema name "${schema}": use lowercase letters, digits and _`);
  const url = isUrl ? editUrl(text, ({ searchParams }) => searchParams.delete(schemaParameter)) : text;
  const location = { url, schema, name };
  try {
    for (const host of splitHosts(url)) readConnectionUrl(host);
  } catch (error) {
    throw unusableServerError(name, (error as Error).message.replace(/\.$/, ''), error);
  }
  return location;
}
