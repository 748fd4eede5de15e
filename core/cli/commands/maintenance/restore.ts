import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { restoreBackup } from '../../../maintenance/backup/restore-backup.ts';
import { listMovedFolders, type HomePaths } from '../../../config/home.ts';
import { AppError } from '../../../base/errors.ts';
import { prepareHomePaths, findHomePaths } from '../../home-locations.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';

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
  const moved = listMovedFolders(await findHomePaths(context)).map(describeMoved);
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

const describeMoved = ({ name, folder }: { readonly name: string; readonly folder: string }): string =>
  `${name} (${folder})`;

/** Rejects a home with directories configured elsewhere, because a backup is restored into one directory. */
function assertNotMoved(paths: HomePaths): void {
  const moved = listMovedFolders(paths).map(describeMoved);
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
