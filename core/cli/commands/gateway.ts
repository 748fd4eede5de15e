import { readFile, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { pluralize, stripBom, formatBytes } from '../../base/text.ts';
import { exitCodes } from '../../base/error-codes.ts';
import {
  type Statement,
  type StatementResult,
  DatabaseError,
  DatabaseUnavailable,
  type DatabaseStatus,
  type GatewayDatabase,
} from '../../store/sql/database.ts';
import { AppError, formatFsError } from '../../base/errors.ts';
import { reloadChannels, installEventTrigger } from '../../gateway/catalog/catalog-cache.ts';
import { EmbeddedDatabase } from '../../gateway/database/embedded-database.ts';
import { loadEngineConfig } from '../../home/config/engine-config.ts';
import { restoreEmbedded } from '../../gateway/database/restore-embedded.ts';
import { openDatabase } from '../../gateway/database/open-database.ts';
import { unpackDatabase } from '../../store/maintenance/read-backup.ts';
import { embeddedFolder, type GatewaySettings, readGatewaySettings } from '../../gateway/gateway-settings.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  prepareHomePaths,
} from '../command-context.ts';
import { formatFields, oneLine, formatTable } from '../format.ts';
import { commandLogger } from '../log-output.ts';

/**
 * Counts relations and domains per exposed schema; null if the schema does not exist. Partitions are not counted, only
 * their partitioned tables.
 */
const contents = (schemas: readonly string[]): Statement => ({
  text: `
    SELECT requested.name,
      CASE WHEN n.oid IS NULL THEN NULL ELSE
        (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
          AND NOT c.relispartition) END,
      (SELECT count(*) FROM pg_type t WHERE t.typnamespace = n.oid AND t.typtype = 'd')
    FROM unnest($1::text[]) WITH ORDINALITY requested (name, position)
    LEFT JOIN pg_namespace n ON n.nspname = requested.name ORDER BY requested.position`,
  values: [`{${schemas.map((name) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`],
});

const size: Statement = {
  text: 'SELECT pg_size_pretty(pg_database_size(current_database())), current_user',
  values: [],
};

/** Prints the gateway's database and exposed schemas. Opens the database. */
export function runGatewayStatus(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withDatabase(context, async (database, settings) => {
    const [shown, sizeResult] = await database.transact({
      isReadOnly: true,
      statements: [contents(settings.schemas), size],
    });
    const { kind, place, version } = database.status();
    const schemas = shown!.rows.map(([name, relations, domains]) => ({
      name: name ?? '',
      relations: relations === null || relations === undefined ? null : Number(relations),
      domains: Number(domains),
    }));
    const [bytes, user] = sizeResult!.rows[0] ?? [];
    const { isEnabled } = settings;
    if (format === 'json')
      await printJson(context, { enabled: isEnabled, kind, place, version, size: bytes, user, schemas });
    else
      await printLines(
        context,
        formatFields([
          ['Gateway', isEnabled ? 'on, at /gateway on every server of this home' : 'off (gateway.enabled)'],
          ['Database', `${kind === 'embedded' ? 'embedded' : 'server'}, ${place}`],
          ['PostgreSQL', version],
          ['Size', bytes ?? undefined],
          ['User', user ?? undefined],
          ['Schemas', schemas.map(formatGateway).join(', ')],
        ]),
      );
    return exitCodes.success;
  });
}

const formatGateway = ({
  name,
  relations,
  domains,
}: {
  readonly name: string;
  readonly relations: number | null;
  readonly domains: number;
}): string => {
  if (relations === null) return `${name} (missing)`;
  const more = domains === 0 ? '' : `, ${pluralize(domains, 'domain')}`;
  return `${name} (${pluralize(relations, 'relation')}${more})`;
};

export interface PsqlInput extends ResultFormat {
  /** `-` for stdin. */
  readonly file?: string;
  /** SQL on the command line. */
  readonly command?: string;
}

/** Runs a script on the gateway's database. */
export async function runPsql(context: CommandContext, input: PsqlInput): Promise<number> {
  const sql = await readScript(context, input);
  const results = await withDatabase(context, (database) => database.runScript(sql));
  if (input.format === 'json') await printJson(context, { results: results.map(toJson) });
  else for (const result of results) await printLines(context, formatPsql(result));
  return exitCodes.success;
}

async function readScript(context: CommandContext, { file, command }: PsqlInput): Promise<string> {
  if (file !== undefined && command !== undefined)
    throw new AppError('bad_request', 'Options --file and --command cannot be used together.');
  if (command !== undefined) return command;
  if (file !== undefined && file !== '-') return readText(path.resolve(context.cwd, file), file);
  if (file === undefined && context.terminal.interactive)
    throw new AppError(
      'bad_request',
      'No SQL specified. Use --file FILE or pipe the SQL to standard input.',
      {
        details: { hint: `engine gateway psql -c 'select now()'` },
      },
    );
  return readStdin();
}

