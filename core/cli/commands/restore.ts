import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { restoreBackup } from '../../maintenance/backup/restore-backup.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';

export interface RestoreInput {
  readonly backup: string;
  readonly force: boolean;
  readonly format: OutputFormat;
}

/** Puts a backup in the place of the home. */
export async function runRestore(context: CommandContext, input: RestoreInput): Promise<number> {
  const { home, cwd, clock } = context;
  const backup = path.resolve(cwd, input.backup);
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
  await printLines(context, [
    `${home} is as it was at ${manifest.createdAt} (${manifest.files.length} files, all checked)`,
    ...(runsEnded === 0 ? [] : [`runs that were under way then and count as aborted now: ${runsEnded}`]),
    ...(keptHome === undefined ? [] : [`the home before is kept in ${keptHome}`]),
    ...(taken.length === 0 ? [] : [`taken over from it, since the backup has none: ${taken.join(', ')}`]),
  ]);
  return exitCodes.success;
}
