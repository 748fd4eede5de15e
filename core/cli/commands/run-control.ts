import { AppError } from '../../base/errors.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { latestRunId } from '../../base/ids.ts';
import type { RerunPlanView } from '../../contract/runs.ts';
import { type RunRef, activeRunStatuses, isFinal } from '../../model/run.ts';
import type { RunDetailView, RunNoteView } from '../../contract/run-views.ts';
import { formatActor } from '../../model/run-event.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { findRun, findActiveRun } from '../arguments.ts';
import type { CiReports } from '../ci-reports.ts';
import { watchRun } from '../progress.ts';
import type { ReportTarget } from '../options.ts';
import { formatOutcome } from '../run-report.ts';
import { type EngineClient, readPages } from '../host/engine-client.ts';
import type { Channel } from '../terminal.ts';
import { oneLine, formatDateTime, formatStatus, formatTable } from '../format.ts';

export interface RetryInput {
  /** Optional if `name` is set. */
  readonly dag?: string;
  /** Run name, if it differs from the workflow name. */
  readonly name?: string;
  /** Default: the newest run. */
  readonly runId?: string;
  /** The run as an argument. */
  readonly run?: string;
  /** Start with this step. */
  readonly step?: string;
  /** With `step`: include dependent steps. */
  readonly downstream: boolean;
  /** Start with this step and its dependents. */
  readonly from?: string;
  /** Resume with the current text of the file. */
  readonly current: boolean;
  /** Go on although steps that succeeded were removed or renamed. */
  readonly acceptRemoved: boolean;
  /** Only show what would run again. */
  readonly dryRun: boolean;
  readonly format: OutputFormat;
  readonly quiet: boolean;
  readonly report?: readonly ReportTarget[];
}

/** Checks that the report files can be written. */
async function openReports(
  context: CommandContext,
  targets: readonly ReportTarget[] | undefined,
): Promise<CiReports | undefined> {
  return targets && (await import('../ci-reports.ts')).openReports(context, targets);
}

/** Retries a finished run after showing which steps run again. The exit code is that of a start. */
export async function runRetry(context: CommandContext, input: RetryInput): Promise<number> {
  checkRetryOptions(input);
  const runId = input.runId ?? input.run;
  const dag = input.name ?? input.dag;
  if (dag === undefined) {
    throw new AppError('bad_request', 'No workflow specified.', {
      details: {
        hint: 'Use "engine retry DAG", or "engine retry --name NAME" for runs started with --name.',
      },
    });
  }
  const reports = await openReports(context, input.report);
  return withHost(context, async (host) => {
    const { api } = host;
    const run =
      input.name === undefined
        ? await findRun(context, host, { dag, dagRunId: runId })
        : await api.call('runs.get', { name: dag, dagRunId: runId ?? latestRunId }, context.caller);
    const { name, dagRunId } = run;
    const options = { name, dagRunId, ...toRetryOptions(input) };
    const plan = await api.call('runs.retryPlan', options, context.caller);
    if (input.dryRun) return showPlan(context, { name, dagRunId, plan }, input);
    if (!input.quiet) await printPlan(context, plan);
    const { acceptRemoved } = input;
    assertAccepted(plan, acceptRemoved);
    await api.call('runs.retry', { ...options, ...(acceptRemoved && { acceptRemoved }) }, context.caller);
    const reusedSteps = plan.steps.filter(({ action }) => action === 'keep').map((step) => step.name);
    const { format, quiet } = input;
    return watchRun(
      context,
      host,
      { name, dagRunId },
      {
        format,
        quiet,
        before: { run, reusedSteps: new Set(reusedSteps) },
        note: { plan },
        reports,
      },
    );
  });
}

function checkRetryOptions(input: RetryInput): void {
  const { downstream, step, from, run, runId } = input;
  if (downstream && step === undefined)
    throw new AppError('bad_request', 'Option --downstream requires --step NAME.');
  if (from !== undefined && step !== undefined)
    throw new AppError('bad_request', 'Options --from and --step cannot be used together.');
  if (run !== undefined && runId !== undefined && run !== runId)
    throw new AppError('bad_request', 'Specify either RUN or --run-id.');
}

function assertAccepted({ lost = [] }: RerunPlanView, acceptRemoved: boolean): void {
  if (acceptRemoved || lost.length === 0) return;
  const names = lost.map(({ name, renamedTo }) =>
    renamedTo === undefined ? name : `${name} (renamed to ${renamedTo})`,
  );
  throw new AppError('conflict', `Steps that succeeded are not in the current file: ${names.join(', ')}.`, {
    details: { removed: lost, hint: 'Use --accept-removed to continue without their results.' },
  });
}

