import type { HostKind, HostRecord } from '../host.ts';
import type { ApprovalRecord } from './approval.ts';
import type { JsonValue } from '../../base/json.ts';
import type { NodeId, RunEndCause, Trigger } from './run-event.ts';
import type { RunTrace } from './run-trace.ts';
import type { RunStatus, StepStatus } from './status.ts';
import type { Parameter } from '../workflow/workflow.ts';

/** The most that the processes of a run used at one time, as far as it was seen. */
export interface PeakUsage {
  /** Percent of all cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

/** How a run is named from outside by its DAG name and `dagRunId`. */
export interface RunRef {
  readonly name: string;
  readonly dagRunId: string;
}

/** Where the text came from that a run executes. */
export interface SpecSource {
  /** The whole file as it was when the run was created; other documents of it may be called by steps. */
  readonly text: string;
  /** Text of the base configuration the workflows were put over, when there was one. */
  readonly base?: string;
  /** Absolute path of that file, when there is one; relative paths in it count from its folder. */
  readonly file?: string;
  /** Which document of the file this run executes, from 0. */
  readonly document: number;
}

/** One row of the history, without its steps. All times in epoch milliseconds. */
export interface RunRecord extends RunRef {
  /** The row's key inside this home; grows with creation order. */
  readonly key: number;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  /** As in `NewRun`; absent for a sub-run, whose parent tells, and for a run of a release before. */
  readonly startedBy?: string;
  readonly params: readonly Parameter[];
  /** Names of the steps that the run is of, when it is of a part of its workflow only. */
  readonly onlySteps?: readonly string[];
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** Why it is not `succeeded`, or why it waits, in one sentence. */
  readonly error?: string;
  readonly cause?: RunEndCause;
  readonly outputs: Readonly<Record<string, JsonValue>>;
  /** Relative to the home, or absolute for a workflow with a `logDir`; empty until the run has started. */
  readonly logDir: string;
  /** Working directory given for workflows that name none (`--default-working-dir`). */
  readonly defaultWorkingDir?: string;
  /** The step that started this run, for sub-runs. */
  readonly parent?: RunRef & { readonly step: string };
  readonly root?: RunRef;
  /** The host that drives it, when one does. */
  readonly owner?: RunOwner;
  /** Goes up with each change of owner; writes with an older one are refused. */
  readonly epoch: number;
  readonly stopRequestedBy?: string;
  /** Absent for a run of a release before traces. */
  readonly trace?: RunTrace;
  /** Kept with its end; absent when no monitoring host has seen its processes. */
  readonly peakUsage?: PeakUsage;
}

/** A host process, told from a later one with the same pid by start time and boot id. */
export interface RunOwner {
  readonly host: string;
  readonly pid: number;
  readonly pidStart: string;
  readonly bootId: string;
  /** Of one engine, since a process may open several. */
  readonly id?: string;
  readonly kind?: HostKind;
}

/** One try of one step. Times in epoch milliseconds. */
export interface AttemptRecord {
  readonly node: NodeId;
  readonly attempt: number;
  /** Below the run's `logDir`. */
  readonly dir: string;
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly pid?: number;
  readonly pidStart?: string;
  /** Why it waits for a worker, in one sentence; absent once one has it. */
  readonly waiting?: string;
  /** Who makes it, or made it, when that is not its host; of an attempt with items, who had the first of them. */
  readonly worker?: WorkerPlace;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly error?: string;
}

/** Where an attempt is made that its host does not make itself. */
export interface WorkerPlace {
  /** Id of the worker. */
  readonly id: string;
  /** Name of its machine. */
  readonly host: string;
  /** When it got the attempt, epoch milliseconds. */
  readonly since: number;
}

/** Where an item of `parallel` can stand. */
export const itemStatuses = [
  'running',
  'succeeded',
  'partially_succeeded',
  'failed',
  'aborted',
] as const satisfies readonly StepStatus[];
export type ItemStatus = (typeof itemStatuses)[number];

/** One item of `parallel` that an attempt has begun. Times in epoch milliseconds. */
export interface ItemRecord {
  /** From 1, in the order of the items. */
  readonly item: number;
  /** The item as text, clipped. */
  readonly value: string;
  /** Below the run's `logDir`. */
  readonly dir: string;
  readonly status: ItemStatus;
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly error?: string;
  /** As in {@link AttemptRecord}. */
  readonly worker?: WorkerPlace;
  /** The run that does it, for a sub-DAG; identical items share one. */
  readonly subRun?: RunRef;
}

/** How the items of one attempt stand, in numbers. */
export interface ItemSummary {
  /** How many there are, when that is known. */
  readonly total?: number;
  /** Begun so far: the sum of the other three. */
  readonly started: number;
  readonly running: number;
  /** Partially succeeded ones included. */
  readonly succeeded: number;
  /** Aborted ones included. */
  readonly failed: number;
}

/** The state of one step that has left `not_started`; steps without a record have not. */
export interface StepRecord {
  readonly node: NodeId;
  readonly status: StepStatus;
  readonly attempts: readonly AttemptRecord[];
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why it failed, was aborted or skipped, or when it is tried again, in one sentence. */
  readonly error?: string;
  readonly output?: { readonly name: string; readonly value: JsonValue };
  readonly subRuns: readonly RunRef[];
  /** Items of the newest attempt; absent when it has begun none. */
  readonly items?: ItemSummary;
  /** What it has asked a person last. */
  readonly approval?: ApprovalRecord;
}

/** A run has gone from one host, which was gone, to another. */
export interface TakeOverRecord {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Both hosts, and how it is known that the first was gone, in words. */
  readonly by: string;
  readonly from: string;
  readonly reason: string;
}

/** A run with everything known of it. */
export interface RunDetail {
  readonly run: RunRecord;
  readonly spec: SpecSource;
  readonly steps: readonly StepRecord[];
  /** The host that drives it, alive or not. */
  readonly host?: HostRecord;
  /** How it changed hands since it was created, the oldest first. */
  readonly takeOvers: readonly TakeOverRecord[];
  /** The newest event included in this picture; follow events after it to stay current. */
  readonly lastEventId: number;
}
