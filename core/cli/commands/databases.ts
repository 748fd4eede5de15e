import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { errorCodes, exitCodes } from '../../base/error-codes.ts';
import { checkHome, openHome, openImports } from '../../store/maintenance/open-home.ts';
import { pluralize } from '../../base/text.ts';
import { migrateHistory, type MigrationReport } from '../../store/maintenance/migrate-history.ts';
import {
  prepareHomePaths,
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  type OutputFormat,
} from '../command-context.ts';
import { oneLine } from '../format.ts';

/** Creates the home's database or migrates its schema. */
export async function runDbMigrate(context: CommandContext, { format }: ResultFormat): Promise<number> {
  const store = openHome(await prepareHomePaths(context));
  try {
    const { name } = store;
    const { version } = await store.storage();
    if (format === 'json') await printJson(context, { database: name, version });
    else await printLines(context, [`${name} has schema version ${version} (current)`]);
    return exitCodes.success;
  } finally {
    store.close();
  }
}

/** Checks the home's database for corruption. Throws `database_corrupt` after printing all errors. */
export async function runDbCheck(context: CommandContext, { format }: ResultFormat): Promise<number> {
  const { database, findings } = await checkHome(await prepareHomePaths(context));
  const isSound = findings.length === 0;
  if (format === 'json') {
    await printJson(context, { database, isSound, findings });
    return isSound ? exitCodes.success : errorCodes.database_corrupt.exit;
  }
  await printLines(context, isSound ? [`No damage found in ${database}.`] : findings);
  if (isSound) return exitCodes.success;
  throw new AppError('database_corrupt', `Database ${database} is damaged.`);
}

export interface MigrateHistoryInput {
  /** Default: directory `data` of the home. */
  readonly dataDir?: string;
  readonly dryRun: boolean;
  readonly format: OutputFormat;
}

/** Maximum number of lines about skipped files; further ones are counted. */
const maxLines = 20;

/** Migrates the history of release 1.16. Fails if some of it could not be migrated. */
export async function runMigrateHistory(
  context: CommandContext,
  input: MigrateHistoryInput,
): Promise<number> {
  const { home, cwd, clock, terminal } = context;
  const { stderr } = terminal;
  const isShown = stderr.isTty && input.format === 'text';
  const paths = await prepareHomePaths(context);
  const dataDir = input.dataDir === undefined ? paths.data : path.resolve(cwd, input.dataDir);
  const store = openImports(paths);
  try {
    const report = await migrateHistory(
      {
        dataDir,
        home,
        dryRun: input.dryRun,
        clock,
        ...(isShown ? { onProgress: (done, all) => stderr.pin([`file ${done + 1} of ${all}`]) } : {}),
      },
      store,
    );
    if (isShown) stderr.pin([]);
    if (input.format === 'json') await printJson(context, { dataDir, dryRun: input.dryRun, ...report });
    else await print(context, report, { dataDir, dryRun: input.dryRun });
    return report.failed.length === 0 ? exitCodes.success : exitCodes.runFailed;
  } finally {
    if (isShown) stderr.pin([]);
    store.close();
  }
}

async function print(
  context: CommandContext,
  report: MigrationReport,
  { dataDir, dryRun }: { dataDir: string; dryRun: boolean },
): Promise<void> {
  if (report.folders === 0) {
    await printLines(context, [`No history of release 1.16 in ${dataDir}.`]);
    return;
  }
  const { stderr } = context.terminal;
  await printLines(context, [
    `Read ${pluralize(report.files, 'file')} in ${pluralize(report.folders, 'folder')} of ${dataDir}`,
    `${dryRun ? 'Would migrate' : 'Migrated'} ${pluralize(report.runs, 'run')}; already migrated: ${report.known}; without a run: ${report.skipped.length}; failed: ${report.failed.length}`,
    ...(dryRun ? [] : [`Logs copied: ${report.logsCopied}, missing: ${report.logsMissing}`]),
    ...(report.movedTo === undefined
      ? []
      : [`Moved ${pluralize(report.foldersMoved, 'old folder')} to ${report.movedTo}`]),
  ]);
  const unmigrated = [...report.failed, ...report.skipped];
  for (const { file, reason } of unmigrated.slice(0, maxLines))
    await stderr.write(`${file}: ${oneLine(reason)}\n`);
  if (unmigrated.length > maxLines)
    await stderr.write(`… and ${unmigrated.length - maxLines} more (see all with --format json)\n`);
  if (report.failed.length > 0)
    await stderr.write(
      'engine: some files were not migrated; fix the errors above and run the command again\n',
    );
}
