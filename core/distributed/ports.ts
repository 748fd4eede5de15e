import type { RunRef } from '../model/run/run.ts';
import type { WorkerSelector } from '../model/workflow/worker-selector.ts';

/** Names and values of a worker. */
export type Labels = Readonly<Record<string, string>>;

/** A piece of work for a worker: one attempt of a step, or one item of it. */
export interface NewTask {
  /** Tells the attempt from every other one: `<run key>.<section>.<step>.<attempt>[.<item>]`. Offering it again changes nothing. */
  readonly key: string;
  readonly runKey: number;
  /** Under which the host owns the run. When the run has another one by now, in its row, the task is not added. */
  readonly runEpoch?: number;
  /** For people. */
  readonly run: RunRef;
  readonly step: string;
  readonly selector: WorkerSelector;
  /** Higher ones are taken first. */
  readonly priority: number;
  /** A `RemoteTask` as JSON; the store does not look into it. */
  readonly payload: string;
  /** Absolute path of the attempt's folder on the host; never told to workers. */
  readonly place: string;
}

/**
 * `ready`: waits for a worker. `claimed`: handed to one that has not confirmed it yet. `running`: confirmed, so it may
 * have been begun. The others are ends: `settled` has a result; `lost`: its worker gave no sign of life for a lease, or
 * came back without it; `cancelled`: withdrawn before any worker had confirmed it.
 */
export type TaskState = 'ready' | 'claimed' | 'running' | 'settled' | 'lost' | 'cancelled';

/** What is known of a task. */
export interface TaskRecord {
  readonly key: string;
  readonly runKey: number;
  readonly run: RunRef;
  readonly step: string;
  readonly selector: WorkerSelector;
  readonly state: TaskState;
  /** Of the hand-over; each one, and each refusal of an earlier worker, has a higher one. */
  readonly fence: number;
  /** Who has it, or had it last. */
  readonly worker?: { readonly id: string; readonly epoch: number };
  /** By the database's clock, epoch milliseconds, like all times here. */
  readonly offeredAt: number;
  readonly begunAt?: number;
  readonly endedAt?: number;
  readonly cancel?: 'stop' | 'kill';
  /** A `RemoteResult` as JSON, when it is settled. */
  readonly result?: string;
  /** Why it is lost, in one sentence. */
  readonly reason?: string;
  readonly place: string;
}

/** A worker that reports for work. */
export interface WorkerHello {
  /** Chosen by the worker and kept over its restarts, or the name in its certificate. */
  readonly id: string;
  readonly labels: Labels;
  /** How many tasks it runs at once at most. */
  readonly slots: number;
  readonly version: string;
  /** Name of its machine and its process, for people. */
  readonly host: string;
  readonly pid: number;
  /**
   * Tasks it still has from before its own restart, and goes on with: they stay its own under the new epoch.
   * Everything else of it that was confirmed is lost.
   */
  readonly keeps: readonly TaskHold[];
  /** Of a worker that has just joined by a token; absent: what it had before stays. */
  readonly credential?: WorkerCredential | undefined;
}

/** What a worker without a certificate proves itself with; kept with its row, and removed with it. */
export interface WorkerCredential {
  /** SHA-256 of its worker key, hexadecimal; the key itself is kept nowhere. */
  readonly sha256: string;
  /** `id` of the join token it joined by; nobody takes its place with another one while it lives. */
  readonly token: string;
  /** Labels of that token: they win over what the worker says of itself. */
  readonly labels: Labels;
}

/** The right to write about a task. */
export interface TaskHold {
  readonly key: string;
  readonly fence: number;
}

/** What a worker may do, and for how long. */
export interface WorkerLease {
  readonly id: string;
  /** Of this life of the worker; a write under an earlier one is refused. */
  readonly epoch: number;
  readonly leaseMs: number;
  /** Of `keeps`: those that are not its own any more. */
  readonly lost: readonly string[];
}

/** Which worker speaks, in which of its lives. */
export interface WorkerRef {
  readonly id: string;
  readonly epoch: number;
}

