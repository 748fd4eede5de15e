import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exitCodes, errorCodes } from '../../base/error-codes.ts';
import { engineStart } from '../../model/workflow-rules.ts';
import type { DagSummaryView } from '../../contract/dags.ts';
import type { EngineApi } from '../../api/engine-api.ts';
import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { checkHome } from '../../store/maintenance/open-home.ts';
import { pluralize } from '../../base/text.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
  prepareHomePaths,
} from '../command-context.ts';
import { listAllDags } from '../host/engine-client.ts';
import { truncateToWidth, oneLine, formatStatus, formatTable, formatDateTime } from '../format.ts';
import type { Channel } from '../terminal.ts';
import { confirm } from '../prompts.ts';

export interface DagsInput {
  /** Only names that contain this. */
  readonly name?: string;
  readonly tags: readonly string[];
  readonly sort: 'name' | 'nextRun';
  readonly format: OutputFormat;
}

/** Lists the workflows of the home with their next runs. An empty list is a success. */
export function runDags(context: CommandContext, input: DagsInput): Promise<number> {
  return withHost(context, async ({ api, location }) => {
    const { name, tags, sort } = input;
    const filter = { name, sort, ...(tags.length === 0 ? {} : { tags: [...tags] }) };
    const dags = await listAllDags(api, context.caller, filter);
    if (input.format === 'json') await printJson(context, { dags: dags.map(toJson) });
    else if (dags.length === 0) await context.terminal.stderr.write(`No workflows in ${location}.\n`);
    else {
      await printLines(context, tabulate(dags, context.terminal.stdout));
      if (dags.some(({ valid, suspended, nextRun }) => valid && !suspended && nextRun !== undefined))
        await warnWithoutScheduler(context, api);
    }
    return exitCodes.success;
  });
}

/** Says that scheduled workflows will not start if no scheduler of the home is active, and how to start one. */
async function warnWithoutScheduler({ caller, terminal }: CommandContext, api: EngineApi): Promise<void> {
  const { schedulers } = await api.call('services.scheduler', {}, caller);
  if (schedulers.some(({ status }) => status === 'active')) return;
  await terminal.stderr.write(
    'Scheduler not running: no scheduled run will start. Start it with "engine scheduler" or "engine start-all".\n',
  );
}

const toJson = (dag: DagSummaryView): object => ({
  fileName: dag.fileName,
  name: dag.name,
  description: dag.description ?? null,
  tags: dag.tags,
  valid: dag.valid,
  suspended: dag.suspended,
  nextRun: dag.nextRun ?? null,
  schedule: dag.schedule,
  stepCount: dag.stepCount,
  latestRun:
    dag.latestRun === undefined
      ? null
      : {
          dagRunId: dag.latestRun.dagRunId,
          status: dag.latestRun.status,
          startedAt: dag.latestRun.startedAt ?? null,
          finishedAt: dag.latestRun.finishedAt ?? null,
        },
});

function tabulate(dags: readonly DagSummaryView[], channel: Channel): string[] {
  const rows = dags.map((dag) => [
    dag.fileName,
    dag.latestRun === undefined ? '' : formatStatus(channel, dag.latestRun.status),
    formatNext(dag, channel),
    dag.tags.join(','),
    truncateToWidth(oneLine(dag.description ?? ''), 50),
  ]);
  return formatTable(['DAG', 'LATEST RUN', 'NEXT RUN', 'TAGS', 'DESCRIPTION'], rows, []);
}

function formatNext({ valid, suspended, nextRun, schedule }: DagSummaryView, channel: Channel): string {
  if (!valid) return channel.paint('red', 'invalid');
  if (suspended) return 'suspended';
  if (nextRun !== undefined) return formatDateTime(new Date(nextRun));
  return schedule.start.includes(engineStart) ? 'when the engine starts' : '';
}

