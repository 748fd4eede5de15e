import type { AppError } from '../../base/errors.ts';
import type { NodeId, RecordedEvent, RunEvent, Trigger } from '../../model/run-event.ts';
import type {
  ItemRecord,
  ItemStatus,
  RunDetail,
  RunNote,
  RunOwner,
  RunRecord,
  RunRef,
  SpecSource,
  RunTrace,
  activeRunStatuses,
  EditableStatus,
  RunStatus,
  StepStatus,
} from '../../model/run.ts';
import type { FireTimeRef } from '../../model/fire-time.ts';
import type { Parameter } from '../../model/workflow.ts';
import type { Answer, ApprovalRecord, Decision } from '../../model/approval.ts';
import type { HostStore } from './hosts.ts';
import type { RunStatisticsStore } from './statistics.ts';

/** Input for creating a run. */
export interface NewRun extends RunRef {
  readonly spec: SpecSource;
  readonly trigger: Trigger;
  /** Actor that started the run, named as in the audit trail; `schedule` for the scheduler. */
  readonly startedBy?: string | undefined;
  readonly params: readonly Parameter[];
  /** As in `RunRecord`. */
  readonly onlySteps?: readonly string[];
  /** As in `RunRecord`. */
  readonly isUnsaved?: boolean | undefined;
  readonly defaultWorkingDir?: string;
  readonly parent?: RunRef & { readonly step: string };
  readonly root?: RunRef;
  /** Owns the run from the same transaction on, with epoch 1; absent for a run that waits in a queue. */
  readonly owner?: RunOwner;
  /**
   * The queue in which the run counts, whether or not it waits there. Default: its own name. Sub-runs count in no
   * queue.
   */
  readonly queue?: string;
  /** The run waits in a queue until a host claims it; `owner` is absent then. Rejected with `queue_closed`. */
  readonly waiting?: Waiting;
  /** Reject with `max_run_reached` when this many runs of the same name are active; negative: no limit. */
  readonly maxActiveRuns: number;
  /** Reject with `still_running` when any run of the same name is active. */
  readonly singleton?: boolean;
  readonly trace?: RunTrace;
  /** Tags of its workflow, in lower case. */
  readonly tags?: readonly string[];
  /** The scheduled time of the run, recorded with it; rejected with `stale_owner` when that time is already decided. */
  readonly fireTime?: FireTimeRef;
}

/** How a run waits in its queue. */
export interface Waiting {
  /** Higher priorities start first; as in `priorities`. */
  readonly priority: number;
  /** The workflow's limit for active runs of a queue that has no limit of its own; negative: no limit. */
  readonly maxActiveRuns: number;
  /** The queue's own limit, if it has one; only used for the reason that is stored with the run. */
  readonly queueLimit?: number;
}

/** A request to retry a run after its end. */
export interface RetryClaim {
  readonly runKey: number;
  /** The run's epoch when the retry was planned; if it has changed since, the retry is rejected. */
  readonly epoch: number;
  readonly owner: RunOwner;
  /** Actor that requested the retry. */
  readonly by: string;
  /** Names of the steps that run again; the others keep their results. */
  readonly steps: readonly string[];
  /** The requested step, and whether only that step runs; see `PreviousRun`. */
  readonly from?: string;
  readonly onlyThisStep?: boolean;
  /** As for a new run; sub-runs are not counted. */
  readonly maxActiveRuns: number;
  /** The trace of the continued run. */
  readonly trace?: RunTrace;
  /** Another text that the run resumes with and has from now on; its earlier attempts keep theirs. */
  readonly version?: ResumeVersion | undefined;
}

/** The text that a run resumes with. */
export interface ResumeVersion {
  readonly spec: SpecSource;
  /** Default: its parameters stay. */
  readonly params?: readonly Parameter[] | undefined;
  /** As in the event `run.retried`. */
  readonly fresh: readonly string[];
  /** For a run of a part of a workflow. */
  readonly onlySteps?: readonly string[] | undefined;
}

/** Events of one run to write together, and the epoch that authorizes it. */
export interface EventBatch {
  readonly runKey: number;
  /** The epoch under which the writer owns the run. */
  readonly epoch: number;
  readonly events: readonly { readonly at: number; readonly event: RunEvent }[];
  /**
   * Number of leading events that may already be written: their commit failed, and perhaps only its response was lost.
   */
  readonly inDoubt?: number;
}