const toRetryOptions = ({ step, downstream, from, current }: RetryInput) => ({
  ...(from === undefined ? { stepName: step, downstream } : { from }),
  // An older server does not know it.
  ...(current && { spec: 'file' as const }),
});

async function showPlan(
  context: CommandContext,
  response: { readonly name: string; readonly dagRunId: string; readonly plan: RerunPlanView },
  { format }: RetryInput,
): Promise<number> {
  if (format === 'json') await printJson(context, response);
  else {
    await printNote(context, response.plan);
    await printLines(context, formatPlan(response.plan, context.terminal.stdout));
  }
  return exitCodes.success;
}

/** Says which text the retry uses. */
async function printNote({ terminal: { stderr } }: CommandContext, plan: RerunPlanView): Promise<void> {
  const note = findRetryNote(plan);
  if (note !== undefined) await stderr.write(`engine: ${note}\n`);
}

function findRetryNote({ spec, file }: RerunPlanView): string | undefined {
  if (spec === 'file')
    return file?.state === 'changed'
      ? 'the file has changed since the run; using the current file'
      : 'the file has not changed since the run';
  if (file?.state === 'changed')
    return 'the file has changed since the run; using the text of the run (--current uses the file)';
  if (file?.problem === undefined) return undefined;
  return `using the text of the run; the current file is ${file.state}: ${oneLine(file.problem)}`;
}

async function printPlan(context: CommandContext, plan: RerunPlanView): Promise<void> {
  const { stderr } = context.terminal;
  await printNote(context, plan);
  await stderr.write(`${formatPlan(plan, stderr).join('\n')}\n\n`);
}

export interface RestartInput {
  readonly dag: string;
  /** Default: the newest active run. */
  readonly runId?: string;
  readonly format: OutputFormat;
  readonly quiet: boolean;
  readonly report?: readonly ReportTarget[];
}

/** Stops an active run, whichever process drives it, and reruns it here with the same parameters. */
export async function runRestart(context: CommandContext, input: RestartInput): Promise<number> {
  const reports = await openReports(context, input.report);
  return withHost(context, async (host) => {
    const { name, dagRunId } = await findActiveRun(context, host, input);
    if (!input.quiet)
      await context.terminal.stderr.write(
        `engine: stopping run ${dagRunId} of ${name}, then starting a new run\n`,
      );
    const run = await host.api.call('runs.restart', { name, dagRunId }, context.caller);
    return watchRun(context, host, run, { ...input, reports });
  });
}

