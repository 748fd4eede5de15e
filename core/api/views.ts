import path from 'node:path';
import { toIso } from '../base/clock.ts';
import type { EventView } from '../contract/logs.ts';
import type {
  AttemptView,
  MissedView,
  RunDetailView,
  RunHostView,
  RunNoteView,
  RunSummaryView,
  StepRunView,
  ApprovalView,
} from '../contract/run-views.ts';
import type { StoredMiss } from '../store/types/expectations.ts';
import type { HostMonitor } from '../run/hosts.ts';
import {
  type HostRecord,
  attemptFiles,
  type AttemptRecord,
  type ItemRecord,
  type RunDetail,
  type RunNote,
  type RunRecord,
  type StepRecord,
} from '../model/run.ts';
import { formatWait, type StoredWait } from '../model/queue.ts';
import type { Queues } from '../run/queue/queues.ts';
import type { NodeId, RecordedEvent } from '../model/run-event.ts';
import type { Workflow } from '../model/workflow.ts';
import { handlerNames, type HandlerName } from '../model/workflow-rules.ts';
import type { ItemOf } from '../contract/operation.ts';
import { formatApprovalRequest, isOpen, type ApprovalRecord } from '../model/approval.ts';

const toIsoOrUndefined = (epochMs: number | undefined): string | undefined =>
  epochMs === undefined ? undefined : toIso(epochMs);

/** Explains why runs wait. */
export type WaitSource = Pick<Queues, 'explain'>;

/** Converts a run to its list view. */
export async function toRunSummary(run: RunRecord, queues: WaitSource): Promise<RunSummaryView> {
  const { name, dagRunId, status, trigger, startedBy, cause, parent, root } = run;
  const wait = await queues.explain(run);
  return {
    name,
    dagRunId,
    status,
    trigger,
    startedBy,
    params: [...run.params],
    onlySteps: run.onlySteps && [...run.onlySteps],
    unsaved: run.isUnsaved,
    createdAt: toIso(run.createdAt),
    startedAt: toIsoOrUndefined(run.startedAt),
    finishedAt: toIsoOrUndefined(run.finishedAt),
    error: wait === undefined ? run.error : formatWait(wait),
    cause,
    wait: wait && toWaitView(wait),
    parent,
    root,
    noteExcerpt: run.noteExcerpt,
  };
}

export const toMissedView = ({ kind, rule, message, dagRunId, ...times }: StoredMiss): MissedView => ({
  kind,
  rule,
  deadline: toIso(times.deadline),
  message,
  ...(dagRunId !== undefined && { dagRunId }),
  decidedAt: toIso(times.decidedAt),
  ...(times.resolvedAt !== undefined && { resolvedAt: toIso(times.resolvedAt) }),
});

const toWaitView = ({ enqueuedAt, behind, kept, ...wait }: StoredWait): RunSummaryView['wait'] => ({
  ...wait,
  enqueuedAt: toIso(enqueuedAt),
  behind: [...behind],
  kept: { reason: kept.reason, at: toIso(kept.at) },
});

/** Converts a run to its detail view, with one entry for every step and handler of the workflow in order. */
export async function toRunDetail(
  detail: RunDetail,
  workflow: Workflow,
  context: {
    readonly home: string;
    readonly watch: Pick<HostMonitor, 'findExpiry'>;
    readonly queues: WaitSource;
    /** As in the view. */
    readonly waiting?: string | undefined;
  },
): Promise<RunDetailView> {
  const { run, spec } = detail;
  const { home, watch, queues, waiting } = context;
  const records = new Map(detail.steps.map((record) => [nodeKey(record.node), record]));
  const logDir = run.logDir === '' ? undefined : path.resolve(home, run.logDir);
  const view = (node: NodeId) => toStepRun(node, records.get(nodeKey(node)), logDir ?? '');
  const handlers = handlerNames.flatMap((name) =>
    isDropped(name, run, workflow) ? [] : (workflow.handlers[name] ?? []),
  );
  const recoveries = detail.recoveries.map(({ at, ...recovery }) => ({ at: toIso(at), ...recovery }));
  return {
    ...(await toRunSummary(run, queues)),
    workflow,
    spec: spec.text,
    file: spec.file,
    steps: workflow.steps.map(({ name }) => view({ section: 'step', name })),
    handlers: handlers.map(({ name }) => view({ section: 'handler', name })),
    outputs: { ...run.outputs },
    note: detail.note && toNoteView(detail.note),
    logDir,
    stopRequestedBy: run.stopRequestedBy,
    waiting,
    traceId: run.trace?.traceId,
    host: detail.host && toRunHost(detail.host, watch),
    recoveries,
    takeOvers: recoveries,
    peakUsage: run.peakUsage,
    lastEventId: detail.lastEventId,
  };
}