export interface SuspendInput {
  readonly dag: string;
  /** False resumes it. */
  readonly suspend: boolean;
  readonly format: OutputFormat;
}

/** Pauses or resumes the schedule of a workflow. Idempotent. */
export function runSuspend(context: CommandContext, { dag, suspend, format }: SuspendInput): Promise<number> {
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const { suspended } = await api.call('dags.suspend', { fileName, suspend }, context.caller);
    if (format === 'json') await printJson(context, { fileName, suspended });
    else
      await printLines(context, [
        suspended
          ? `Suspended the schedule of ${fileName}. Manual runs still work: engine start ${fileName}`
          : `Resumed the schedule of ${fileName}.`,
      ]);
    if (!suspended && format !== 'json') await warnWithoutScheduler(context, api);
    return exitCodes.success;
  });
}

export interface PauseSchedulesInput {
  /** False resumes them. */
  readonly suspend: boolean;
  /** Duration of the pause in milliseconds; absent until resumed. */
  readonly forMs?: number | undefined;
  readonly format: OutputFormat;
}

/** Pauses or resumes all schedules of the home. Idempotent. */
export function runPauseSchedules(context: CommandContext, input: PauseSchedulesInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    if (input.suspend) await pause(context, api, input);
    else {
      const { wasPaused } = await api.call('schedules.resume', {}, context.caller);
      if (input.format === 'json') await printJson(context, { wasPaused });
      else
        await printLines(context, [
          wasPaused ? 'Resumed all schedules.' : 'The schedules of this home are not paused.',
        ]);
    }
    return exitCodes.success;
  });
}

type Api = Parameters<Parameters<typeof withHost>[1]>[0]['api'];

async function pause(
  context: CommandContext,
  api: Api,
  { forMs, format }: PauseSchedulesInput,
): Promise<void> {
  const until = forMs === undefined ? undefined : toIso(context.clock.now() + forMs);
  const response = await api.call(
    'schedules.pause',
    { ...(until !== undefined && { until }) },
    context.caller,
  );
  if (format === 'json') return printJson(context, response);
  const end =
    response.pause.until === undefined ? '' : ` until ${formatDateTime(new Date(response.pause.until))}`;
  await printLines(context, [
    `Paused all schedules${end}. Manual runs still work. Resume with: engine resume --all`,
  ]);
}

export interface CheckInput {
  readonly format: OutputFormat;
}

/** Checks the home's history for corruption. Throws `database_corrupt` after printing all errors. */
export async function runCheck(context: CommandContext, { format }: CheckInput): Promise<number> {
  const { database, findings } = await checkHome(await prepareHomePaths(context));
  if (format === 'json') {
    await printJson(context, { database, isSound: findings.length === 0, findings });
    return findings.length === 0 ? exitCodes.success : errorCodes.database_corrupt.exit;
  }
  await printLines(context, findings.length === 0 ? [`No damage found in ${database}.`] : findings);
  if (findings.length === 0) return exitCodes.success;
  throw new AppError('database_corrupt', `Database ${database} is damaged.`, {
    details: {
      hint: 'Run "engine restore BACKUP --force" or "engine salvage". Both keep the damaged files.',
    },
  });
}

export interface SchemaInput {
  /** Kind of file. */
  readonly kind: 'workflow' | 'base';
  /** Output file. Default: stdout. */
  readonly output?: string;
}

/** Prints the JSON Schema of a kind of file, for an editor. Does not read the home. */
export async function runSchema(context: CommandContext, { kind, output }: SchemaInput): Promise<number> {
  const schema = readFileSync(path.join(context.schemasDir, `${kind}.schema.json`), 'utf8');
  if (output === undefined) {
    await context.terminal.stdout.write(schema);
    return exitCodes.success;
  }
  const file = path.resolve(context.cwd, output);
  try {
    if (isOtherFile(file)) {
      throw new AppError(
        'already_exists',
        `${output} exists and is not a JSON Schema. It was not overwritten.`,
        {
          details: { hint: 'Choose another file, or delete this one first.' },
        },
      );
    }
    writeFileSync(file, schema);
  } catch (error) {
    throw error instanceof AppError ? error : schemaFileError(error, output);
  }
  await context.terminal.stderr.write(`Wrote ${output}\n`);
  return exitCodes.success;
}

