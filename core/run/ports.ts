import type { HostStore } from '../hosts/ports.ts';
import type { AppError } from '../base/errors.ts';
import type { NodeId, RecordedEvent, RunEvent, Trigger } from '../model/run/run-event.ts';
import type {
  ItemRecord,
  ItemStatus,
  RunDetail,
  RunOwner,
  RunRecord,
  RunRef,
  SpecSource,
} from '../model/run/run.ts';
import type { RunTrace } from '../model/run/run-trace.ts';
import type { SlotRef } from '../model/run/slot.ts';
import type { activeRunStatuses, EditableStatus, RunStatus, StepStatus } from '../model/run/status.ts';
import type { Parameter } from '../model/workflow/workflow.ts';

/** What is known of a run before it exists. */
export interface NewRun extends RunRef {
  readonly spec: SpecSource;
  readonly trigger: Trigger;
  /** Who or what has started it, named as in the audit trail; `schedule` for the scheduler. */
  readonly startedBy?: string | undefined;
  readonly params: readonly Parameter[];
  /** As in `RunRecord`. */
  readonly onlySteps?: readonly string[];
  readonly defaultWorkingDir?: string;
  readonly parent?: RunRef & { readonly step: string };
  readonly root?: RunRef;
  /** Owns the run from the same transaction on, under epoch 1; absent for one that waits in a queue. */
  readonly owner?: RunOwner;
  /** The queue it counts in, whether or not it waits there; that of its own name when absent. Sub-runs count in none. */
  readonly queue?: string;
  /** It waits in a queue until a host claims it there; `owner` is absent then. Refused with `queue_closed`. */
  readonly waiting?: Waiting;
  /** Refuse with `max_run_reached` when this many runs of the same name are active; negative for no limit. */
  readonly maxActiveRuns: number;
  /** Refuse with `still_running` when any run of the same name is active. */
  readonly singleton?: boolean;
  readonly trace?: RunTrace;
  /** Those of its workflow, in lower case. */
  readonly tags?: readonly string[];
  /** The scheduled time it is for, recorded with it; `stale_owner` when that has been dealt with. */
  readonly slot?: SlotRef;
}

/** How a run waits. */
export interface Waiting {
  /** Higher ones start first; as in `priorities`. */
  readonly priority: number;
  /** Of the workflow: how many runs of a queue without a limit of its own may be active; negative for no limit. */
  readonly maxActiveRuns: number;
  /** The queue's own limit, when it has one; only for the reason that is kept with the run. */
  readonly queueLimit?: number;
}

/** A run that is to go on after its end. */
export interface Reopening {
  readonly runKey: number;
  /** The run's epoch when the retry was planned; a change since then refuses it. */
  readonly epoch: number;
  readonly owner: RunOwner;
  /** Who asked for it. */
  readonly by: string;
  /** Names of the steps that begin anew; the others keep their end. */
  readonly steps: readonly string[];
  /** The step that was asked for, and whether nothing but that step runs; see `EarlierRun`. */
  readonly from?: string;
  readonly alone?: boolean;
  /** As for a new run; sub-runs are not counted. */
  readonly maxActiveRuns: number;
  /** The trace as it goes on. */
  readonly trace?: RunTrace;
}

/** Events of one run that belong together, and the right to write them. */
export interface EventBatch {
  readonly runKey: number;
  /** The epoch under which the writer owns the run. */
  readonly epoch: number;
  readonly events: readonly { readonly at: number; readonly event: RunEvent }[];
  /** So many of the first ones may have been written: a commit of them failed, and perhaps only its answer was lost. */
  readonly inDoubt?: number;
}

/** `stale`: another host owns the run now. `illegal`: the state did not allow an event; nothing of the batch was written. */
export type BatchOutcome =
  | { readonly outcome: 'written' }
  | { readonly outcome: 'stale' | 'illegal'; readonly reason: string };

/** Which runs to list; all given fields must hold. Newest first, pages by `before`. */
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
export interface RunPlace {
  readonly key: number;
  /** Creation time, epoch milliseconds, in a list that is ordered by it. */
  readonly at?: number;
}

