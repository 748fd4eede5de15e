import type {
  AttemptView,
  StepRunView,
  RunDetailView,
  RunSummaryView,
} from '../../../core/contract/run-views.ts';
import { type StepStatus, isFinal, type RunStatus } from '../../../core/model/run.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { isAsking } from '../../format/values.ts';
import type { TimeRange } from './timeline-axis.tsx';

/** A segment of a timeline row. */
export interface Segment extends TimeRange {
  /** `queue`: the run was queued. `wait`: waiting before the first attempt or between two attempts. */
  readonly kind: 'queue' | 'wait' | 'attempt';
  readonly status: StepStatus;
  /** Number of the attempt. */
  readonly attempt?: number;
}

/** Shorter pauses are overhead of the engine, in milliseconds. */
const minWait = 100;

/**
 * Returns the attempts of a step, with the waits before and between them.
 * @param ready when its last dependency ended or the run started, in epoch milliseconds
 * @param now end of running attempts
 */
export function getSegments(step: StepRunView, ready: number | undefined, now: number): Segment[] {
  const segments: Segment[] = [];
  let from = ready;
  step.attempts.forEach((attempt, index) => {
    const started = Date.parse(attempt.startedAt);
    if (from !== undefined && started - from >= minWait) {
      segments.push({ kind: 'wait', from, to: started, status: 'queued' });
    }
    const end = attempt.finishedAt === undefined ? now : Date.parse(attempt.finishedAt);
    const isLast = index === step.attempts.length - 1;
    const status = isLast && step.status !== 'not_started' ? step.status : getAttemptStatus(attempt);
    segments.push({ kind: 'attempt', from: started, to: end, status, attempt: attempt.attempt });
    from = end;
  });
  // The next attempt is due but has not started.
  const last = step.attempts.at(-1);
  if (step.status === 'running' && last?.finishedAt !== undefined && from !== undefined && from < now) {
    segments.push({ kind: 'wait', from, to: now, status: 'queued' });
  }
  return segments;
}

/**
 * Returns the time from the first attempt to the end, including pauses between attempts; the time in the queue
 * if there is no attempt. In milliseconds.
 */
export function getDuration(segments: readonly Segment[]): number {
  const first =
    segments.find(({ kind }) => kind === 'attempt') ?? segments.find(({ kind }) => kind === 'queue');
  return first === undefined ? 0 : segments.at(-1)!.to - first.from;
}

/** Returns the status of an attempt other than the last, whose status is that of the step. */
export function getAttemptStatus({ finishedAt, error, exitCode = 0, signal }: AttemptView): StepStatus {
  if (finishedAt === undefined) return 'running';
  return error !== undefined || exitCode !== 0 || signal !== undefined ? 'failed' : 'succeeded';
}

/**
 * Returns when a step could have started.
 * @param ends end of each step by name, in epoch milliseconds
 */
export function getReadyTime(
  depends: readonly string[],
  ends: ReadonlyMap<string, number>,
  runStart: number,
): number | undefined {
  const known = depends.map((name) => ends.get(name));
  if (known.includes(undefined)) return undefined;
  return Math.max(runStart, ...(known as number[]));
}

const getEnd = ({ finishedAt }: StepRunView): number =>
  finishedAt === undefined ? Infinity : Date.parse(finishedAt);

/**
 * Finds the critical path: the step that ended last, and from each step its dependency that ended last. In an
 * active run, the longest-running step counts as the last.
 * @returns step names
 */
export function findCriticalPath(
  workflow: Pick<Workflow, 'steps'>,
  steps: readonly StepRunView[],
): ReadonlySet<string> {
  const started = new Map(
    steps.filter(({ attempts }) => attempts.length > 0).map((step) => [step.name, step]),
  );
  const depends = new Map(workflow.steps.map((step) => [step.name, step.depends]));
  const path = new Set<string>();
  let next = findLast([...started.values()]);
  while (next !== undefined && !path.has(next.name)) {
    path.add(next.name);
    next = findLast((depends.get(next.name) ?? []).flatMap((name) => started.get(name) ?? []));
  }
  return path;
}

/** Returns the step that ended last; among running ones, the one that started first. */
function findLast(steps: readonly StepRunView[]): StepRunView | undefined {
  return [...steps].sort(
    (a, b) => getEnd(b) - getEnd(a) || (a.startedAt ?? '').localeCompare(b.startedAt ?? ''),
  )[0];
}

/** A row of the timeline: a step, a sub-run, or the time in the queue. */
export interface TimelineRow {
  /** Unique in the timeline, and stable for the same subject. */
  readonly key: string;
  readonly kind: 'queue' | 'step' | 'run';
  readonly name: string;
  /** 1 for the steps of the run itself. */
  readonly depth: number;
  readonly status: StepStatus;
  readonly segments: readonly Segment[];
  /** Whether the step is on the critical path. */
  readonly isCritical: boolean;
  /** Whether the step waits for approval. */
  readonly asks?: boolean;
  /** Whether its children are shown; absent if it has none. */
  readonly isOpen?: boolean;
  /** The run it belongs to; for the row of a run, that run. */
  readonly run: { readonly name: string; readonly dagRunId: string };
  readonly section: 'step' | 'handler';
}

/** Inputs of the timeline in addition to the run. */
export interface TimelineOptions {
  /** Keys of the expanded rows. */
  readonly open: ReadonlySet<string>;
  /** Summaries of all sub-runs. */
  readonly subRuns: readonly RunSummaryView[];
  /** The loaded sub-runs, by {@link runKey}. */
  readonly details: ReadonlyMap<string, RunDetailView>;
  /** Epoch milliseconds; the end of running steps. */
  readonly now: number;
}

