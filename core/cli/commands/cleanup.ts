import path from 'node:path';
import { pluralize } from '../../base/text.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../home/config/home.ts';
import {
  cleanUp,
  planCleanup,
  type CleanupPlan,
  type CleanupReport,
} from '../../store/maintenance/cleanup.ts';
import { openHome, checkHome } from '../../store/maintenance/open-home.ts';
import type { RunStatus } from '../../model/run.ts';
import { salvageHome, type HomeSalvage } from '../../store/maintenance/salvage-home.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  prepareHomePaths,
} from '../command-context.ts';
import { confirm } from '../prompts.ts';
import { type WorkflowSearchPaths, findRunNames } from '../find-workflow.ts';
import { oneLine, formatStatus, formatTable, formatDateTime } from '../format.ts';

export interface CleanupInput {
  readonly dag: string;
  readonly retentionDays?: number;
  readonly keep?: number;
  readonly statuses: readonly RunStatus[];
  readonly orphans: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly format: OutputFormat;
}

/** Maximum number of plan lines; further ones are counted. */
const maxRows = 20;

/**
 * Deletes ended runs of a workflow with their logs, after confirmation. Fails if a log directory could not be deleted.
 */
export async function runCleanup(context: CommandContext, input: CleanupInput): Promise<number> {
  const { home, clock } = context;
  const paths = await prepareHomePaths(context);
  const store = openHome(paths);
  try {
    const { options, plan } = await findPlan(
      input,
      { cwd: context.cwd, dags: paths.dags },
      { store, home, logs: paths.logs, clock },
    );
    const doomed = input.orphans ? plan.orphans : [];
    if (input.format === 'text')
      await printPlan(context, path.join(paths.logs, options.name), { name: options.name, ...plan }, input);
    const isNothing = plan.runs.length === 0 && doomed.length === 0;
    if (input.dryRun || isNothing) {
      if (input.format === 'json')
        await printJson(context, { ...toPlanJson(options.name, plan), dryRun: input.dryRun });
      return exitCodes.success;
    }
    const question = formatQuestion(plan.runs.length, doomed.length);
    const advice = 'Add --yes to confirm, or --dry-run to preview.';
    if (!input.yes && !(await confirm(context, question, advice))) {
      await context.terminal.stderr.write('Nothing was deleted.\n');
      return exitCodes.success;
    }
    const report = await cleanUp(
      options,
      { store, home, clock, removeRemoteData: await openBucket(paths) },
      { orphans: doomed, ...createProgress(context, input) },
    );
    await printReport(context, input, { name: options.name, report });
    return report.failures.length === 0 ? exitCodes.success : exitCodes.runFailed;
  } finally {
    store.close();
  }
}

/** Returns a function that deletes runs from the bucket, if one is configured. */
async function openBucket({
  objectStoreUrl: url,
}: HomePaths): Promise<((folder: string) => Promise<void>) | undefined> {
  if (url === undefined) return undefined;
  const { openTaskFiles } = await import('../../distributed/files/open-task-files.ts');
  const files = await openTaskFiles({ url });
  return (folder) => files.removeRun(folder);
}

/** Returns the first name with runs to delete, else the most likely one. Throws `not_found` if it cannot be a name. */
async function findPlan(
  input: CleanupInput,
  paths: WorkflowSearchPaths,
  parts: Parameters<typeof planCleanup>[1],
): Promise<{ options: Parameters<typeof planCleanup>[0]; plan: CleanupPlan }> {
  const { retentionDays, keep, statuses } = input;
  const names = await findRunNames(input.dag, paths);
  if (names.length === 0) throw new AppError('not_found', `No workflow or run named "${input.dag}".`);
  const plans = [];
  for (const name of names) {
    const options = {
      name,
      statuses,
      ...(retentionDays === undefined ? {} : { retentionDays }),
      ...(keep === undefined ? {} : { keep }),
    };
    plans.push({ options, plan: await planCleanup(options, parts) });
  }
  return plans.find(({ plan }) => plan.runs.length + plan.orphans.length > 0) ?? plans[0]!;
}

function formatQuestion(runs: number, orphans: number): string {
  const parts = [
    ...(runs === 0 ? [] : [`${pluralize(runs, 'run')} with sub-runs and logs`]),
    ...(orphans === 0 ? [] : [pluralize(orphans, 'log folder') + ' without a run']),
  ];
  return `Permanently delete ${parts.join(' and ')}`;
}

const toPlanJson = (name: string, plan: CleanupPlan): object => ({
  name,
  dagRuns: plan.runs.map(({ dagRunId, status, finishedAt }) => ({
    name,
    dagRunId,
    status,
    finishedAt: new Date(finishedAt).toISOString(),
  })),
  orphanLogs: plan.orphans,
});