/** Which runs to find; all given fields must hold. */
export interface RunSearch extends Omit<RunFilter, 'before'> {
  /** Part of the name, whatever its case. */
  readonly nameContains?: string;
  readonly dagRunId?: string;
  /** Its workflow had all of these tags when the run was created; in lower case. */
  readonly tags?: readonly string[];
  /** Created at this time or later, epoch milliseconds. */
  readonly createdFrom?: number;
  /** Created before this time, epoch milliseconds. */
  readonly createdBefore?: number;
  readonly triggers?: readonly Trigger[];
  /** Part of who has started it, whatever the case of a to z. */
  readonly startedBy?: string;
  /** The queue that it counts in. */
  readonly queue?: string;
  /** Part of its name, id, parameters or reason, whatever the case of a to z. */
  readonly text?: string;
  /** How long it has taken, or takes until now, milliseconds. */
  readonly duration?: { readonly least?: number; readonly most?: number; readonly now: number };
  /** Only what follows in the list. */
  readonly after?: RunPlace;
}

/** Days on which runs are counted. */
export interface DayQuestion {
  /** In order, each from its first instant until that of the next day; epoch milliseconds. */
  readonly days: readonly { readonly from: number; readonly until: number }[];
  readonly name?: string;
}

/** Runs of one day. */
export interface DayCount {
  readonly total: number;
  readonly failed: number;
}

/** What a database takes up, and what it is. */
export interface StorageFacts {
  readonly kind: 'sqlite' | 'postgres';
  /** Of SQLite, or of the server. */
  readonly release: string;
  /** Of a server: since when the connection to it has been there, epoch milliseconds by its clock. */
  readonly connectedAt?: number;
  readonly bytes: number;
  /** Of these, what holds nothing. */
  readonly freeBytes: number;
  /** Of the schema. */
  readonly version: number;
  /** Rows, sub-runs included. */
  readonly runs: number;
}

/** A part of what was found, newest first. */
export interface RunPage {
  /** `outputs` are left empty as in `listRuns`. May be fewer than asked for before the end. */
  readonly runs: readonly RunRecord[];
  /** Where the next part begins; absent at the end. */
  readonly next?: RunPlace;
}

/** Which runs below another one to list, in the order of their keys. */
export interface SubRunFilter {
  /** Those below these, too, to any depth. */
  readonly isDeep: boolean;
  /** Only runs whose key is greater than this one. */
  readonly after?: number;
  readonly limit: number;
}

/** How a step of a run stands. */
export interface StepState {
  readonly runKey: number;
  readonly node: NodeId;
  readonly status: StepStatus;
}

/** A status that somebody gives a step of an ended run. */
export interface StepEdit {
  readonly runKey: number;
  /** Name of the step. */
  readonly step: string;
  readonly status: EditableStatus;
  readonly by: string;
}

/** A run that has been removed, and where its logs may still be. */
export interface PurgedRun extends RunRef {
  /** As in `RunRecord`. */
  readonly logDir: string;
}

/** Which ended runs may go: those that all given limits let go. */
export interface PurgeLimits {
  /** Only runs that ended before this time, epoch milliseconds. */
  readonly before?: number;
  /** Never the newest runs, this many of them; with `statuses`, of those that have one of these. */
  readonly keep?: number;
  readonly statuses?: readonly RunStatus[];
}

/** A run that may go. */
export interface PurgeableRun extends PurgedRun {
  readonly status: RunStatus;
  readonly finishedAt: number;
}

/** Which items of an attempt to list, in the order of the items. */
export interface ItemFilter {
  readonly node: NodeId;
  readonly attempt: number;
  readonly statuses?: readonly ItemStatus[];
  /** Only items whose number is greater than this one. */
  readonly after?: number;
  readonly limit: number;
}

/** Tells a state of a run from its other ones. */
export interface RunVersion {
  readonly key: number;
  readonly status: RunStatus;
  /** Its newest event; 0 when it has none. */
  readonly eventId: number;
}

