import { AppError } from '../../../base/errors.ts';
import { hidePassword, readConnectionUrl } from '../../../gateway/database/server/connection-settings.ts';
import type { Migration } from '../migrations/migrations.ts';
import { quoteName } from './messages.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { unusableServer } from './postgres-error.ts';

const usualSchema = 'stepwright';
/** The parameter of the URL that names another one. */
const parameter = 'schema';

/** Where a database on a server is. */
export interface PostgresPlace {
  /** As the driver reads it. */
  readonly url: string;
  readonly schema: string;
  /** As it may be shown. */
  readonly name: string;
}

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…&schema=…`.
 * @throws AppError `home_unusable`, in words that do not repeat the password
 */
export function readPostgresUrl(written: string): PostgresPlace {
  const name = hidePassword(written);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const schema = url?.searchParams.get(parameter) ?? usualSchema;
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema))
    throw unusableServer(name, `the schema "${schema}" is no name of small letters, digits and _`);
  url?.searchParams.delete(parameter);
  const place = { url: url?.href ?? written, schema, name };
  try {
    readConnectionUrl(place.url);
  } catch (thrown) {
    throw unusableServer(name, (thrown as Error).message.replace(/\.$/, ''), thrown);
  }
  return place;
}

/**
 * A connection to a schema of a server, made or brought up to date when needed, in one transaction and by one process at
 * a time.
 * @throws AppError `unavailable`, `home_unusable`, `database_newer`
 */
export function openPostgres(written: string, migrations: readonly Migration[]): PostgresDatabase {
  const { url, schema, name } = readPostgresUrl(written);
  const database = new PostgresDatabase(url, schema, name);
  try {
    migrateServer(database, migrations);
    return database;
  } catch (thrown) {
    database.close();
    throw database.describeError(thrown);
  }
}

/** Version of the schema; undefined when it has none of ours. */
export function readServerVersion(database: PostgresDatabase): number | undefined {
  const { found } = database.get<{ found: number }>(
    'SELECT to_regclass(?) IS NOT NULL AS found',
    `${quoteName(database.schema)}.schema_version`,
  )!;
  return found === 1
    ? database.get<{ version: number }>('SELECT version FROM schema_version')?.version
    : undefined;
}

function migrateServer(database: PostgresDatabase, migrations: readonly Migration[]): void {
  const target = migrations.at(-1)!.version;
  const found = readServerVersion(database);
  if (found === target) return;
  refuseNewer(database, found, target);
  database.write(() => {
    const now = readServerVersion(database);
    refuseNewer(database, now, target);
    if (now === undefined) createSchema(database);
    const missing = migrations.filter(({ version }) => version > (now ?? 0));
    for (const { postgres } of missing) if (postgres !== undefined) database.execute(postgres);
    database.run('UPDATE schema_version SET version = ?', target);
  });
}

function refuseNewer(database: PostgresDatabase, found: number | undefined, known: number): void {
  if (found === undefined || found <= known) return;
  const { name } = database;
  throw new AppError(
    'database_newer',
    `The database ${name} was written by a newer release (schema ${found}, this one knows up to ${known}). ` +
      'Nothing in it was changed. Update this program, or use another database.',
    { details: { database: name, found, known } },
  );
}

const foreignSql = /* sql */ `
  SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = to_regnamespace(?) LIMIT 1`;

function createSchema(database: PostgresDatabase): void {
  const { schema, name } = database;
  const { found } = database.get<{ found: number }>(
    'SELECT to_regnamespace(?) IS NOT NULL AS found',
    schema,
  )!;
  const foreign = database.get<{ name: string }>(foreignSql, schema);
  if (foreign !== undefined) {
    const why = `its schema ${schema} has the table ${foreign.name} of another program; choose another schema by "?${parameter}=…"`;
    throw unusableServer(name, why);
  }
  if (found === 0) database.execute(`CREATE SCHEMA ${quoteName(schema)}`);
  database.execute(
    'CREATE TABLE schema_version (version bigint NOT NULL); INSERT INTO schema_version VALUES (0)',
  );
}
