import type { JsonValue } from '../base/json.ts';
import type { Answer, Question } from './approval.ts';
import type { Wait } from './queue.ts';
import type { PeakUsage, EditableStatus, RunStatus, StepStatus } from './run.ts';
import type { Parameter } from './workflow.ts';

/** A step of the graph, or a handler step (named `onInit` … `onExit`). */
export interface NodeId {
  readonly section: 'step' | 'handler';
  readonly name: string;
}

/** Triggers of a run; `migrated`: another engine, whose history does not contain the trigger. */
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

/** Why a run did not succeed; a code, in addition to the message in `error`. */
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

/** Final status of an attempt of a step, or of one of its items. */
type AttemptStatus = Extract<StepStatus, 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted'>;

/** How one attempt of a step ended. */
export interface AttemptExit {
  /** Exit code; absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** Signal name such as `SIGKILL`, when one ended the process. */
  readonly signal?: string;
  /** Why the attempt has failed, as a sentence. */
  readonly error?: string;
}

/**
 * All events of a run. The table `event` contains these rows, append-only; each is written in the transaction that
 * changes the state it reports. Clients format them.
 */
export type RunEvent =
  | {
      readonly type: 'run.created';
      readonly trigger: Trigger;
      /** Actor that started the run, as in `RunRecord.startedBy`. */
      readonly by?: string;
      readonly params: readonly Parameter[];
      /** Why it waits in its queue at this moment. */
      readonly wait?: Wait;
    }
  | { readonly type: 'run.started'; readonly logDir: string }
  /** A final run is retried: the named steps and all handlers run again, the others keep their results. */
  | {
      readonly type: 'run.retried';
      readonly by: string;
      readonly steps: readonly string[];
      /** The requested step: it starts regardless of the results of its dependencies. */
      readonly from?: string;
      /** Only that step runs. */
      readonly alone?: boolean;
      /** SHA-256 of the text of the current file, when the run resumes with it. */
      readonly specHash?: string;
      /** With `specHash`: steps with `parallel` whose earlier items do not count, because they have changed. */
      readonly fresh?: readonly string[];
    }
  /** The run's host is lost, and another one takes over. */
  | {
      readonly type: 'run.recovered';
      /** Description of both hosts. */
      readonly by: string;
      readonly from: string;
      /** Why the host counts as lost. */
      readonly reason: string;
      readonly epoch: number;
    }
  /** The run ends before all steps have: nothing more starts, and the closing handlers follow. */
  | { readonly type: 'run.terminating'; readonly cause: RunEndCause; readonly error: string }
  /**
   * A mail about the run, or one of its steps, is about to be handed to a server; with `isOver`, the attempt is over.
   */
  | { readonly type: 'run.notification'; readonly about?: NodeId; readonly isOver?: true }
  /** `force`: its processes are killed, handlers included. */
  | { readonly type: 'run.stop_requested'; readonly by: string; readonly force?: true }
  | {
      readonly type: 'run.finished';
      readonly status: RunStatus;
      /** Why the run is not `succeeded`, in one sentence. */
      readonly error?: string;
      readonly cause?: RunEndCause;
      readonly outputs: Readonly<Record<string, JsonValue>>;
      /** Absent when its host has not measured its processes. */
      readonly peakUsage?: PeakUsage;
    }
  | {
      readonly type: 'step.started';
      readonly node: NodeId;
      /** 1 for the first. */
      readonly attempt: number;
      /** The attempt's directory, relative to the run's `logDir`. */
      readonly dir: string;
    }
  | {
      readonly type: 'step.spawned';
      readonly node: NodeId;
      readonly attempt: number;
      readonly pid: number;
      /** With pid and boot id, distinguishes the process from a later one with the same pid. */
      readonly pidStart: string;
    }
  /** The attempt, or the item, waits for a worker. */
  | {
      readonly type: 'step.waiting';
      readonly node: NodeId;
      readonly attempt: number;
      readonly item?: number;
      /** The reason, in one sentence; the event is repeated when it has changed. */
      readonly reason: string;
    }
  /** A worker has the attempt, or the item, and starts it: its time counts from now on. */
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
  /** The attempt waits for a person's answer. */
  | ({
      readonly type: 'step.approval_requested';
      readonly node: NodeId;
      readonly attempt: number;
      /** Id of the question. */
      readonly id: string;
    } & Question)
  /** The question was answered. Any host may write this event, even while none drives the run. */
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
      /** Number of the item of `parallel` that it runs. */
      readonly item?: number;
    }
  /** One item of a step with `parallel` has started. */
  | {
      readonly type: 'step.item_started';
      readonly node: NodeId;
      readonly attempt: number;
      /** 1-based, in the order of the items. */
      readonly item: number;
      /** How many items this attempt runs; a retry runs only those that have not succeeded. */
      readonly total?: number;
      /** How many items of the step have succeeded in earlier attempts and do not run again. */
      readonly reused?: number;
      /** The item as a string, truncated. */
      readonly value: string;
      /** The item's directory, relative to the run's `logDir`. */
      readonly dir: string;
    }
  | ({
      readonly type: 'step.item_finished';
      readonly node: NodeId;
      readonly attempt: number;
      readonly item: number;
      readonly status: AttemptStatus;
    } & AttemptExit)
  | ({
      readonly type: 'step.retry_scheduled';
      readonly node: NodeId;
      readonly attempt: number;
      /** When the next attempt is due, in epoch milliseconds. */
      readonly dueAt: number;
      /** The attempt does not count against the limit of retries, because nothing of it was run. */
      readonly uncounted?: true;
    } & AttemptExit)
  /** An attempt has ended, and `repeatPolicy` requires another. */
  | ({
      readonly type: 'step.repeat_scheduled';
      readonly node: NodeId;
      readonly attempt: number;
      /** When the next repetition is due, in epoch milliseconds. */
      readonly dueAt: number;
    } & AttemptExit)
  | ({
      readonly type: 'step.finished';
      readonly node: NodeId;
      readonly attempt: number;
      readonly status: AttemptStatus;
      /** The captured `output`, when the step names a variable for it. */
      readonly output?: { readonly name: string; readonly value: JsonValue };
    } & AttemptExit)
  /**
   * A step that ended outside an attempt: its conditions were not met, a dependency failed, or the run was stopped
   * while the step waited for its next attempt (`succeeded`: for its next repetition).
   */
  | {
      readonly type: 'step.ended';
      readonly node: NodeId;
      readonly status: Extract<StepStatus, 'skipped' | 'aborted' | 'failed' | 'succeeded'>;
      readonly reason: string;
      /** Exit code of its last attempt, when it waited for the next one. */
      readonly exitCode?: number;
      /** Output of that attempt. */
      readonly output?: { readonly name: string; readonly value: JsonValue };
    }
  /** The status of a step of an ended run was changed manually; the run keeps its own. */
  | {
      readonly type: 'step.status_set';
      readonly node: NodeId;
      readonly status: EditableStatus;
      readonly previous: StepStatus;
      readonly by: string;
    }
  /** A note was added, changed or deleted; the event does not contain its text. */
  | { readonly type: 'run.note_changed'; readonly by: string }
  | {
      readonly type: 'run.message';
      readonly level: 'info' | 'warning';
      readonly message: string;
      readonly node?: NodeId;
    };

