import type {
  RunDetailView,
  RunHostView,
  StepRunView,
  AttemptView,
  ItemSummaryView,
} from '../contract/run-views.ts';
import { formatActor } from '../model/run-event.ts';
import type { EngineApi, Caller } from '../api/engine-api.ts';
import { AppError } from '../base/errors.ts';
import type { RunRef, RunStatus, StepStatus } from '../model/run.ts';
import { exitCodes } from '../base/error-codes.ts';
import type { Channel } from './terminal.ts';
import {
  truncateToWidth,
  oneLine,
  formatStatus,
  formatFields,
  formatTable,
  formatDateTime,
  formatElapsed,
} from './format.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from './command-context.ts';
import type { EngineClient } from './host/engine-client.ts';
import { formatBytes } from '../base/text.ts';

type StoredReason = NonNullable<NonNullable<RunDetailView['wait']>['kept']>;

const maxCellWidth = 60;

/** Returns a summary of a run: its name, outcome and steps. `now` in epoch milliseconds. */
export function summarizeRun(run: RunDetailView, channel: Channel, now: number): string[] {
  const outputs = Object.entries(run.outputs).map(([name, value]) => `${name}=${formatValue(value)}`);
  const fields = formatFields([
    ['Run', `${channel.paint('bold', run.name)}  ${run.dagRunId}`],
    ['Status', formatStatus(channel, run.status)],
    ['Trigger', formatTrigger(run)],
    ['Started', run.startedAt === undefined ? undefined : formatDateTime(new Date(run.startedAt))],
    ['Duration', formatElapsed(run, now)],
    ['Params', joinOnOneLine(formatParams(run.params))],
    ['Outputs', joinOnOneLine(outputs)],
    [
      run.wait === undefined ? 'Error' : 'Wait reason',
      run.error === undefined ? undefined : oneLine(run.error),
    ],
    ['Waiting', run.waiting === undefined ? undefined : oneLine(run.waiting)],
    ['Last reason', run.wait?.kept && formatStoredReason(run.wait.kept)],
    ['Stopped', run.stopRequestedBy === undefined ? undefined : oneLine(formatActor(run.stopRequestedBy))],
    ['Host', run.host && formatHost(run.host)],
    ...listRecoveries(run).map(formatRecovery),
    ['Peak usage', run.peakUsage && formatPeaks(run.peakUsage)],
    ['Logs', run.logDir],
    ['Trace', run.traceId],
  ]);
  return [...fields, '', ...tabulateSteps(run, channel, now)];
}

/** Returns `api, by anna` or `api, over HTTP`. The user is unknown for sub-runs and runs of earlier releases. */
const formatTrigger = ({ trigger, startedBy }: RunDetailView): string =>
  startedBy === undefined || startedBy === trigger
    ? trigger
    : `${trigger}, ${oneLine(formatActor(startedBy))}`;

/** Returns `server, process 12 on box, since …`, or why no process currently drives the run. */
function formatHost({ kind, hostname, pid, since, lastSeenAt, gone }: RunHostView): string {
  const name = `${kind === 'cli' ? 'command' : kind}, process ${pid} on ${hostname}`;
  const formatSeen = (iso: string): string => formatDateTime(new Date(iso));
  if (gone === undefined) return `${name}, since ${formatSeen(since)}`;
  return `no host (last: ${name}, seen ${formatSeen(lastSeenAt)}): ${oneLine(gone)}`;
}

/** Describes the queueing reason that a host recorded. The host may have ended. */
const formatStoredReason = ({ at, reason }: StoredReason): string =>
  oneLine(`${formatDateTime(new Date(at))}: ${reason}`);

const formatPeaks = ({ cpu, memory }: NonNullable<RunDetailView['peakUsage']>): string =>
  `${cpu}% CPU, ${formatBytes(memory)}`;

/** A server of an earlier release sends them as `takeOvers`. */
const listRecoveries = ({
  recoveries,
  takeOvers,
}: Partial<Pick<RunDetailView, 'recoveries' | 'takeOvers'>>): RunDetailView['recoveries'] =>
  recoveries ?? takeOvers ?? [];

const formatRecovery = ({ at, by, from, reason }: RunDetailView['recoveries'][number]): [string, string] => [
  'Taken over',
  oneLine(`${formatDateTime(new Date(at))} by ${by} from ${from}: ${reason}`),
];