async function printPlan(
  context: CommandContext,
  where: string,
  { name, runs, orphans }: CleanupPlan & { readonly name: string },
  input: CleanupInput,
): Promise<void> {
  const { stderr } = context.terminal;
  const channel = input.dryRun ? context.terminal.stdout : stderr;
  const lines: string[] = [];
  if (runs.length === 0) lines.push(`No runs of ${name} to delete.`);
  else {
    const rows = runs
      .slice(0, maxRows)
      .map((run) => [
        run.dagRunId,
        formatStatus(channel, run.status),
        formatDateTime(new Date(run.finishedAt)),
      ]);
    lines.push(...formatTable(['RUN ID', 'STATUS', 'ENDED'], rows, []));
    if (runs.length > maxRows) lines.push(`… and ${runs.length - maxRows} more`);
    if (input.dryRun)
      lines.push(`Would delete ${pluralize(runs.length, 'run')} of ${name} with sub-runs and logs.`);
  }
  if (orphans.length > 0) {
    const remedy = input.orphans ? '' : '; delete them with --orphans';
    lines.push(`Log folders without a run in ${where}: ${orphans.length}${remedy}.`);
  }
  await channel.write(`${lines.join('\n')}\n`);
}

function createProgress(context: CommandContext, input: CleanupInput) {
  const { stderr } = context.terminal;
  if (!stderr.isTty || input.format === 'json') return {};
  return { onProgress: (runs: number) => stderr.pin([`Deleted ${pluralize(runs, 'run')}`]) };
}

async function printReport(
  context: CommandContext,
  { format }: CleanupInput,
  { name, report }: { name: string; report: CleanupReport },
): Promise<void> {
  const { stderr } = context.terminal;
  stderr.pin([]);
  if (format === 'json') {
    await printJson(context, {
      name,
      removed: { runs: report.runs, logFolders: report.logFolders },
      failures: report.failures,
    });
    return;
  }
  await printLines(context, [
    `Deleted ${pluralize(report.runs, 'run')} of ${name} (sub-runs included) and ${pluralize(report.logFolders, 'log folder')}.`,
  ]);
  for (const { folder, reason } of report.failures)
    await stderr.write(`engine: cannot delete ${folder}: ${oneLine(reason)}\n`);
}

export interface SalvageInput {
  /** Also if the database is intact. */
  readonly force: boolean;
  readonly yes: boolean;
  readonly format: OutputFormat;
}

/** Recovers the readable contents of a corrupt database into a new one. Does nothing if it is intact. */
export async function runSalvage(context: CommandContext, input: SalvageInput): Promise<number> {
  const { clock, terminal } = context;
  const paths = await prepareHomePaths(context);
  const { database, findings } = await checkHome(paths);
  if (findings.length === 0 && !input.force) {
    if (input.format === 'json') await printJson(context, { database, isSound: true });
    else await printLines(context, [`No damage found in ${database}. Nothing was changed.`]);
    return exitCodes.success;
  }
  const question = `Salvage the readable data of ${database} and keep a copy of the damaged file`;
  const advice = 'Add --yes to confirm. To check without changes, run "engine check".';
  if (!input.yes && !(await confirm(context, question, advice))) {
    await terminal.stderr.write('Nothing was changed.\n');
    return exitCodes.success;
  }
  const report = await salvageHome(paths, clock);
  if (input.format === 'json') await printJson(context, { database, ...report });
  else await printLines(context, formatSalvage(report));
  return exitCodes.success;
}

function formatSalvage(report: HomeSalvage): string[] {
  const damaged = report.tables.filter(({ isDamaged }) => isDamaged);
  const rows = damaged.map(({ table, rows: saved, expected }) => [
    table,
    String(saved),
    expected === undefined ? 'unknown' : String(Math.max(0, expected - saved)),
  ]);
  return [
    `${pluralize(report.runs, 'run')} recovered`,
    ...(damaged.length === 0
      ? ['All rows were readable.']
      : formatTable(['DAMAGED', 'SAVED', 'LOST'], rows, [])),
    ...(report.rowsDropped === 0
      ? []
      : [`Rows dropped because their parent row is lost: ${report.rowsDropped}`]),
    ...(report.textsLost + report.textsDamaged === 0
      ? []
      : [`Workflow sources lost: ${report.textsLost}, damaged but kept: ${report.textsDamaged}`]),
    ...(report.runsEnded === 0
      ? []
      : [`Runs active before the damage, now marked as aborted: ${report.runsEnded}`]),
    `The damaged files are kept in ${report.kept}.`,
  ];
}