/** `stale`: another host owns the run now. `illegal`: the state did not allow an event; nothing of the batch was written. */
export type BatchOutcome =
  | { readonly outcome: 'written' }
  | { readonly outcome: 'stale' | 'illegal'; readonly reason: string };

/** Filter for runs; all fields that are set must match. Newest first, paged by `before`. */
export interface RunFilter {
  readonly name?: string;
  readonly statuses?: readonly RunStatus[];
  /** Leave out runs started by a step of another run. */
  readonly topLevelOnly?: boolean;
  /** Only runs whose key is less than this one. */
  readonly before?: number;
  /** 1 to 1000. */
  readonly limit: number;
}

/** A place in a list of runs. */
export interface RunCursor {
  readonly key: number;
  /** Creation time, epoch milliseconds, in a list that is ordered by it. */
  readonly at?: number;
}

/** Search filter for runs; all fields that are set must match. */
export interface RunSearch extends Omit<RunFilter, 'before'> {
  /** Part of the name, case-insensitive. */
  readonly nameContains?: string;
  readonly dagRunId?: string;
  /** Its workflow had all of these tags when the run was created; in lower case. */
  readonly tags?: readonly string[];
  /** Created at this time or later, epoch milliseconds. */
  readonly createdFrom?: number;
  /** Created before this time, epoch milliseconds. */
  readonly createdBefore?: number;
  readonly triggers?: readonly Trigger[];
  /** Part of the name of the user or trigger that started it, case-insensitive for a to z. */
  readonly startedBy?: string;
  /** The queue in which it counts. */
  readonly queue?: string;
  /** Part of its name, id, parameters, reason or note, case-insensitive for a to z. */
  readonly text?: string;
  /** Whether it has a note. */
  readonly hasNote?: boolean;
  /** How long it took, or has been running until now, in milliseconds. */
  readonly duration?: { readonly min?: number; readonly max?: number; readonly now: number };
  /** Only runs after this place in the list. */
  readonly after?: RunCursor;
}

/** Number of runs that a search finds. */
export interface RunCount {
  readonly count: number;
  /** False if there may be more. */
  readonly isComplete: boolean;
}

/** Days for which to count runs. */
export interface DayCountQuery {
  /** In order; each from its first instant until the first of the next day, in epoch milliseconds. */
  readonly days: readonly { readonly from: number; readonly until: number }[];
  readonly name?: string;
}

/** Run counts of one day. */
export interface DayCount {
  readonly total: number;
  readonly failed: number;
}

/** Size and version of a database. */
export interface StorageInfo {
  readonly kind: 'sqlite' | 'postgres';
  /** Version of SQLite, or of the server. */
  readonly release: string;
  /** Start of the connection to a server, in epoch milliseconds by the server's clock. */
  readonly connectedAt?: number;
  readonly bytes: number;
  /** Unused part of these bytes. */
  readonly freeBytes: number;
  /** Version of the schema. */
  readonly version: number;
  /** Number of rows, sub-runs included. */
  readonly runs: number;
}

/** A page of search results, newest first. */
export interface RunPage {
  /** `outputs` are empty as in `listRuns`. A page may have fewer runs than requested before the end. */
  readonly runs: readonly RunRecord[];
  /** Where the next page starts; absent on the last page. */
  readonly next?: RunCursor;
}

/** Filter for the sub-runs of a run, ordered by key. */
export interface SubRunFilter {
  /** Include sub-runs of sub-runs, to any depth. */
  readonly isDeep: boolean;
  /** Only runs whose key is greater than this one. */
  readonly after?: number;
  readonly limit: number;
}

/** Status of a step of a run. */
export interface StepState {
  readonly runKey: number;
  readonly node: NodeId;
  readonly status: StepStatus;
}

/** A manual status change of a step of an ended run. */
export interface StepEdit {
  readonly runKey: number;
  /** Name of the step. */
  readonly step: string;
  readonly status: EditableStatus;
  readonly by: string;
}

/** A change of the note of a run. */
export interface NoteEdit {
  readonly runKey: number;
  /** Empty: delete the note. */
  readonly text: string;
  readonly by: string;
}

/** A deleted run, and where its logs may still be. */
export interface PurgedRun extends RunRef {
  /** As in `RunRecord`. */
  readonly logDir: string;
}

/** Limits for deleting ended runs; all limits that are set must allow it. */
export interface PurgeLimits {
  /** Only runs that ended before this time, epoch milliseconds. */
  readonly before?: number;
  /** Never delete this many newest runs; with `statuses`, the newest of the runs with one of these. */
  readonly keep?: number;
  readonly statuses?: readonly RunStatus[];
}