/** Room at a worker. */
export interface ClaimRequest extends WorkerRef {
  /** How many tasks it can start now. */
  readonly free: number;
}

/** A task that a worker got. */
export interface ClaimedTask extends TaskHold {
  readonly payload: string;
}

/** A sign of life. */
export interface Beat extends WorkerRef {
  readonly running: readonly TaskHold[];
  /** For people: load of one core and bytes of free memory. */
  readonly load?: number | undefined;
  readonly freeBytes?: number | undefined;
}

/** What a worker has to know by its sign of life. */
export interface BeatAnswer {
  /** It must register anew: it was away for too long, was removed, or lives again elsewhere. */
  readonly isUnknown: boolean;
  /** Of what it runs: not its own any more; to be killed, nothing of it will be taken. */
  readonly lost: readonly string[];
  readonly cancel: readonly { readonly key: string; readonly how: 'stop' | 'kill' }[];
  /** It gets nothing new, and may end once it has nothing left. */
  readonly isDraining: boolean;
}

/** The end of a task. */
export interface Settlement extends WorkerRef, TaskHold {
  /** A `RemoteResult` as JSON. */
  readonly result: string;
}

/** `stale`: the fence is over, nothing was written but a count of it. `again`: the same result had been written before. */
export type SettleOutcome = 'settled' | 'again' | 'stale';

/** A worker as people see it. */
export interface WorkerRecord {
  readonly id: string;
  readonly epoch: number;
  readonly labels: Labels;
  readonly slots: number;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** `gone`: its lease has ended. */
  readonly state: 'active' | 'draining' | 'gone';
  readonly registeredAt: number;
  readonly beatAt: number;
  readonly leaseUntil: number;
  readonly running: readonly {
    readonly key: string;
    readonly run: RunRef;
    readonly step: string;
    /** When it confirmed the task. */
    readonly begunAt: number;
  }[];
  readonly load?: number;
  readonly freeBytes?: number;
}

/** A coordinator as people see it. */
export interface CoordinatorRecord {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly beatAt: number;
  readonly isAlive: boolean;
  /** Workers that were connected at its last sign of life. */
  readonly workers: number;
}

/** The state of everything at once, for health pages and metrics. */
export interface DispatchFacts {
  readonly ready: number;
  readonly claimed: number;
  readonly running: number;
  /** Results that were refused because their fence was over, since the beginning. */
  readonly staleRefused: number;
  /** No task is taken from a worker before this time. */
  readonly reapingFrom: number;
  readonly now: number;
}

/** A token by which workers join that have no certificate. */
export interface JoinToken {
  readonly id: string;
  /** SHA-256 of the token, hexadecimal; the token itself is kept nowhere. */
  readonly sha256: string;
  readonly note: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** Workers that join by it have these labels, whatever they say themselves. */
  readonly labels: Labels;
}

/**
 * Where work for workers lives; in the database of the home, whichever kind it is. Asynchronous, since many machines ask
 * it. All times are the database's own. Each method is one short transaction. Rejects with `unavailable` when the
 * database cannot be reached; it can be called again then.
 */
export interface DispatchStore {
  // For hosts.
  /**
   * Adds tasks as `ready`; those that are known by their key stay as they are. One whose `runEpoch` is over is left
   * out, so that a host that was stopped for a while does not offer what another one has finished meanwhile.
   */
  offer(tasks: readonly NewTask[]): Promise<void>;
  /** Those of the keys that are known. */
  find(keys: readonly string[]): Promise<TaskRecord[]>;
  /** Of these keys: those that have ended, or have been begun since they were offered. Cheap; called at each wake-up. */
  findChanged(keys: readonly string[]): Promise<TaskRecord[]>;
  /**
   * Asks for an end. What no worker has confirmed ends as `cancelled` at once; the fence of what is claimed goes up.
   * What runs is told to its worker by its next beat, or sooner. A `kill` replaces a `stop`.
   */
  cancel(keys: readonly string[], how: 'stop' | 'kill'): Promise<void>;
  /** Takes what runs away from its worker, for one that cannot be reached; it becomes `lost` with this reason. */
  abandon(keys: readonly string[], reason: string): Promise<void>;
  /** Removes ended tasks whose end is recorded with their run. */
  forget(keys: readonly string[]): Promise<void>;

