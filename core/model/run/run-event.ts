import type { JsonValue } from '../../base/json.ts';
import type { Answer, Question } from './approval.ts';
import type { Wait } from '../queue.ts';
import type { PeakUsage } from './run.ts';
import type { EditableStatus, RunStatus, StepStatus } from './status.ts';
import type { Parameter } from '../workflow/workflow.ts';

/** A step of the graph, or a handler step (named `onInit` … `onExit`). */
export interface NodeId {
  readonly section: 'step' | 'handler';
  readonly name: string;
}

/** What started a run; `migrated`: another engine did, and its history does not tell. */
export const triggers = [
  'manual',
  'cli',
  'api',
  'schedule',
  'webhook',
  'parent',
  'retry',
  'migrated',
] as const;
export type Trigger = (typeof triggers)[number];

/** Why a run did not simply succeed; for programs, where `error` is for people. */
export const runEndCauses = [
  'preconditions',
  'init',
  'steps',
  'handler',
  'timeout',
  'stopped',
  'engine',
] as const;
export type RunEndCause = (typeof runEndCauses)[number];

/** What an attempt of a step, or of one item of it, ends as. */
type AttemptStatus = Extract<StepStatus, 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted'>;

/** How one attempt of a step ended. */
export interface AttemptEnd {
  /** Exit code; absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** Signal name such as `SIGKILL`, when one ended the process. */
  readonly signal?: string;
  /** Why the attempt counts as failed, in words. */
  readonly error?: string;
}

/**
 * Everything that can happen to a run. The table `event` holds these rows, append-only; each is
 * written in the transaction that changes the state it tells of. Presentation is at the edges.
 */
