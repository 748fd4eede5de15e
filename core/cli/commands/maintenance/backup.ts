import { existsSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import type { HomePaths } from '../../../config/home.ts';
import { writeBackup } from '../../../maintenance/backup/write-backup.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';
import { prepareHomePaths } from '../../home-locations.ts';
import { commandLogger } from '../../report/log-lines.ts';
import { formatBytes } from '../../report/bytes-text.ts';

/** Maximum wait for the gateway database while others use it. */
const poolTimeoutMs = 60_000;

export interface BackupInput {
  /** A file or a directory. Default: the current directory. */
  readonly target?: string;
  readonly logs: boolean;
  /** Include the embedded database of the gateway. */
  readonly gateway: boolean;
  readonly format: OutputFormat;
}

/** Backs up a home to one archive, even while in use. */
export async function runBackup(context: CommandContext, input: BackupInput): Promise<number> {
  const { cwd, version, clock, terminal } = context;
  const paths = await prepareHomePaths(context);
  const { stderr } = terminal;
  const isShown = stderr.isTty && input.format === 'text';
  const target = path.resolve(cwd, input.target ?? '.');
  const gatewayDatabase = input.gateway ? findGatewayDatabase(context, paths) : undefined;
  try {
    const { file, bytes, manifest } = await writeBackup({
      paths,
      target,
      logs: input.logs,
      version,
      clock,
      gatewayDatabase,
      ...(isShown ? { onProgress: (done, all) => stderr.pin([`file ${done + 1} of ${all}`]) } : {}),
    });
    const { files, schema, createdAt } = manifest;
    const gateway = gatewayDatabase !== undefined;
    if (input.format === 'json')
      await printJson(context, {
        file,
        bytes,
        files: files.length,
        logs: input.logs,
        gateway,
        schema,
        createdAt,
      });
    else {
      const what = [
        input.logs ? 'history, logs, workflows, configuration' : 'history, workflows, configuration',
        ...(gateway ? [', gateway database'] : []),
        ...(input.logs ? [] : ['; no logs']),
      ].join('');
      stderr.pin([]);
      await printLines(context, [`${file}: ${formatBytes(bytes)}, ${files.length} files (${what})`]);
    }
    return exitCodes.success;
  } finally {
    if (isShown) stderr.pin([]);
  }
}

/** Returns a function that dumps the embedded database, even while in use; undefined if the home has none. */
function findGatewayDatabase(
  { clock, terminal }: CommandContext,
  paths: HomePaths,
): (() => Promise<Uint8Array>) | undefined {
  const folder = path.join(paths.data, 'gateway');
  if (!existsSync(path.join(folder, 'pgdata'))) return undefined;
  return async () => {
    const { EmbeddedDatabase } = await import('../../../gateway/database/embedded/embedded-database.ts');
    const { info: _, ...logger } = commandLogger({ terminal, clock });
    const settings = { folder, poolTimeoutMs, statementTimeoutMs: 0 };
    const database = new EmbeddedDatabase(settings, clock, { ...logger, info: () => undefined });
    try {
      return await database.dump();
    } catch (error) {
      throw new AppError('unavailable', messageOf(error), {
        cause: error,
        details: { hint: 'Run "engine backup --no-gateway" to back up without the gateway database.' },
      });
    } finally {
      await database.close();
    }
  };
}