/** A run that may be deleted. */
export interface PurgeableRun extends PurgedRun {
  readonly status: RunStatus;
  readonly finishedAt: number;
}

/** Filter for the items of an attempt, in the order of the items. */
export interface ItemFilter {
  readonly node: NodeId;
  readonly attempt: number;
  readonly statuses?: readonly ItemStatus[];
  /** Only items whose number is greater than this one. */
  readonly after?: number;
  readonly limit: number;
}

/** Identifies a state of a run. */
export interface RunVersion {
  readonly key: number;
  readonly status: RunStatus;
  /** Id of its newest event; 0 when it has none. */
  readonly eventId: number;
}

/** A read of all events after an id. */
export interface EventCursor {
  readonly afterId: number;
  readonly limit: number;
}

/** Outcome of each batch, and the events that were asked for. */
export interface Appended {
  readonly outcomes: readonly BatchOutcome[];
  readonly events: readonly RecordedEvent[];
}

/**
 * Stores runs. What each run does is asynchronous: on a server, a synchronous call blocks the event loop for a round
 * trip. With SQLite, an asynchronous call ends in the same event-loop tick.
 */
export interface RunStore extends HostStore, RunStatisticsStore {
  /** Name of the database in messages: the path of its file, or its URL without the password. */
  readonly name: string;
  /**
   * Adds a run as `not_started`, or as `queued`. Nothing changes when it throws.
   * @throws `already_exists`, `max_run_reached`, `still_running`, or `stale_owner` for a sub-run when another host than
   * `owner` has the parent
   */
  createRun(run: NewRun, at: number): Promise<RunRecord>;
  /** Adds several runs in one transaction. Each can be rejected separately; the errors are returned. */
  createRuns(runs: readonly (NewRun & { readonly at: number })[]): Promise<(RunRecord | AppError)[]>;
  /**
   * Resets a final run to `not_started` for `owner`, with the named steps and all handlers; their recorded attempts and
   * sub-runs stay. Nothing changes when it throws.
   * @throws `not_found`, `still_running`, `max_run_reached`, or `stale_owner` when it has been retried since
   */
  reopenRun(options: RetryClaim, at: number): Promise<RunRecord>;
  /**
   * Writes all batches with their state changes in one durable transaction; each batch succeeds or fails separately.
   * @param cursor of the events to return with the outcomes, including those of the batches
   */
  append(batches: readonly EventBatch[], cursor?: EventCursor): Promise<Appended>;
  /**
   * Records a request to stop the run, with `force` to kill its processes; any host may request it. A run that waits in
   * a queue ends as aborted.
   * @throws `not_found` or `not_running`
   */
  requestStop(run: RunRef, by: string, at: number, force?: boolean): Promise<void>;
  findRun(run: RunRef): Promise<RunRecord | undefined>;
  /** Returns the newest run of a DAG, without sub-runs. */
  latestRun(name: string): Promise<RunRecord | undefined>;
  /**
   * Returns the newest run of each DAG, or of the named ones, without sub-runs; `outputs` are empty as in `listRuns`.
   */
  latestRuns(names?: readonly string[]): Promise<ReadonlyMap<string, RunRecord>>;
  /** Returns the version of a run's state, which changes with each event of the run. Costs microseconds. */
  findVersion(run: RunRef): Promise<RunVersion | undefined>;
  getDetail(run: RunRef): Promise<RunDetail | undefined>;
  /** Returns a run with the source of its workflow, for less than `getDetail`. */
  getSpec(run: RunRef): Promise<Pick<RunDetail, 'run' | 'spec'> | undefined>;
  /** Lists runs. `outputs` are empty, because each can be megabytes large: use `findRun` or `getDetail`. */
  listRuns(filter: RunFilter): Promise<RunRecord[]>;
  /**
   * Finds runs. Examines a bounded number of them, so a page may hold fewer runs than requested, even none, before the
   * end.
   * @throws `bad_request` for a place in a list with another order
   */
  searchRuns(search: RunSearch): Promise<RunPage>;
  /** Counts the runs that a search finds, up to a limit. */
  countRuns(search: Omit<RunSearch, 'limit' | 'after'>): Promise<RunCount>;
  /** Counts the runs created on each day, without sub-runs, in the order of the days. */
  countByDay(
    question: DayCountQuery,
  ): Promise<{ readonly counts: readonly DayCount[]; readonly isComplete: boolean }>;
  /** Returns size and version of the database. */
  storage(): Promise<StorageInfo>;
  /** Checks that the database responds. */
  ping(): Promise<void>;
  /** Checks the whole database and returns the errors as sentences. Reads some 500 MB per second. */
  check(): Promise<string[]>;
  /** Counts the runs that have not ended, sub-runs included. Costs one index lookup. */
  countActiveRuns(): Promise<Readonly<Record<(typeof activeRunStatuses)[number], number>>>;
  /** Lists the sub-runs of a run; `outputs` are empty as in `listRuns`. */
  listSubRuns(runKey: number, filter: SubRunFilter): Promise<RunRecord[]>;
  /** Finds a sub-run of a run, at any depth. */
  findSubRun(runKey: number, dagRunId: string): Promise<RunRecord | undefined>;
  /** Lists the steps and handlers of runs that have left `not_started`. */
  listStepStates(runKeys: readonly number[]): Promise<StepState[]>;
  /**
   * Changes the status of a step of an ended run, records the change and returns the previous status. A retry that was
   * planned before is rejected from then on.
   * @throws `not_found` or `still_running`
   */
  setStepStatus(edit: StepEdit, at: number): Promise<StepStatus>;
  /**
   * Changes the note of a run, and returns it; an unchanged text changes neither author nor time.
   * @throws `not_found`
   */
  setNote(edit: NoteEdit, at: number): Promise<RunNote | undefined>;
  /**
   * Deletes an ended run with its sub-runs, events and unshared sources. The caller deletes the logs.
   * @throws `not_found`, `still_running`, also for one of its sub-runs, and `bad_request` for a run that is itself a
   * sub-run
   */
  deleteRun(run: RunRef): Promise<readonly PurgedRun[]>;
  /** Lists the runs that one step or handler has started, newest first; `outputs` are empty as in `listRuns`. */
  listStepSubRuns(runKey: number, node: NodeId): Promise<RunRecord[]>;
  /** Lists the items of `parallel` that an attempt has started; empty for an unknown run or attempt. */
  listItems(run: RunRef, filter: ItemFilter): Promise<ItemRecord[]>;
  /** Lists the events after `afterId`, ascending, of one run or of all. */
  listEvents(afterId: number, limit: number, run?: RunRef): Promise<RecordedEvent[]>;
  lastEventId(): Promise<number>;
  /**
   * Deletes ended runs of a DAG, with their sub-runs, events and unshared sources; a run with an active sub-run stays.
   * Deletes a bounded number per call: repeat until nothing is returned. The caller deletes the logs.
   */
  purgeRuns(name: string, limits: PurgeLimits): Promise<readonly PurgedRun[]>;
  /** Lists what repeated calls of {@link purgeRuns} would delete, without sub-runs, oldest first. */
  listPurgeable(name: string, limits: PurgeLimits): Promise<readonly PurgeableRun[]>;
  /** Returns a number that changes whenever another connection to this home has committed. Costs microseconds. */
  dataVersion(): number;
  /** Returns a string that changes with any commit to this home, on any connection. Costs microseconds. */
  commitRevision(): string;
  close(): void;
}