export type RunEvent =
  | {
      readonly type: 'run.created';
      readonly trigger: Trigger;
      /** Who has started it, as in `RunRecord.startedBy`. */
      readonly by?: string;
      readonly params: readonly Parameter[];
      /** Why it waits in a queue, as of now. */
      readonly wait?: Wait;
    }
  | { readonly type: 'run.started'; readonly logDir: string }
  /** A final run goes on: the named steps and every handler begin anew, the others keep their end. */
  | {
      readonly type: 'run.retried';
      readonly by: string;
      readonly steps: readonly string[];
      /** The step that was asked for: it starts whatever became of those it depends on. */
      readonly from?: string;
      /** Nothing but that step runs. */
      readonly alone?: boolean;
    }
  /** The run's host is gone, and another one drives it on. */
  | {
      readonly type: 'run.recovered';
      /** Both hosts in words. */
      readonly by: string;
      readonly from: string;
      /** How it is known that the host is gone. */
      readonly reason: string;
      readonly epoch: number;
    }
  /** Something ends the run before its steps have: nothing more starts, and the closing handlers follow. */
  | { readonly type: 'run.terminating'; readonly cause: RunEndCause; readonly error: string }
  /** A mail about the run, or one of its steps, is about to be handed to a server; with `isOver`, that was tried. */
  | { readonly type: 'run.notification'; readonly about?: NodeId; readonly isOver?: true }
  /** `force`: its processes are to be killed, handlers included. */
  | { readonly type: 'run.stop_requested'; readonly by: string; readonly force?: true }
  | {
      readonly type: 'run.finished';
      readonly status: RunStatus;
      /** Why the run is not `succeeded`, in one sentence. */
      readonly error?: string;
      readonly cause?: RunEndCause;
      readonly outputs: Readonly<Record<string, JsonValue>>;
      /** Absent when its host has not seen its processes. */
      readonly peakUsage?: PeakUsage;
    }
  | {
      readonly type: 'step.started';
      readonly node: NodeId;
      /** 1 for the first. */
      readonly attempt: number;
      /** The attempt's directory below the run's `logDir`. */
      readonly dir: string;
    }
  | {
      readonly type: 'step.spawned';
      readonly node: NodeId;
      readonly attempt: number;
      readonly pid: number;
      /** With pid and boot id, tells the process from a later one with the same pid. */
      readonly pidStart: string;
    }
  /** The attempt, or the item, waits for a worker. */
  | {
      readonly type: 'step.waiting';
      readonly node: NodeId;
      readonly attempt: number;
      readonly item?: number;
      /** For what, in one sentence; told again when that has changed. */
      readonly reason: string;
    }
  /** A worker has the attempt, or the item, and begins it: its time counts from now on. */
  | {
      readonly type: 'step.dispatched';
      readonly node: NodeId;
      readonly attempt: number;
      readonly item?: number;
      /** Id of the worker. */
      readonly worker: string;
      /** Name of its machine. */
      readonly host: string;
    }
  /** The attempt waits for the answer of a person. */
  | ({
      readonly type: 'step.approval_requested';
      readonly node: NodeId;
      readonly attempt: number;
      /** Id of the question. */
      readonly id: string;
    } & Question)
  /** Somebody has given it. Any host may write this, also while none drives the run. */
  | ({
      readonly type: 'step.approval_resolved';
      readonly node: NodeId;
      readonly attempt: number;
      readonly id: string;
    } & Answer)
  | {
      readonly type: 'step.sub_run';
      readonly node: NodeId;
      readonly name: string;
      readonly dagRunId: string;
      /** Which item of `parallel` it does. */
      readonly item?: number;
    }
  /** One item of a step with `parallel` has begun. */
  | {
      readonly type: 'step.item_started';
      readonly node: NodeId;
      readonly attempt: number;
      /** From 1, in the order of the items. */
      readonly item: number;
      /** How many items this attempt does; a retry does only those that have not succeeded. */
      readonly total?: number;
      /** The item as text, clipped. */
      readonly value: string;
      /** The item's directory below the run's `logDir`. */
      readonly dir: string;
    }
  | ({
      readonly type: 'step.item_finished';
      readonly node: NodeId;
      readonly attempt: number;
      readonly item: number;
      readonly status: AttemptStatus;
    } & AttemptEnd)
  | ({
      readonly type: 'step.retry_scheduled';
      readonly node: NodeId;
      readonly attempt: number;
      /** When the next attempt is due, epoch milliseconds. */
      readonly dueAt: number;
      /** It does not count against the limit of retries: nothing of it was run. */
      readonly uncounted?: true;
    } & AttemptEnd)
  /** An attempt has ended, and `repeatPolicy` wants another. */
  | ({
      readonly type: 'step.repeat_scheduled';
      readonly node: NodeId;
      readonly attempt: number;
      /** When the next time is due, epoch milliseconds. */
      readonly dueAt: number;
    } & AttemptEnd)
  | ({
      readonly type: 'step.finished';
      readonly node: NodeId;
      readonly attempt: number;
      readonly status: AttemptStatus;
      /** The captured `output`, when the step names a variable for it. */
      readonly output?: { readonly name: string; readonly value: JsonValue };
    } & AttemptEnd)
  /**
   * A step that ended outside an attempt: its conditions were not met, what it depends on failed, or the run was
   * stopped while it waited for the next one (`succeeded`: for the next of its repetitions).
   */
  | {
      readonly type: 'step.ended';
      readonly node: NodeId;
      readonly status: Extract<StepStatus, 'skipped' | 'aborted' | 'failed' | 'succeeded'>;
      readonly reason: string;
      /** Of its last attempt, when it waited for the next one. */
      readonly exitCode?: number;
      /** The same. */
      readonly output?: { readonly name: string; readonly value: JsonValue };
    }
  /** Somebody has given a step of an ended run another status; the run keeps its own. */
  | {
      readonly type: 'step.status_set';
      readonly node: NodeId;
      readonly status: EditableStatus;
      readonly previous: StepStatus;
      readonly by: string;
    }
  | {
      readonly type: 'run.message';
      readonly level: 'info' | 'warning';
      readonly message: string;
      readonly node?: NodeId;
    };

/** An event as stored: which run, when, and its place in the one global order. */
export interface RecordedEvent {
  /** Ascending over the whole home; what `Last-Event-ID` resumes from. */
  readonly id: number;
  /** The run it happened to. */
  readonly dag: string;
  readonly dagRunId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly event: RunEvent;
}