async function readText(file: string, named: string): Promise<string> {
  try {
    return stripBom(await readFile(file, 'utf8'));
  } catch (error) {
    throw new AppError('not_found', `Cannot read ${named}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) chunks.push(part);
  return stripBom(Buffer.concat(chunks).toString('utf8'));
}

const toJson = ({ columns, rows, affected }: StatementResult): object => ({ columns, rows, affected });

function formatPsql({ columns, rows, affected }: StatementResult): string[] {
  if (columns.length === 0) return affected > 0 ? [`${pluralize(affected, 'row')} affected`] : [];
  const cells = rows.map((row) => row.map((cell) => (cell === null ? 'NULL' : oneLine(cell) || `''`)));
  return [...formatTable(columns, cells), `(${pluralize(rows.length, 'row')})`];
}

export interface ReloadInput extends ResultFormat {
  /** Install the event trigger, so that the database requests reloads itself. */
  readonly automatic?: boolean;
}

/** Makes every gateway of the database reload its schema. */
export async function runGatewayReload(
  context: CommandContext,
  { format, automatic = false }: ReloadInput,
): Promise<number> {
  const [channel] = reloadChannels;
  await withDatabase(context, async (database) => {
    if (automatic) await installEventTrigger(database);
    await database.transact({
      isReadOnly: false,
      statements: [{ text: 'SELECT pg_notify($1, $2)', values: [channel, 'reload schema'] }],
    });
  });
  if (format === 'json') await printJson(context, { reload: 'asked', automatic });
  else
    await printLines(context, [
      'Asked all running gateways of this database to reload the schema.',
      ...(automatic ? ['The schema now reloads automatically after each change.'] : []),
    ]);
  return exitCodes.success;
}

export interface GatewayBackupInput extends ResultFormat {
  /** Target file, which may not exist. */
  readonly target: string;
}

/** Backs up the embedded database to one file, even while in use. */
export async function runGatewayBackup(context: CommandContext, input: GatewayBackupInput): Promise<number> {
  const file = path.resolve(context.cwd, input.target);
  const bytes = await withDatabase(context, async (database) => {
    if (!(database instanceof EmbeddedDatabase))
      throw new AppError(
        'bad_request',
        'The gateway uses a PostgreSQL server. Back up that database with pg_dump.',
        {
          details: { hint: 'pg_dump "$ENGINE_GATEWAY_DATABASE_URL" --format custom --file FILE' },
        },
      );
    return await database.dump();
  });
  await writeFileAtomically(file, bytes, context.clock.now());
  if (input.format === 'json') await printJson(context, { file, bytes: bytes.length });
  else await printLines(context, [`${file}: ${formatBytes(bytes.length)}`]);
  return exitCodes.success;
}

/** Writes a file atomically, readable only by its owner. */
async function writeFileAtomically(file: string, bytes: Uint8Array, now: number): Promise<void> {
  const draft = `${file}.${now}.part`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new AppError('bad_request', `Cannot write ${file}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
}

export interface GatewayRestoreInput extends ResultFormat {
  readonly backup: string;
  readonly force: boolean;
}

/** Restores a backup of the embedded database. */
export async function runGatewayRestore(
  context: CommandContext,
  input: GatewayRestoreInput,
): Promise<number> {
  const { home, environment, configFile, cwd, clock, terminal } = context;
  const paths = await prepareHomePaths(context);
  const { gateway } = loadEngineConfig({ home, environment, file: configFile, cwd }).config;
  if (gateway.databaseUrl !== undefined)
    throw new AppError(
      'bad_request',
      'The gateway uses a PostgreSQL server. Restore that database with pg_restore.',
      { details: { hint: 'pg_restore --dbname "$ENGINE_GATEWAY_DATABASE_URL" FILE' } },
    );
  const backup = path.resolve(cwd, input.backup);
  if (!existsSync(backup)) throw new AppError('not_found', `Backup ${backup} not found.`);
  const { info: _, ...logger } = commandLogger({ terminal, clock });
  const previousDatabase = await restoreEmbedded({
    folder: embeddedFolder(paths),
    unpack: (folder) => unpackDatabase(backup, folder),
    force: input.force,
    clock,
    logger: { ...logger, info: () => undefined },
  });
  if (input.format === 'json') await printJson(context, { backup, keptDatabase: previousDatabase });
  else
    await printLines(context, [
      `Restored the embedded database from ${backup}.`,
      ...(previousDatabase === undefined ? [] : [`The previous database is kept in ${previousDatabase}.`]),
    ]);
  return exitCodes.success;
}

/** Delay of the message that the database is being opened. */
const timeoutMs = 700;

/**
 * Opens the gateway's database for one command and always closes it. If a running server has it open, uses the
 * server's. Rejects with `bad_request` for PostgreSQL errors and `unavailable` if it is unreachable.
 */
export async function withDatabase<Result>(
  context: CommandContext,
  use: (database: GatewayDatabase, settings: GatewaySettings) => Promise<Result>,
): Promise<Result> {
  const { home, environment, configFile, cwd, clock, terminal } = context;
  const paths = await prepareHomePaths(context);
  const settings = readGatewaySettings(loadEngineConfig({ home, environment, file: configFile, cwd }).config);
  const { info: _, ...logger } = commandLogger({ terminal, clock });
  const database = openDatabase(settings, paths, clock, { ...logger, info: () => undefined });
  const stopWaiting = clock.after(timeoutMs, () => {
    // Printed only to a terminal.
    if (terminal.stderr.isTty && database.status().state === 'opening')
      void terminal.stderr.write(
        'engine: opening the embedded database (the first time takes a few seconds)\n',
      );
  });
  try {
    return await use(database, settings);
  } catch (error) {
    throw toCommandError(error, database.status().kind);
  } finally {
    stopWaiting();
    await database.close();
  }
}

function toCommandError(error: unknown, kind: DatabaseStatus['kind']): unknown {
  if (error instanceof DatabaseUnavailable)
    return new AppError('unavailable', error.message, {
      cause: error,
      ...(kind === 'server' && {
        details: {
          hint: 'Set the server with gateway.databaseUrl in config.yaml or ENGINE_GATEWAY_DATABASE_URL.',
        },
      }),
    });
  if (!(error instanceof DatabaseError)) return error;
  const { message, code, detail, hint, position } = error;
  const sentence = [`PostgreSQL error: ${message} (SQLSTATE ${code})`, ...(detail === null ? [] : [detail])];
  return new AppError('bad_request', sentence.join('. '), {
    cause: error,
    details: { sqlstate: code, position, ...(hint !== null && { hint }) },
  });
}