const joinOnOneLine = (items: readonly string[]): string =>
  items
    .map((item) => truncateToWidth(oneLine(item), maxCellWidth))
    .map((item) => (item.includes(' ') ? JSON.stringify(item) : item))
    .join(' ');

function tabulateSteps(run: RunDetailView, channel: Channel, now: number): string[] {
  const handlers = run.handlers.filter((handler) => handler.status !== 'not_started');
  const nodes = [...run.steps, ...handlers];
  // Most runs use no workers.
  const hasWorkers = nodes.some((step) => getWorker(step) !== undefined);
  const rows = nodes.map((step) => {
    const [name = '', ...cells] = formatStep(step, channel, now);
    return hasWorkers ? [name, getWorker(step) ?? '', ...cells] : [name, ...cells];
  });
  const where = hasWorkers ? ['WORKER'] : [];
  const headings = ['STEP', ...where, 'STATUS', 'ITEMS', 'DURATION', 'ATTEMPTS', 'EXIT', 'ERROR'];
  return formatTable(headings, rows, ['ITEMS', 'DURATION', 'ATTEMPTS', 'EXIT']);
}

const getWorker = ({ attempts }: StepRunView): string | undefined => {
  const worker = attempts.at(-1)?.worker;
  return worker && truncateToWidth(oneLine(worker.id), maxCellWidth);
};

/** Describes a step's error, or what it waits for. */
function explain({ error, waiting }: StepRunView): string {
  if (waiting !== undefined) return `waiting: ${oneLine(waiting)}`;
  return error === undefined ? '' : oneLine(error);
}

function formatStep(step: StepRunView, channel: Channel, now: number): string[] {
  return [
    truncateToWidth(oneLine(step.name), maxCellWidth),
    formatStatus(channel, step.status),
    countSucceeded(step),
    formatElapsed(step, now) ?? '',
    step.attempts.length > 1 ? String(step.attempts.length) : '',
    String(step.exitCode ?? step.signal ?? ''),
    explain(step),
  ];
}

/** Returns `118/120`, the succeeded items of all; a later attempt has only the items that had not succeeded yet. */
function countSucceeded({ items, attempts }: StepRunView): string {
  if (items === undefined) return '';
  const attempt = attempts.length > 1 ? ` in attempt ${attempts.at(-1)!.attempt}` : '';
  return `${items.succeeded}/${items.total ?? items.started}${attempt}`;
}

/** A run as shown by `--format json` in all commands. Times are ISO 8601 in UTC. */
export interface RunJson {
  name: string;
  dagRunId: string;
  status: RunStatus;
  error?: string;
  /** Why it waits in its queue, while queued. */
  wait?: RunDetailView['wait'];
  /** User who started the run; absent for sub-runs and runs of releases that did not record it. */
  startedBy?: string;
  /** `NAME=value` in order; positional parameters are named `1`, `2`, … */
  params: string[];
  startedAt: string | null;
  finishedAt: string | null;
  /** W3C Trace Context; absent for runs of releases before tracing. */
  traceId?: string;
  outputs: Record<string, unknown>;
  /** The process that drives it, while active; `gone` is the reason if no process does. */
  host?: RunHostView;
  /** How other hosts recovered it; absent if they did not. */
  recoveries?: RunDetailView['recoveries'];
  /** Former name of `recoveries`. */
  takeOvers?: RunDetailView['recoveries'];
  /** Peak usage of its processes; absent while running, and if not measured. */
  peakUsage?: RunDetailView['peakUsage'];
  steps: StepJson[];
  handlers: StepJson[];
}

/** A step or a handler of {@link RunJson}. */
export interface StepJson {
  name: string;
  status: StepStatus;
  /** Null if no process has exited by itself: not started, ended by a signal, skipped. */
  exitCode: number | null;
  signal?: string;
  /** Number of attempts. */
  attempts: number;
  error?: string;
  /** Captured `output`; for a handler it is stored only here. */
  output?: StepRunView['output'];
  /** Why it waits for a worker; absent if it does not. */
  waiting?: string;
  /** Worker of its newest attempt; absent for the host's own machine. */
  worker?: AttemptView['worker'];
  startedAt: string | null;
  finishedAt: string | null;
  /** Absolute paths of the newest attempt's logs; null without an attempt. */
  stdoutFile: string | null;
  stderrFile: string | null;
  /** Items of the newest attempt; absent for a step without `parallel`. */
  items?: ItemSummaryView;
  /** Sub-runs of the step, with all their steps; absent if there are none. */
  subRuns?: (RunJson | (RunRef & { status: RunStatus }))[];
}

