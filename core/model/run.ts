import type { JsonValue } from '../base/json.ts';
import { AppError } from '../base/errors.ts';
import { countUtf8Bytes } from '../base/text.ts';
import type { ApprovalRecord } from './approval.ts';
import type { NodeId, RunEndCause, Trigger, RunEvent } from './run-event.ts';
import type { Parameter } from './workflow.ts';
import type { TraceContext } from './trace-context.ts';

/** The peak resource usage of a run's processes, as far as it was measured. */
export interface PeakUsage {
  /** Percent of all cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

/** Identifies a run by its DAG name and `dagRunId`. */
export interface RunRef {
  readonly name: string;
  readonly dagRunId: string;
}

/** Source of the workflow that a run executes. */
export interface SpecSource {
  /** The whole file as it was when the run was created; steps may call its other documents. */
  readonly text: string;
  /** SHA-256 of the text, once it is stored. */
  readonly hash?: string;
  /** Source of the base configuration that the workflows inherit from, if there was one. */
  readonly base?: string;
  /** Absolute path of that file, if there is one; base directory of its relative paths. */
  readonly file?: string;
  /** Index of the file's document that this run executes, from 0. */
  readonly document: number;
}

/** One row of the history, without its steps. All times in epoch milliseconds. */
export interface RunRecord extends RunRef {
  /** The row's key inside this home; increases in creation order. */
  readonly key: number;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  /** As in `NewRun`; absent for a sub-run (see its parent) and for a run of an earlier release. */
  readonly startedBy?: string;
  readonly params: readonly Parameter[];
  /** Names of the steps, when the run is of a part of its workflow. */
  readonly onlySteps?: readonly string[];
  /** Its text differed from the workflow file when it was created; otherwise absent. */
  readonly isUnsaved?: true;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** Why it is not `succeeded`, or why it waits, in one sentence. */
  readonly error?: string;
  readonly cause?: RunEndCause;
  readonly outputs: Readonly<Record<string, JsonValue>>;
  /** Relative to the home, or absolute for a workflow with a `logDir`; empty until the run has started. */
  readonly logDir: string;
  /** Default working directory for workflows that name none (`--default-working-dir`). */
  readonly defaultWorkingDir?: string;
  /** The step that started this run, for sub-runs. */
  readonly parent?: RunRef & { readonly step: string };
  readonly root?: RunRef;
  /** The host that drives it, if any. */
  readonly owner?: RunOwner;
  /** Incremented with each change of owner; writes with an older epoch are rejected. */
  readonly epoch: number;
  readonly stopRequestedBy?: string;
  /** Absent for a run of a release before tracing. */
  readonly trace?: RunTrace;
  /** Stored with its end; absent when no monitoring host has measured its processes. */
  readonly peakUsage?: PeakUsage;
  /** The start of its note. */
  readonly noteExcerpt?: string;
}

/** A note that people attach to a run. */
export interface RunNote {
  /** Markdown, at most {@link maxNoteLength} characters. */
  readonly text: string;
  /** A user or token, or the interface without login. */
  readonly author: string;
  /** Last change, epoch milliseconds. */
  readonly at: number;
}

export const maxNoteLength = 10_000;

/** A host process, distinguished from a later one with the same pid by start time and boot id. */
export interface RunOwner {
  readonly host: string;
  readonly pid: number;
  readonly pidStart: string;
  readonly bootId: string;
  /** Id of one engine, because a process may open several. */
  readonly id?: string;
  readonly kind?: HostKind;
  /** Release of the engine; absent for hosts of earlier releases. */
  readonly version?: string;
}

/** One attempt of one step. Times in epoch milliseconds. */
export interface AttemptRecord {
  readonly node: NodeId;
  readonly attempt: number;
  /** Relative to the run's `logDir`. */
  readonly dir: string;
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly pid?: number;
  readonly pidStart?: string;
  /** Why it waits for a worker, in one sentence; absent once one has it. */
  readonly waiting?: string;
  /** SHA-256 of the text that it ran, if its run has resumed with another text since. */
  readonly specHash?: string;
  /**
   * The worker that runs it, or ran it; for an attempt with items, the worker of the first one. Absent when its host
   * runs it itself.
   */
  readonly worker?: WorkerAssignment;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly error?: string;
}

/** Where an attempt runs that its host does not run itself. */
export interface WorkerAssignment {
  /** Id of the worker. */
  readonly id: string;
  /** Name of its machine. */
  readonly host: string;
  /** When the worker got the attempt, in epoch milliseconds. */
  readonly since: number;
}

/** Statuses of an item of `parallel`. */
export const itemStatuses = [
  'running',
  'succeeded',
  'partially_succeeded',
  'failed',
  'aborted',
] as const satisfies readonly StepStatus[];
export type ItemStatus = (typeof itemStatuses)[number];

/** One item of `parallel` that an attempt has started. Times in epoch milliseconds. */
export interface ItemRecord {
  /** 1-based, in the order of the items. */
  readonly item: number;
  /** The item as a string, truncated. */
  readonly value: string;
  /** Relative to the run's `logDir`. */
  readonly dir: string;
  readonly status: ItemStatus;
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly error?: string;
  /** As in {@link AttemptRecord}. */
  readonly worker?: WorkerAssignment;
  /** The run of the item, for a sub-DAG; identical items share one. */
  readonly subRun?: RunRef;
}

/** Status counts of the items of a step: those of its newest attempt, and those that had succeeded before a retry. */
export interface ItemSummary {
  /** Total number of items, when it is known. */
  readonly total?: number;
  /** Number of started items: the sum of the other three. */
  readonly started: number;
  readonly running: number;
  /** Includes partially succeeded ones. */
  readonly succeeded: number;
  /** Includes aborted ones. */
  readonly failed: number;
}

/** The state of one step that has left `not_started`; other steps have no record. */
export interface StepRecord {
  readonly node: NodeId;
  readonly status: StepStatus;
  readonly attempts: readonly AttemptRecord[];
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why it failed, was aborted or skipped, or when it is retried, in one sentence. */
  readonly error?: string;
  readonly output?: { readonly name: string; readonly value: JsonValue };
  readonly subRuns: readonly RunRef[];
  /** Absent when its newest attempt has started no item. */
  readonly items?: ItemSummary;
  /** Its last question to a person. */
  readonly approval?: ApprovalRecord;
}

/** A takeover: a run has moved from a lost host to another one. */
export interface RecoveryRecord {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Description of both hosts, and why the first counted as lost. */
  readonly by: string;
  readonly from: string;
  readonly reason: string;
}

/** A run with all of its details. */
export interface RunDetail {
  readonly run: RunRecord;
  readonly spec: SpecSource;
  readonly note?: RunNote;
  readonly steps: readonly StepRecord[];
  /** The host that drives it, alive or not. */
  readonly host?: HostRecord;
  /** Takeovers since it was created, oldest first. */
  readonly recoveries: readonly RecoveryRecord[];
  /** The newest event included in this snapshot; follow the events after it to stay current. */
  readonly lastEventId: number;
}

/** A span of any trace. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** The trace of a run, stored with it; `spanId` is the span of the run itself. */
export interface RunTrace extends TraceContext {
  /** The span that triggered the run; absent when the trace starts with the run. */
  readonly parentSpanId?: string;
  /** Links in addition to the parent: to the earlier run, or to the request for a retry. */
  readonly links?: readonly SpanLink[];
}

type ItemEvent = Extract<RunEvent, { type: 'step.item_started' | 'step.item_finished' }>;

const noItems: ItemSummary = { started: 0, running: 0, succeeded: 0, failed: 0 };

/** Returns the counts of an attempt's items after an item has started or ended. */
export function countItem(items: ItemSummary = noItems, event: ItemEvent): ItemSummary {
  if (event.type === 'step.item_started') {
    // Items from before a retry are in every event, and counted with the first one.
    const { reused = 0 } = event;
    const before = items.started === 0 ? { ...items, started: reused, succeeded: reused } : items;
    const total = event.total === undefined ? items.total : event.total + reused;
    return { ...before, total, started: before.started + 1, running: before.running + 1 };
  }
  const outcome = hasSucceeded(event.status) ? 'succeeded' : 'failed';
  return { ...items, running: items.running - 1, [outcome]: items[outcome] + 1 };
}

/** Returns the counts after the attempt has ended, and with it every running item. */
export const closeItems = (items: ItemSummary): ItemSummary => ({
  ...items,
  running: 0,
  failed: items.failed + items.running,
});

/** Names of the files in an attempt's directory. */
export const attemptFiles = {
  stdout: 'stdout.log',
  stderr: 'stderr.log',
  /** Sizes of both logs over time; only for attempts that take a while. */
  times: 'output-times',
  /** An inline script while it runs. */
  script: 'script',
} as const;

/**
 * The file in a run's directory with the exit status of its attempts' processes, one JSON line each, written before it
 * is reported, so that a takeover can read it.
 */
export const exitJournal = 'exits.jsonl';

/** Longest name segment that file systems accept and longest name that is reported, in bytes. */
const maxLength = { segment: 255, name: 1024 } as const;

/**
 * Checks that the name of an artifact stays below the artifact directory on any system: names separated by slashes,
 * none of them `.` or `..`.
 * @throws `bad_request`
 */
export function checkArtifactName(name: string): string {
  const segments = name.split('/');
  const isSafe =
    countUtf8Bytes(name) <= maxLength.name &&
    !/[\p{Cc}\\]/u.test(name) &&
    !/^[A-Za-z]:/.test(name) &&
    segments.every(
      (segment) =>
        segment !== '' && segment !== '.' && segment !== '..' && countUtf8Bytes(segment) <= maxLength.segment,
    );
  if (isSafe) return name;
  throw new AppError(
    'bad_request',
    `Invalid artifact name ${JSON.stringify(name.slice(0, 200))}. Use a relative path without "..", backslashes or control characters, at most ${maxLength.segment} bytes per segment and ${maxLength.name} in total.`,
  );
}

/** The seven canonical statuses of a DAG run. */
export const runStatuses = [
  'not_started',
  'queued',
  'running',
  'succeeded',
  'partially_succeeded',
  'failed',
  'aborted',
] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Statuses of a step: the statuses of a run, and `skipped`. Steps do not wait in queues. */
export const stepStatuses = [...runStatuses, 'skipped'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** Statuses of a run that still needs an owner or a queue slot. */
export const activeRunStatuses = ['not_started', 'queued', 'running'] as const satisfies readonly RunStatus[];

/** Statuses that a user can set for a step of an ended run. */
export const editableStatuses = [
  'not_started',
  'succeeded',
  'partially_succeeded',
  'failed',
  'aborted',
  'skipped',
] as const satisfies readonly StepStatus[];
export type EditableStatus = (typeof editableStatuses)[number];

/** Whether the status is a full or partial success. */
export const hasSucceeded = (status: StepStatus): boolean =>
  status === 'succeeded' || status === 'partially_succeeded';

/** Whether nothing is left to do. */
export const isFulfilled = (status: StepStatus): boolean => hasSucceeded(status) || status === 'skipped';

/** Whether the status is final, unless a retry is requested. */
export const isFinal = (status: StepStatus): boolean =>
  !(activeRunStatuses as readonly StepStatus[]).includes(status);

/** Purpose for which a process opens an engine. */
export const hostKinds = ['desktop', 'server', 'scheduler', 'cli'] as const;
export type HostKind = (typeof hostKinds)[number];

/** A process that drives or has driven runs on this home. Times in epoch milliseconds. */
export interface HostRecord {
  readonly key: number;
  readonly kind: HostKind;
  readonly owner: RunOwner;
  readonly startedAt: number;
  /** Its last heartbeat. */
  readonly beatAt: number;
  /** Load of its machine's processors at that time, 1 when all are busy; absent where it cannot be measured. */
  readonly load?: number;
  /** When it released its runs, if it did. */
  readonly leftAt?: number;
}