export interface RecoverInput {
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/**
 * Takes over orphaned runs and drives them to their end. Succeeds regardless of their outcome. If this process ends
 * early, the next host takes them over.
 */
export async function runRecover(context: CommandContext, input: RecoverInput): Promise<number> {
  await context.startWatchdog();
  const host = await context.openHost();
  const recovered: RunDetailView[] = [];
  try {
    for (let runs = await host.recoverRuns(); runs.length > 0; runs = await host.recoverRuns()) {
      if (!input.quiet && input.format === 'text') await printLines(context, runs.map(formatRecovered));
      const ended = await Promise.all(runs.map((run) => host.waitForEnd(run)));
      recovered.push(...ended);
      if (!input.quiet && input.format === 'text') await printLines(context, ended.map(formatOutcome));
    }
  } finally {
    await host.close('leave');
  }
  await printAll(context, input, recovered);
  return exitCodes.success;
}

const formatRecovered = ({ name, dagRunId }: RunRef): string => `Recovered run ${dagRunId} of ${name}.`;

async function printAll(
  context: CommandContext,
  { format, quiet }: RecoverInput,
  runs: readonly RunDetailView[],
): Promise<void> {
  if (format === 'json') {
    const dagRuns = runs.map(({ name, dagRunId, status, error }) => ({ name, dagRunId, status, error }));
    await printJson(context, { dagRuns });
  } else if (!quiet && runs.length === 0) {
    await printLines(context, ['Nothing to recover: all active runs have a host.']);
  }
}

export interface StopInput {
  readonly dag: string;
  readonly runId?: string;
  /** All active and queued runs instead of one. */
  readonly all: boolean;
  /** Return only after the run has ended. */
  readonly wait: boolean;
  readonly format: OutputFormat;
}

/** Returns the state of a run. A queued run has ended by now. */
function findState(
  { caller }: CommandContext,
  host: EngineClient,
  run: StoppedRun,
  isAwaited: boolean,
): Promise<StoppedRun> {
  if (isAwaited) return host.waitForEnd(run);
  return run.status === 'queued'
    ? host.api.call('runs.get', { name: run.name, dagRunId: run.dagRunId }, caller)
    : Promise.resolve(run);
}

/** Asks the process that drives a run to stop it gracefully. */
export function runStop(context: CommandContext, input: StopInput): Promise<number> {
  if (input.all && input.runId !== undefined)
    throw new AppError('bad_request', 'Options --all and --run-id cannot be used together.');
  return withHost(context, async (host) => {
    if (input.all) return stopAll(context, host, input);
    const run = await findActiveRun(context, host, input);
    const { name, dagRunId, status } = await stopOne(context, host, run, input.wait);
    if (input.format === 'json') await printJson(context, { name, dagRunId, status });
    else await printLines(context, [formatStoppedRun({ name, dagRunId, status })]);
    return exitCodes.success;
  });
}

type StoppedRun = Pick<RunDetailView, 'name' | 'dagRunId' | 'status'>;

const formatStoppedRun = ({ name, dagRunId, status }: StoppedRun): string =>
  `Run ${dagRunId} of ${name}: ${isFinal(status) ? status : 'stopping'}`;

async function stopOne(
  context: CommandContext,
  host: EngineClient,
  { name, dagRunId, status }: StoppedRun,
  isAwaited: boolean,
): Promise<StoppedRun> {
  await host.api.call('runs.stop', { name, dagRunId }, context.caller);
  return findState(context, host, { name, dagRunId, status }, isAwaited);
}

/** Stops all active and queued runs. Succeeds if there are none. */
async function stopAll(context: CommandContext, host: EngineClient, input: StopInput): Promise<number> {
  const { caller } = context;
  const stopped: StoppedRun[] = [];
  for (const name of await host.workflows.runNames(input.dag)) {
    const active = await readPages(async (page) => {
      const filter = { name, status: [...activeRunStatuses], ...page };
      const { dagRuns, nextCursor } = await host.api.call('runs.list', filter, caller);
      return { entries: dagRuns, nextCursor };
    });
    for (const run of active) stopped.push(...(await tryStop(context, host, run)));
  }
  const ended = await Promise.all(stopped.map((run) => findState(context, host, run, input.wait)));
  if (input.format === 'json')
    await printJson(context, {
      dagRuns: ended.map(({ name, dagRunId, status }) => ({ name, dagRunId, status })),
    });
  else
    await printLines(
      context,
      ended.length === 0 ? [`No active runs of ${input.dag}.`] : ended.map(formatStoppedRun),
    );
  return exitCodes.success;
}

/** Stops a run. Ignores a run that has just ended. */
async function tryStop(
  { caller }: CommandContext,
  { api }: EngineClient,
  { name, dagRunId, status }: StoppedRun,
): Promise<StoppedRun[]> {
  try {
    await api.call('runs.stop', { name, dagRunId }, caller);
    return [{ name, dagRunId, status }];
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_running') return [];
    throw error;
  }
}

/** Returns the steps to run again and to keep, one per line, then the handlers. */
function formatPlan({ steps, handlers }: RerunPlanView, channel: Channel): string[] {
  const rows = steps.map(({ name, action, status, reason }) => [
    oneLine(name),
    action,
    formatStatus(channel, status),
    oneLine(reason),
  ]);
  const table = formatTable(['STEP', 'ACTION', 'STATUS', 'REASON'], rows);
  return handlers.length === 0 ? table : [...table, `Handlers that run again: ${handlers.join(', ')}.`];
}

export interface NoteInput {
  readonly dag: string;
  /** Default: print the note. */
  readonly text?: string | undefined;
  /** Default: the newest run. */
  readonly runId?: string | undefined;
  readonly delete: boolean;
  readonly format: OutputFormat;
}

/** Prints, sets or deletes the note of a run. */
export async function runNote(context: CommandContext, input: NoteInput): Promise<number> {
  const { dag, runId, text, delete: isDeleted, format } = input;
  if (isDeleted && text !== undefined) throw new AppError('bad_request', 'Specify either TEXT or --delete.');
  return withHost(context, async (host) => {
    const run = await findRun(context, host, { dag, dagRunId: runId });
    const { name, dagRunId } = run;
    const isChanged = isDeleted || text !== undefined;
    const { note } = isChanged
      ? await host.api.call('runs.setNote', { name, dagRunId, text: text ?? '' }, context.caller)
      : run;
    if (format === 'json') await printJson(context, { name, dagRunId, note });
    else if (isChanged)
      await printLines(context, [
        `Note of run ${dagRunId} of ${name} ${note === undefined ? 'deleted' : 'saved'}.`,
      ]);
    else if (note === undefined)
      await context.terminal.stderr.write(`Run ${dagRunId} of ${name} has no note.\n`);
    else await printLines(context, noteLines(note));
    return exitCodes.success;
  });
}

/** Control characters are removed from each line, because a note may come from anyone. */
const noteLines = ({ text, author, at }: RunNoteView): string[] => [
  ...text.split('\n').map(oneLine),
  `(${oneLine(formatActor(author))}, ${formatDateTime(new Date(at))})`,
];