type SubRunJson = NonNullable<StepJson['subRuns']>[number];

/** Returns a run as JSON, including all levels of sub-runs. */
export async function toRunJson(api: EngineApi, caller: Caller, run: RunDetailView): Promise<RunJson> {
  const toStepsJson = (steps: readonly StepRunView[]): Promise<StepJson[]> =>
    Promise.all(steps.map((step) => stepJson(step, (ref) => toSubRunJson(api, caller, ref))));
  const recoveries = listRecoveries(run);
  return {
    name: run.name,
    dagRunId: run.dagRunId,
    status: run.status,
    ...(run.error === undefined ? {} : { error: run.error }),
    ...(run.wait === undefined ? {} : { wait: run.wait }),
    ...(run.startedBy === undefined ? {} : { startedBy: run.startedBy }),
    params: formatParams(run.params),
    startedAt: run.startedAt ?? null,
    finishedAt: run.finishedAt ?? null,
    ...(run.traceId === undefined ? {} : { traceId: run.traceId }),
    outputs: run.outputs,
    ...(run.host === undefined ? {} : { host: run.host }),
    ...(recoveries.length === 0 ? {} : { recoveries, takeOvers: recoveries }),
    ...(run.peakUsage === undefined ? {} : { peakUsage: run.peakUsage }),
    steps: await toStepsJson(run.steps),
    handlers: await toStepsJson(run.handlers),
  };
}

/** Formats parameters as a list of `NAME=value`, as in the history (same as Dagu). */
export function formatParams(params: RunDetailView['params']): string[] {
  return params.map(({ name, value }) => `${name}=${value}`);
}

async function stepJson(
  step: StepRunView,
  toSubRun: (ref: RunRef) => Promise<SubRunJson>,
): Promise<StepJson> {
  const last = step.attempts.at(-1);
  return {
    name: step.name,
    status: step.status,
    exitCode: step.exitCode ?? null,
    ...(step.signal === undefined ? {} : { signal: step.signal }),
    attempts: step.attempts.length,
    ...(step.error === undefined ? {} : { error: step.error }),
    ...(step.output === undefined ? {} : { output: step.output }),
    ...(step.waiting === undefined ? {} : { waiting: step.waiting }),
    ...(last?.worker === undefined ? {} : { worker: last.worker }),
    startedAt: step.startedAt ?? null,
    finishedAt: step.finishedAt ?? null,
    stdoutFile: last?.stdoutFile ?? null,
    stderrFile: last?.stderrFile ?? null,
    ...(step.items === undefined ? {} : { items: step.items }),
    ...(step.subRuns.length === 0 ? {} : { subRuns: await Promise.all(step.subRuns.map(toSubRun)) }),
  };
}

/** Describes a sub-run. One that was recorded but not created when its parent ended has no details. */
async function toSubRunJson(api: EngineApi, caller: Caller, ref: RunRef): Promise<SubRunJson> {
  try {
    return await toRunJson(api, caller, await api.call('runs.get', ref, caller));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { ...ref, status: 'not_started' };
    throw error;
  }
}

/** Returns a JSON value for a table cell: a string unchanged, other values as JSON. */
const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the outcome of a run: `run 01a1… of etl failed: step load failed`. */
export const formatOutcome = ({ name, dagRunId, status, error }: RunDetailView): string =>
  `run ${dagRunId} of ${name} ${status}${error === undefined ? '' : `: ${oneLine(error)}`}`;

/** Reports that a run is queued, and why. JSON: `{name, dagRunId, status, error, wait}`. */
export async function printEnqueued(
  context: CommandContext,
  { api }: Pick<EngineClient, 'api'>,
  run: RunRef,
  { format, quiet }: { readonly format: OutputFormat; readonly quiet: boolean },
): Promise<number> {
  const { name, dagRunId, status, error, wait } = await api.call(
    'runs.get',
    { name: run.name, dagRunId: run.dagRunId },
    context.caller,
  );
  if (format === 'json') await printJson(context, { name, dagRunId, status, error, wait });
  else if (!quiet) {
    const reason = wait === undefined ? status : oneLine(error ?? '');
    await printLines(context, [`Queued run ${dagRunId} of ${name}: ${reason}`]);
  }
  return exitCodes.success;
}