/** Filter for questions; all fields that are set must match. */
export interface ApprovalFilter {
  /** Unanswered questions, or questions with this answer. */
  readonly state?: 'open' | Decision | undefined;
  /** Name of the run. */
  readonly name?: string | undefined;
  readonly dagRunId?: string | undefined;
  /** Only questions with a lower id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A page of questions, newest first. */
export interface ApprovalPage {
  readonly approvals: readonly ApprovalRecord[];
  /** Id of the last question of the page; absent on the last page. */
  readonly next?: string | undefined;
}

/** Stores the questions of steps. The event that a question was asked belongs to its run. */
export interface ApprovalStore {
  list(filter: ApprovalFilter): Promise<ApprovalPage>;
  find(id: string): Promise<ApprovalRecord | undefined>;
  /** Returns the question of an attempt, if it has one. */
  findForAttempt(runKey: number, node: NodeId, attempt: number): Promise<ApprovalRecord | undefined>;
  /**
   * Stores an answer and its event, whichever host drives the run. Nothing changes when it throws.
   * @throws `not_found`, or `conflict` when the question has an answer or its attempt has ended
   */
  answer(id: string, answer: Answer, at: number): Promise<ApprovalRecord>;
  /** Returns a string that changes whenever a question is asked, answered or ends. */
  mark(): Promise<string>;
}
