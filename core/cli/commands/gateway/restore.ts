import { existsSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import { loadEngineConfig } from '../../../config/engine-config.ts';
import { restoreEmbedded } from '../../../gateway/database/embedded/restore-embedded.ts';
import { embeddedFolder } from '../../../gateway/database/open-database.ts';
import { unpackDatabase } from '../../../maintenance/backup/unpack-database.ts';
import { type CommandContext, printJson, printLines, type ResultFormat } from '../../command-context.ts';
import { prepareHomePaths } from '../../home-locations.ts';
import { commandLogger } from '../../report/log-lines.ts';

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
  const keptDatabase = await restoreEmbedded({
    folder: embeddedFolder(paths),
    unpack: (folder) => unpackDatabase(backup, folder),
    force: input.force,
    clock,
    logger: { ...logger, info: () => undefined },
  });
  if (input.format === 'json') await printJson(context, { backup, keptDatabase });
  else
    await printLines(context, [
      `Restored the embedded database from ${backup}.`,
      ...(keptDatabase === undefined ? [] : [`The previous database is kept in ${keptDatabase}.`]),
    ]);
  return exitCodes.success;
}