export const runKey = ({ name, dagRunId }: { name: string; dagRunId: string }): string =>
  `${name}/${dagRunId}`;

/** Shorter waits get no row, in milliseconds. */
const minQueueingMs = 500;
const getTime = (iso: string | undefined): number => (iso === undefined ? Infinity : Date.parse(iso));

/** Returns the rows in order: steps by start time, below expanded ones their sub-runs. */
export function listRows(run: RunDetailView, options: TimelineOptions): TimelineRow[] {
  return [...listQueue(run, options.now), ...listSteps(run, options, 1, '')];
}

function listQueue(run: RunDetailView, now: number): TimelineRow[] {
  const from = Date.parse(run.createdAt);
  const to = run.startedAt === undefined ? getRunEnd(run, now) : Date.parse(run.startedAt);
  if (run.status !== 'queued' && to - from < minQueueingMs) return [];
  const segment: Segment = { kind: 'queue', from, to, status: 'queued' };
  return [
    {
      key: 'queue',
      kind: 'queue',
      name: run.wait === undefined ? 'Before start' : `In queue ${run.wait.queue}`,
      depth: 1,
      status: run.status === 'queued' ? 'queued' : 'succeeded',
      segments: [segment],
      isCritical: false,
      run,
      section: 'step',
    },
  ];
}

function listSteps(
  run: RunDetailView,
  options: TimelineOptions,
  depth: number,
  prefix: string,
): TimelineRow[] {
  const critical = findCriticalPath(run.workflow, run.steps);
  const depends = new Map(run.workflow.steps.map((step) => [step.name, step.depends]));
  const ends = new Map(
    run.steps.flatMap(({ name, finishedAt }) =>
      finishedAt === undefined ? [] : [[name, Date.parse(finishedAt)] as const],
    ),
  );
  const start = Date.parse(run.startedAt ?? run.createdAt);
  const ordered = [...run.steps, ...run.handlers].sort(
    (a, b) => getTime(a.startedAt) - getTime(b.startedAt) || 0,
  );
  return ordered.flatMap((step) => {
    const key = `${prefix}${step.section}:${step.name}`;
    const ready =
      step.section === 'step' ? getReadyTime(depends.get(step.name) ?? [], ends, start) : undefined;
    const isOpen = step.subRuns.length === 0 ? undefined : options.open.has(key);
    const row: TimelineRow = {
      key,
      kind: 'step',
      name: step.name,
      depth,
      status: step.status,
      segments: getSegments(step, ready, options.now),
      isCritical: step.section === 'step' && critical.has(step.name) && critical.size > 1,
      ...(isAsking(step) && { asks: true }),
      ...(isOpen !== undefined && { isOpen }),
      run,
      section: step.section,
    };
    return isOpen === true ? [row, ...listRuns(run, step, options, { depth, key })] : [row];
  });
}

function listRuns(
  parent: RunDetailView,
  step: StepRunView,
  options: TimelineOptions,
  at: { readonly depth: number; readonly key: string },
): TimelineRow[] {
  return step.subRuns.flatMap((ref) => {
    const summary =
      options.details.get(runKey(ref)) ??
      options.subRuns.find((one) => one.dagRunId === ref.dagRunId && one.name === ref.name);
    const key = `${at.key}>${runKey(ref)}>`;
    const isOpen = options.open.has(key);
    const row: TimelineRow = {
      key,
      kind: 'run',
      name: ref.name === parent.name ? ref.dagRunId : ref.name,
      depth: at.depth + 1,
      status: summary?.status ?? 'not_started',
      segments: summary === undefined ? [] : getRunSegments(summary, options.now),
      isCritical: false,
      isOpen,
      run: ref,
      section: 'step',
    };
    const detail = options.details.get(runKey(ref));
    if (!isOpen || detail === undefined) return [row];
    return [row, ...listSteps(detail, options, at.depth + 2, key)];
  });
}

function getRunSegments(run: RunSummaryView, now: number): Segment[] {
  const created = Date.parse(run.createdAt);
  if (run.startedAt === undefined)
    return [{ kind: 'queue', from: created, to: getRunEnd(run, now), status: 'queued' }];
  const started = Date.parse(run.startedAt);
  const bar: Segment = { kind: 'attempt', from: started, to: getRunEnd(run, now), status: run.status };
  if (started - created < minQueueingMs) return [bar];
  return [{ kind: 'queue', from: created, to: started, status: 'queued' }, bar];
}

const getRunEnd = (
  { finishedAt, status, createdAt }: { finishedAt?: string; status: RunStatus; createdAt: string },
  now: number,
): number =>
  finishedAt === undefined ? (isFinal(status) ? Date.parse(createdAt) : now) : Date.parse(finishedAt);

/** Returns the times with activity, for the axis; waiting in the queue is not activity. */
export const activeTimeRanges = (rows: readonly TimelineRow[]): TimeRange[] =>
  rows.flatMap(({ segments }) => segments.filter(({ kind }) => kind === 'attempt'));

/** Returns the time range of a run: from its creation, if it was queued, to the last end. */
export function getTimeRange(run: RunDetailView, rows: readonly TimelineRow[], now: number): TimeRange {
  let from = Date.parse(run.startedAt ?? run.createdAt);
  let to = Math.max(from, getRunEnd(run, now));
  for (const segment of rows.flatMap(({ segments }) => segments)) {
    from = Math.min(from, segment.from);
    to = Math.max(to, segment.to);
  }
  return { from, to };
}