/** Whether the file is not a schema. An existing schema may be overwritten, other files are not. */
function isOtherFile(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size === 0) return false;
  return !/^\s*\{\s*"\$schema"/.test(readFileSync(file, 'utf8'));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the directory does not exist',
  ENOTDIR: 'the directory does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

function schemaFileError(error: unknown, output: string): AppError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new AppError('bad_request', `Cannot write ${output}: ${reasons[code] ?? message}.`, {
    cause: error,
    details: { hint: 'Choose a file in a writable directory.' },
  });
}

export interface RenameInput {
  readonly dag: string;
  readonly newName: string;
  readonly keepReferences: boolean;
  readonly format: OutputFormat;
}

/** Renames a workflow file, its `name` and the steps of other workflows that run it. */
export function runRename(context: CommandContext, input: RenameInput): Promise<number> {
  const { dag, newName, keepReferences, format } = input;
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const renamed = await api.call(
      'dags.rename',
      { fileName, newFileName: newName, updateName: true, updateReferences: !keepReferences },
      context.caller,
    );
    if (format === 'json') await printJson(context, renamed);
    else
      await printLines(context, [
        `Renamed ${fileName} to ${renamed.fileName}.`,
        ...renamed.references.map((each) =>
          each.error === undefined
            ? `Updated ${each.fileName}: ${each.steps.join(', ')}`
            : `Not updated: ${each.fileName}. ${each.error}`,
        ),
      ]);
    return renamed.references.some(({ error }) => error !== undefined)
      ? exitCodes.runFailed
      : exitCodes.success;
  });
}

export interface DuplicateInput {
  readonly dag: string;
  readonly newName: string;
  readonly format: OutputFormat;
}

/** Copies a workflow file. */
export function runDuplicate(
  context: CommandContext,
  { dag, newName, format }: DuplicateInput,
): Promise<number> {
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const copy = await api.call('dags.duplicate', { fileName, newFileName: newName }, context.caller);
    if (format === 'json') await printJson(context, copy);
    else
      await printLines(context, [
        `Created ${copy.fileName}.${copy.suspended ? ` Its schedule is suspended: engine resume ${copy.fileName}` : ''}`,
      ]);
    return exitCodes.success;
  });
}

export interface DeleteInput {
  readonly dag: string;
  readonly runs: boolean;
  readonly stopRuns: boolean;
  readonly yes: boolean;
  readonly format: OutputFormat;
}

/** Deletes a workflow file, on request with its runs, after confirmation. */
export function runDelete(context: CommandContext, input: DeleteInput): Promise<number> {
  const { dag, runs, stopRuns, yes, format } = input;
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const question = `Delete workflow ${fileName}${runs ? ' with its runs and logs' : ''}`;
    if (!yes && !(await confirm(context, question, 'Add --yes to confirm.'))) {
      await context.terminal.stderr.write('Nothing was deleted.\n');
      return exitCodes.success;
    }
    const deleted = await api.call('dags.delete', { fileName, stopRuns }, context.caller);
    const { removed, errors } = runs
      ? await api.call('runs.deleteAll', { name: deleted.name }, context.caller)
      : { removed: 0, errors: [] };
    if (format === 'json') await printJson(context, { ...deleted, removed, errors });
    else
      await printLines(context, [
        `Deleted ${fileName}${runs ? ` and ${pluralize(removed, 'run')}` : ''}.`,
        ...errors.map((error) => `Not deleted: ${error}`),
      ]);
    return errors.length > 0 ? exitCodes.runFailed : exitCodes.success;
  });
}