/** Where runs live. Synchronous: SQLite is, and a commit costs less than a turn of the loop. */
export interface RunStore extends HostStore {
  /** What the database is called in messages: the path of its file, or its address without the password. */
  readonly name: string;
  /**
   * Adds a run as `not_started`, or as `queued`. Throws `already_exists`, `max_run_reached`, `still_running`, or `stale_owner` for a
   * sub-run when another host than `owner` has the parent; the state is unchanged then.
   */
  createRun(run: NewRun, at: number): RunRecord;
  /** The same for several runs in one transaction, each of which is refused by itself; the refusals are returned. */
  createRuns(runs: readonly (NewRun & { readonly at: number })[]): (RunRecord | AppError)[];
  /**
   * Takes a final run back to `not_started` for `owner`, with the named steps and all handlers; what they had
   * recorded of attempts and sub-runs stays. Throws `not_found`, `still_running`, `max_run_reached`, or
   * `stale_owner` when it has been retried since; the state is unchanged then.
   */
  reopenRun(wish: Reopening, at: number): RunRecord;
  /** Writes every batch with its state changes in one durable transaction; each batch stands or falls alone. */
  append(batches: readonly EventBatch[]): BatchOutcome[];
  /** Records that somebody asks the run to stop, with `force` that its processes be killed; any host may. One that waits in a queue ends as aborted. Throws `not_found` or `not_running`. */
  requestStop(run: RunRef, by: string, at: number, force?: boolean): void;
  findRun(run: RunRef): RunRecord | undefined;
  /** Newest run of a DAG, sub-runs left out. */
  latestRun(name: string): RunRecord | undefined;
  /**
   * Newest run of each DAG that has one, or of those named, sub-runs left out; `outputs` are left empty as in `listRuns`.
   */
  latestRuns(names?: readonly string[]): ReadonlyMap<string, RunRecord>;
  /** Which state a run is in; it changes with each event of the run. Costs microseconds. */
  findVersion(run: RunRef): RunVersion | undefined;
  getDetail(run: RunRef): RunDetail | undefined;
  /** `outputs` are left empty here, since they may be megabytes each: ask `findRun` or `getDetail` for them. */
  listRuns(filter: RunFilter): RunRecord[];
  /**
   * Finds runs; looks at a bounded number of them, so that a part may hold fewer than asked for, even none, before the
   * end. Throws `bad_request` for a place of a list in another order.
   */
  searchRuns(search: RunSearch): RunPage;
  /** How many runs were created on each day, sub-runs apart, in the order of the days. */
  countByDay(question: DayQuestion): { readonly counts: readonly DayCount[]; readonly isComplete: boolean };
  /** What the database takes up. */
  storage(): StorageFacts;
  /** Asks the database for nothing but an answer. */
  ping(): void;
  /** Looks through the whole database; what is wrong with it, in sentences. Reads some 500 MB a second. */
  check(): string[];
  /** How many runs have not ended, sub-runs included. Costs a look at an index. */
  countActiveRuns(): Readonly<Record<(typeof activeRunStatuses)[number], number>>;
  /** Runs below another one; `outputs` are left empty as in `listRuns`. */
  listSubRuns(runKey: number, filter: SubRunFilter): RunRecord[];
  /** A run below another one, however deep. */
  findSubRun(runKey: number, dagRunId: string): RunRecord | undefined;
  /** Steps and handlers of runs that have left `not_started`. */
  listStepStates(runKeys: readonly number[]): StepState[];
  /**
   * Gives a step of an ended run another status, and records it; what it had before is returned. A retry that was
   * planned before is refused from now on. Throws `not_found` or `still_running`.
   */
  setStepStatus(edit: StepEdit, at: number): StepStatus;
  /**
   * Removes an ended run with its sub-runs, events and texts that no other run has. Throws `not_found`,
   * `still_running`, also for a sub-run of it, and `bad_request` for a run that is itself a sub-run. The logs are the
   * caller's to remove.
   */
  deleteRun(run: RunRef): readonly PurgedRun[];
  /** Runs that one step or handler has started, newest first; `outputs` are left empty as in `listRuns`. */
  listStepSubRuns(runKey: number, node: NodeId): RunRecord[];
  /** Items of `parallel` that an attempt has begun; none of a run or attempt that does not exist. */
  listItems(run: RunRef, filter: ItemFilter): ItemRecord[];
  /** Events after `afterId`, ascending, of one run or of all. */
  listEvents(afterId: number, limit: number, run?: RunRef): RecordedEvent[];
  lastEventId(): number;
  /**
   * Removes ended runs of a DAG, with their sub-runs, events and texts that no other run has; one with a sub-run
   * that still goes on is kept. A bounded number at a time: call again until nothing is returned. The logs are the
   * caller's to remove.
   */
  purgeRuns(name: string, limits: PurgeLimits): readonly PurgedRun[];
  /** What {@link purgeRuns} would remove by and by, sub-runs apart; the oldest first. */
  listPurgeable(name: string, limits: PurgeLimits): readonly PurgeableRun[];
  /** Changes whenever another connection to this home has committed. Costs microseconds. */
  foreignVersion(): number;
  /** Differs after any commit to this home, whoever made it. Costs microseconds. */
  commitMark(): string;
  close(): void;
}
