import { existsSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { type HomePaths, listExternalFolders } from '../../home/config/home.ts';
import { writeBackup } from '../../store/maintenance/write-backup.ts';
import { restoreBackup } from '../../store/maintenance/restore-backup.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  prepareHomePaths,
  findHomePaths,
} from '../command-context.ts';
import { commandLogger } from '../log-output.ts';
import { formatBytes } from '../../base/text.ts';

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
    const { EmbeddedDatabase } = await import('../../gateway/database/embedded-database.ts');
    const { info: _, ...logger } = commandLogger({ terminal, clock });
    const settings = { folder, poolTimeoutMs, statementTimeoutMs: 0 };
    const database = new EmbeddedDatabase(settings, clock, { ...logger, info: () => undefined });
    try {
      return await database.dump();
    } catch (error) {
      throw new AppError('unavailable', getErrorMessage(error), {
        cause: error,
        details: { hint: 'Run "engine backup --no-gateway" to back up without the gateway database.' },
      });
    } finally {
      await database.close();
    }
  };
}

export interface RestoreInput {
  readonly backup: string;
  readonly force: boolean;
  readonly format: OutputFormat;
}

/** Restores a backup of the home. */
export async function runRestore(context: CommandContext, input: RestoreInput): Promise<number> {
  const { home, cwd, clock } = context;
  const backup = path.resolve(cwd, input.backup);
  assertNotMoved(await prepareHomePaths(context));
  const report = await restoreBackup({ backup, home, force: input.force, clock });
  const { manifest, runsEnded, keptHome, taken } = report;
  if (input.format === 'json') {
    const { createdAt, version, logs, files } = manifest;
    await printJson(context, {
      home,
      createdAt,
      version,
      logs,
      files: files.length,
      runsEnded,
      keptHome,
      taken,
    });
    return exitCodes.success;
  }
  // The configuration has been restored, too.
  const moved = listExternalFolders(await findHomePaths(context)).map(formatMoved);
  if (moved.length > 0)
    await context.terminal.stderr.write(
      `engine: warning: the restored configuration points outside ${home} for ${moved.join(', ')}; remove "paths" from it, or move the restored files there\n`,
    );
  await printLines(context, [
    `Restored ${home} from the backup of ${manifest.createdAt} (${manifest.files.length} files verified).`,
    ...(runsEnded === 0 ? [] : [`Runs active at backup time, now marked as aborted: ${runsEnded}`]),
    ...(keptHome === undefined ? [] : [`The previous home is kept in ${keptHome}.`]),
    ...(taken.length === 0
      ? []
      : [`Kept from the previous home because the backup does not include them: ${taken.join(', ')}`]),
  ]);
  return exitCodes.success;
}

const formatMoved = ({ name, folder }: { readonly name: string; readonly folder: string }): string =>
  `${name} (${folder})`;

/** Rejects a home with directories configured elsewhere, because a backup is restored into one directory. */
function assertNotMoved(paths: HomePaths): void {
  const moved = listExternalFolders(paths).map(formatMoved);
  if (moved.length === 0) return;
  throw new AppError(
    'bad_request',
    `The configuration uses folders outside the home ${paths.home}: ${moved.join(', ')}. A backup can only be restored into a complete home.`,
    {
      details: {
        hint: 'Remove "paths" from the configuration ("engine config show" shows where each value is set), or use another home with --engine-home DIR.',
      },
    },
  );
}
