import { AppError } from '../../../base/errors.ts';
import { loadEngineConfig } from '../../../config/engine-config.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  type DatabaseStatus,
  type GatewayDatabase,
} from '../../../gateway/database/database.ts';
import { openDatabase } from '../../../gateway/database/open-database.ts';
import type { GatewaySettings } from '../../../gateway/gateway-settings.ts';
import { readGatewaySettings } from '../../../gateway/read-gateway-settings.ts';
import type { CommandContext } from '../../command-context.ts';
import { prepareHomePaths } from '../../home-locations.ts';
import { commandLogger } from '../../report/log-lines.ts';

/** Delay before a message says that the database is being opened. */
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
    // Only a terminal shows the message.
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