export const toNoteView = ({ text, author, at }: RunNote): RunNoteView => ({ text, author, at: toIso(at) });

const toRunHost = (host: HostRecord, watch: Pick<HostMonitor, 'findExpiry'>): RunHostView => ({
  kind: host.kind,
  hostname: host.owner.host,
  pid: host.owner.pid,
  version: host.owner.version,
  since: toIso(host.startedAt),
  lastSeenAt: toIso(host.beatAt),
  gone: watch.findExpiry(host),
});

/** Whether a handler is omitted: a sub-run does not run the handlers of the base configuration. */
const isDropped = (name: HandlerName, { parent }: RunRecord, { inheritedHandlers }: Workflow): boolean =>
  parent !== undefined && inheritedHandlers?.includes(name) === true;

/** Converts an event to its view. */
export const toEventView = (recorded: RecordedEvent): ItemOf<{ item: typeof EventView }> => ({
  id: recorded.id,
  name: recorded.dag,
  dagRunId: recorded.dagRunId,
  at: toIso(recorded.at),
  event: recorded.event,
});

const nodeKey = ({ section, name }: NodeId): string => `${section}:${name}`;

function toStepRun(node: NodeId, record: StepRecord | undefined, logDir: string): StepRunView {
  if (record === undefined) return { ...node, status: 'not_started', attempts: [], subRuns: [] };
  const { status, exitCode, signal, error, output, subRuns, approval } = record;
  return {
    ...node,
    status,
    startedAt: toIsoOrUndefined(record.startedAt),
    finishedAt: toIsoOrUndefined(record.finishedAt),
    exitCode,
    signal,
    error,
    waiting: record.attempts.at(-1)?.waiting ?? formatWaiting(approval),
    output,
    attempts: record.attempts.map((attempt) => toAttempt(attempt, logDir)),
    subRuns: subRuns.map(({ name, dagRunId }) => ({ name, dagRunId })),
    items: record.items,
    approval: approval && toApprovalView(approval),
  };
}

const toAttempt = (record: AttemptRecord, logDir: string): AttemptView => ({
  attempt: record.attempt,
  pid: record.pid,
  specHash: record.specHash,
  ...toAttemptTimeline(record, logDir),
});

/** Converts the times and result of an attempt or item, with the paths of its logs. */
export function toAttemptTimeline(record: AttemptRecord | ItemRecord, logDir: string) {
  const { exitCode, signal, error } = record;
  const dir = path.join(logDir, record.dir);
  return {
    startedAt: toIso(record.startedAt),
    finishedAt: toIsoOrUndefined(record.finishedAt),
    exitCode,
    signal,
    error,
    worker: record.worker && { ...record.worker, since: toIso(record.worker.since) },
    stdoutFile: path.join(dir, attemptFiles.stdout),
    stderrFile: path.join(dir, attemptFiles.stderr),
  };
}

/** Converts an approval to its view. */
export function toApprovalView(record: ApprovalRecord): ApprovalView {
  const { id, run, root, node, attempt, question, details, inputs, required, answer, endedAt } = record;
  return {
    id,
    ...run,
    root,
    step: node.name,
    section: node.section,
    attempt,
    question,
    details,
    inputs: [...inputs],
    required: [...required],
    askedAt: toIso(record.askedAt),
    answeredAt: answer && toIso(answer.at),
    decision: answer?.decision,
    answeredBy: answer?.by,
    comment: answer?.comment,
    values: answer && { ...answer.values },
    endedAt: endedAt === undefined ? undefined : toIso(endedAt),
  };
}

/** Returns why a step waits for an approval; undefined if it does not. */
const formatWaiting = (request: ApprovalRecord | undefined): string | undefined =>
  request === undefined || !isOpen(request)
    ? undefined
    : formatApprovalRequest(request.run, request.node, toIso(request.askedAt));

const locations = new WeakMap<object, string>();

/** Sets the location of a created resource: a path relative to its operations, with its query. */
export const setLocation = (response: object, location: string): void =>
  void locations.set(response, location);

/** Returns the location of a created resource; undefined if it was not set. */
export const findLocation = (response: unknown): string | undefined =>
  typeof response === 'object' && response !== null ? locations.get(response) : undefined;