/** A stored event: its run, its time, and its position in the global order. */
export interface RecordedEvent {
  /** Ascending across the whole home; `Last-Event-ID` resumes from it. */
  readonly id: number;
  /** The DAG of the run. */
  readonly dag: string;
  readonly dagRunId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly event: RunEvent;
}

/** Run statuses in which an event is legal; a store rejects it in others and changes nothing. */
export const runTransitions = {
  'run.created': [],
  'run.retried': ['succeeded', 'partially_succeeded', 'failed', 'aborted'],
  'run.started': ['not_started', 'queued', 'running'],
  'run.stop_requested': ['not_started', 'queued', 'running'],
  'run.finished': ['not_started', 'queued', 'running'],
} as const satisfies Partial<Record<RunEvent['type'], readonly RunStatus[]>>;

/** Step statuses in which an event is legal (`not_started` means a step without a record). */
export const stepTransitions = {
  'step.started': ['not_started', 'running'],
  'step.spawned': ['running'],
  'step.waiting': ['running'],
  'step.dispatched': ['running'],
  'step.approval_requested': ['running'],
  'step.sub_run': ['running'],
  'step.item_started': ['running'],
  'step.item_finished': ['running'],
  'step.retry_scheduled': ['running'],
  'step.repeat_scheduled': ['running'],
  'step.finished': ['running'],
  'step.ended': ['not_started', 'running'],
} as const satisfies Partial<Record<RunEvent['type'], readonly StepStatus[]>>;

/**
 * Formats a step's name for the start of a reason, in quotes. Reasons are stored as sentences; to find the step, use
 * {@link readNamedStep} and never parse the rest, which may quote anything.
 */
export const quoteStepName = (name: string): string => `step "${name}"`;

/** Describes why a step does not start because of one of its dependencies. */
export const formatUpstream = (fate: 'skipped' | 'aborted' | 'failed', name: string): string =>
  `upstream ${fate}: ${quoteStepName(name)} ${fate === 'failed' ? 'failed' : `was ${fate}`}`;

const prefixes = ['', 'upstream skipped: ', 'upstream aborted: ', 'upstream failed: '] as const;

/**
 * Finds the step that the engine names in a reason, and the position of its name; undefined when it names none.
 * @param names of the steps to look for
 */
export function readNamedStep(
  reason: string,
  names: readonly string[],
): { readonly name: string; readonly from: number; readonly until: number } | undefined {
  const namePrefix = 'step "';
  const head = prefixes.find((prefix) => reason.startsWith(`${prefix}${namePrefix}`));
  if (head === undefined) return undefined;
  const from = head.length + namePrefix.length;
  // A name may start with another one and a quote.
  const matched = names
    .filter((name) => reason.startsWith(name, from) && reason.startsWith('" ', from + name.length))
    .reduce<string | undefined>(
      (best, name) => (best === undefined || name.length > best.length ? name : best),
      undefined,
    );
  return matched === undefined ? undefined : { name: matched, from, until: from + matched.length };
}

/** Names of the interfaces where no login is required. */
const actorSources: Readonly<Record<string, string>> = {
  http: 'over HTTP',
  window: 'in the window',
  cli: 'on the command line',
  schedule: 'by the schedule',
};

/** Whether the name is that of a user or a token. */
export const isNamedActor = (name: string | undefined): name is string =>
  name !== undefined && !Object.hasOwn(actorSources, name);

/** Describes the actor, `by anna`, or the interface, `over HTTP`. */
export const formatActor = (name: string): string =>
  isNamedActor(name) ? `by ${name}` : actorSources[name]!;
