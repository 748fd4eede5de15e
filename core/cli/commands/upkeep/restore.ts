import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { restoreBackup } from '../../../maintenance/backup/restore-backup.ts';
import { listMovedFolders, type HomePaths } from '../../../config/home.ts';
import { AppError } from '../../../base/errors.ts';
import { enterHome, findHomePaths } from '../../home-places.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';

export interface RestoreInput {
  readonly backup: string;
  readonly force: boolean;
  readonly format: OutputFormat;
}

/** Puts a backup in the place of the home. */
export async function runRestore(context: CommandContext, input: RestoreInput): Promise<number> {
  const { home, cwd, clock } = context;
  const backup = path.resolve(cwd, input.backup);
  refuseMoved(await enterHome(context));
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
      `engine: warning: the restored configuration looks elsewhere than in ${home} for ${moved.join(', ')}; take "paths" out of it, or move what was restored there\n`,
    );
  await printLines(context, [
    `${home} is as it was at ${manifest.createdAt} (${manifest.files.length} files, all checked)`,
    ...(runsEnded === 0 ? [] : [`runs that were under way then and count as aborted now: ${runsEnded}`]),
    ...(keptHome === undefined ? [] : [`the home before is kept in ${keptHome}`]),
    ...(taken.length === 0 ? [] : [`taken over from it, since the backup has none: ${taken.join(', ')}`]),
  ]);
  return exitCodes.success;
}

const describeMoved = ({ name, folder }: { readonly name: string; readonly folder: string }): string =>
  `${name} (${folder})`;

/** A restored home is complete in itself, and would not be what is looked at. */
function refuseMoved(paths: HomePaths): void {
  const moved = listMovedFolders(paths).map(describeMoved);
  if (moved.length === 0) return;
  throw new AppError(
    'bad_request',
    `the configuration has folders elsewhere than in the home ${paths.home}: ${moved.join(', ')}; a backup is restored into a home as a whole`,
    {
      details: {
        hint: 'take "paths" out of the configuration (engine config show says where they come from), or name another home with --engine-home DIR',
      },
    },
  );
}