  // For coordinators.
  /** Begins a life of a worker: the next epoch. What it had before, `keeps` apart, is lost or goes back to `ready`. */
  register(hello: WorkerHello): Promise<WorkerLease>;
  /** The next tasks for each of them, by priority and age: only those whose labels fit, one statement for all. */
  claim(requests: readonly ClaimRequest[]): Promise<ReadonlyMap<string, readonly ClaimedTask[]>>;
  /** Gives back what could not be delivered: it is `ready` again under a higher fence. */
  handBack(holds: readonly TaskHold[]): Promise<void>;
  /** The worker takes responsibility: `claimed` becomes `running`. Keys of those that are its own; it must not begin others. */
  begin(worker: WorkerRef, holds: readonly TaskHold[]): Promise<readonly string[]>;
  /** Prolongs leases; one statement for all. In the order of the beats. */
  beat(beats: readonly Beat[]): Promise<BeatAnswer[]>;
  /** Writes results, each under its fence. In the order given. */
  settle(settlements: readonly Settlement[]): Promise<SettleOutcome[]>;
  /** Whether a worker still holds a task, and where its files go; undefined when not. */
  findHeld(
    worker: WorkerRef,
    hold: TaskHold,
  ): Promise<{ readonly place: string; readonly run: RunRef; readonly runKey: number } | undefined>;
  /** Of a worker that joined by a token; undefined for others, and once it was removed. One look-up by its id. */
  findCredential(
    id: string,
  ): Promise<(WorkerCredential & { readonly leaseUntil: number; readonly now: number }) | undefined>;
  /** What runs at these workers and is to end, by the worker's id: one statement for all that wait at a coordinator. */
  findCancels(
    workers: readonly WorkerRef[],
  ): Promise<ReadonlyMap<string, readonly { readonly key: string; readonly how: 'stop' | 'kill' }[]>>;
  /** The worker goes for good: what it has not finished is lost. */
  leave(worker: WorkerRef): Promise<void>;
  /**
   * Takes from workers whose lease has ended what they had, and puts back what was not confirmed within the activation
   * window. Nothing is taken for one lease after the database or the first coordinator has started, nor while no
   * coordinator gives signs of life (`beatCoordinator`, at least every half lease).
   */
  reap(): Promise<{ readonly lost: number; readonly returned: number }>;

  // For people.
  listWorkers(): Promise<WorkerRecord[]>;
  /** Whether there was such a worker. */
  setDraining(id: string, isDraining: boolean): Promise<boolean>;
  /** Forgets a worker; what it had is lost. It may register again. */
  removeWorker(id: string): Promise<boolean>;
  listTasks(filter: {
    readonly states?: readonly TaskState[];
    readonly runKey?: number;
    readonly limit: number;
  }): Promise<TaskRecord[]>;
  /** Tells, for a selector, how many workers live and how many of them have the labels. */
  match(selector: WorkerSelector): Promise<{ readonly workers: number; readonly matching: number }>;
  facts(): Promise<DispatchFacts>;
  beatCoordinator(coordinator: Omit<CoordinatorRecord, 'beatAt' | 'isAlive' | 'startedAt'>): Promise<void>;
  leaveCoordinator(id: string): Promise<void>;
  listCoordinators(): Promise<CoordinatorRecord[]>;
  addJoinToken(token: Omit<JoinToken, 'createdAt'>): Promise<void>;
  listJoinTokens(): Promise<JoinToken[]>;
  removeJoinToken(id: string): Promise<boolean>;
  /** A token that is valid now. */
  findJoinToken(sha256: string): Promise<JoinToken | undefined>;

  /**
   * Calls back when there may be something new, for waiting hosts (`ended`, `begun`) or coordinators (`offered`, `cancelled`). Only a hint
   * to look sooner: whoever waits looks from time to time by itself. Returns what ends it.
   */
  onWake(listener: (kind: 'offered' | 'changed' | 'cancelled') => void): () => void;
  close(): Promise<void>;
}
