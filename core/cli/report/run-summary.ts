import type { RunDetailView, RunHostView, StepRunView } from '../../contract/runs/run-views.ts';
import { formatActor } from '../../model/run/actor.ts';
import type { Channel } from '../terminal.ts';
import { formatBytes } from './bytes-text.ts';
import { truncateToWidth, oneLine } from './plain-text.ts';
import { formatParams, formatValue } from './run-json.ts';
import { formatStatus } from './status-styles.ts';
import { formatFields, formatTable } from './table.ts';
import { formatDateTime, formatElapsed } from './time-text.ts';

type StoredReason = NonNullable<NonNullable<RunDetailView['wait']>['kept']>;

const maxCellWidth = 60;

/** Returns a summary of a run: its name, outcome and steps. `now` in epoch milliseconds. */
export function summarizeRun(run: RunDetailView, channel: Channel, now: number): string[] {
  const outputs = Object.entries(run.outputs).map(([name, value]) => `${name}=${formatValue(value)}`);
  const fields = formatFields([
    ['Run', `${channel.paint('bold', run.name)}  ${run.dagRunId}`],
    ['Status', formatStatus(channel, run.status)],
    ['Trigger', describeTrigger(run)],
    ['Started', run.startedAt === undefined ? undefined : formatDateTime(new Date(run.startedAt))],
    ['Duration', formatElapsed(run, now)],
    ['Params', joinOnOneLine(formatParams(run.params))],
    ['Outputs', joinOnOneLine(outputs)],
    [run.wait === undefined ? 'Error' : 'Waits', run.error === undefined ? undefined : oneLine(run.error)],
    ['Waiting', run.waiting === undefined ? undefined : oneLine(run.waiting)],
    ['Last reason', run.wait?.kept && describeKept(run.wait.kept)],
    ['Stopped', run.stopRequestedBy === undefined ? undefined : oneLine(formatActor(run.stopRequestedBy))],
    ['Host', run.host && describeHost(run.host)],
    ...run.takeOvers.map(describeRecovery),
    ['Peak usage', run.peakUsage && describePeaks(run.peakUsage)],
    ['Logs', run.logDir],
    ['Trace', run.traceId],
  ]);
  return [...fields, '', ...tabulateSteps(run, channel, now)];
}

/** Returns `api, by anna` or `api, over HTTP`. The user is unknown for sub-runs and runs of earlier releases. */
const describeTrigger = ({ trigger, startedBy }: RunDetailView): string =>
  startedBy === undefined || startedBy === trigger
    ? trigger
    : `${trigger}, ${oneLine(formatActor(startedBy))}`;

/** Returns `server, process 12 on box, since …`, or why no process currently drives the run. */
function describeHost({ kind, hostname, pid, since, lastSeenAt, gone }: RunHostView): string {
  const name = `${kind === 'cli' ? 'command' : kind}, process ${pid} on ${hostname}`;
  const formatSeen = (iso: string): string => formatDateTime(new Date(iso));
  if (gone === undefined) return `${name}, since ${formatSeen(since)}`;
  return `no host (last: ${name}, seen ${formatSeen(lastSeenAt)}): ${oneLine(gone)}`;
}

/** Describes the queueing reason that a host recorded. The host may have ended. */
const describeKept = ({ at, reason }: StoredReason): string =>
  oneLine(`${formatDateTime(new Date(at))}: ${reason}`);

const describePeaks = ({ cpu, memory }: NonNullable<RunDetailView['peakUsage']>): string =>
  `${cpu} % CPU, ${formatBytes(memory)}`;

const describeRecovery = ({ at, by, from, reason }: RunDetailView['takeOvers'][number]): [string, string] => [
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
  const hasWorkers = nodes.some((step) => workerOf(step) !== undefined);
  const rows = nodes.map((step) => {
    const [name = '', ...cells] = describeStep(step, channel, now);
    return hasWorkers ? [name, workerOf(step) ?? '', ...cells] : [name, ...cells];
  });
  const where = hasWorkers ? ['WORKER'] : [];
  const headings = ['STEP', ...where, 'STATUS', 'ITEMS', 'DURATION', 'ATTEMPTS', 'EXIT', 'ERROR'];
  return formatTable(headings, rows, ['ITEMS', 'DURATION', 'ATTEMPTS', 'EXIT']);
}

const workerOf = ({ attempts }: StepRunView): string | undefined => {
  const worker = attempts.at(-1)?.worker;
  return worker && truncateToWidth(oneLine(worker.id), maxCellWidth);
};

/** Describes a step's error, or what it waits for. */
function explain({ error, waiting }: StepRunView): string {
  if (waiting !== undefined) return `waiting: ${oneLine(waiting)}`;
  return error === undefined ? '' : oneLine(error);
}

function describeStep(step: StepRunView, channel: Channel, now: number): string[] {
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

/** Returns `118/120`: succeeded items of all. */
const countSucceeded = ({ items }: StepRunView): string =>
  items === undefined ? '' : `${items.succeeded}/${items.total ?? items.started}`;
