import type { RunRef } from '../../model/run.ts';
import type { WorkerSelector } from '../../model/workflow-rules.ts';

/** Labels of a worker. */
export type Labels = Readonly<Record<string, string>>;

/** A task for a worker: an attempt of a step, or one item of it. */
export interface NewTask {
  /** Unique key of the attempt: `<run key>.<section>.<step>.<attempt>[.<item>]`. Offering it again has no effect. */
  readonly key: string;
  readonly runKey: number;
  /** Epoch in which the host owns the run. If the run's row has another epoch, the task is not added. */
  readonly runEpoch?: number;
  /** For display. */
  readonly run: RunRef;
  readonly step: string;
  readonly selector: WorkerSelector;
  /** Higher priorities first. */
  readonly priority: number;
  /** A `RemoteTask` as JSON; opaque for the store. */
  readonly payload: string;
  /** Absolute path of the attempt's directory on the host; not sent to workers. */
  readonly attemptDir: string;
}

/**
 * `ready`: waits for a worker. `claimed`: handed to a worker that has not confirmed it. `running`: confirmed, may have
 * started. The other states are final: `settled` has a result; `lost`: its worker sent no heartbeat for one lease, or
 * rejoined without it; `cancelled`: cancelled before a worker confirmed it.
 */
export type TaskState = 'ready' | 'claimed' | 'running' | 'settled' | 'lost' | 'cancelled';

/** State of a task. */
export interface TaskRecord {
  readonly key: string;
  readonly runKey: number;
  readonly run: RunRef;
  readonly step: string;
  readonly selector: WorkerSelector;
  readonly state: TaskState;
  /** Fencing token; increases with each claim and each revocation. */
  readonly fence: number;
  /** The worker that has it or had it last. */
  readonly worker?: { readonly id: string; readonly epoch: number };
  /** In the database's clock, epoch milliseconds, like all times here. */
  readonly offeredAt: number;
  readonly begunAt?: number;
  readonly endedAt?: number;
  readonly cancel?: 'stop' | 'kill';
  /** A `RemoteResult` as JSON, if settled. */
  readonly result?: string;
  /** Why it was lost, in one sentence. */
  readonly reason?: string;
  readonly attemptDir: string;
}

/** Registration of a worker. */
export interface WorkerRegistration {
  /** Chosen by the worker and stable across restarts, or the name in its certificate. */
  readonly id: string;
  readonly labels: Labels;
  /** Maximum number of parallel tasks. */
  readonly slots: number;
  readonly version: string;
  /** Host name and process id, for display. */
  readonly host: string;
  readonly pid: number;
  /**
   * Tasks from before its restart that it continues; they keep running under the new epoch. All its other confirmed
   * tasks are lost.
   */
  readonly keeps: readonly TaskLease[];
  /** Set for a worker that has just joined by token; if absent, the stored one stays. */
  readonly credential?: WorkerCredential | undefined;
}

/** Credential of a worker without a certificate, stored and deleted with its row. */
export interface WorkerCredential {
  /** SHA-256 of its worker key, hexadecimal; the key itself is not stored. */
  readonly sha256: string;
  /** `id` of the join token. While the worker is alive, no worker with another token can take its id. */
  readonly token: string;
  /** Labels of the join token, which override the worker's own. */
  readonly labels: Labels;
}

/** The right to write to a task. */
export interface TaskLease {
  readonly key: string;
  readonly fence: number;
}

/** Lease of a worker. */
export interface WorkerLease {
  readonly id: string;
  /** Epoch of this registration; writes with an earlier one are rejected. */
  readonly epoch: number;
  readonly leaseMs: number;
  /** Tasks of `keeps` that no longer belong to the worker. */
  readonly lost: readonly string[];
}

/** A worker with its epoch. */
export interface WorkerRef {
  readonly id: string;
  readonly epoch: number;
}

/** Free capacity of a worker. */
export interface ClaimRequest extends WorkerRef {
  /** Number of tasks it can start now. */
  readonly free: number;
}

/** A claimed task. */
export interface ClaimedTask extends TaskLease {
  readonly payload: string;
}

/** A heartbeat. */
export interface Heartbeat extends WorkerRef {
  readonly running: readonly TaskLease[];
  /** For display: load per core and free memory in bytes. */
  readonly load?: number | undefined;
  readonly freeBytes?: number | undefined;
}

/** Response to a heartbeat. */
export interface HeartbeatReply {
  /** The worker must register again: its lease expired, it was removed, or its id registered elsewhere. */
  readonly isUnknown: boolean;
  /** Running tasks that no longer belong to the worker. It must kill them; their results are not accepted. */
  readonly lost: readonly string[];
  readonly cancel: readonly { readonly key: string; readonly how: 'stop' | 'kill' }[];
  /** The worker gets no new tasks, and may exit when it has none left. */
  readonly isDraining: boolean;
}

/** The result of a task. */
export interface TaskResult extends WorkerRef, TaskLease {
  /** A `RemoteResult` as JSON. */
  readonly result: string;
}

/**
 * `stale`: the fencing token is outdated, nothing was written except a counter. `again`: the same result was written
 * before.
 */
export type CompletionOutcome = 'settled' | 'again' | 'stale';

/** A worker for display. */
export interface WorkerRecord {
  readonly id: string;
  readonly epoch: number;
  readonly labels: Labels;
  readonly slots: number;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** `gone`: its lease has expired. */
  readonly state: 'active' | 'draining' | 'gone';
  readonly registeredAt: number;
  readonly beatAt: number;
  readonly leaseUntil: number;
  readonly running: readonly {
    readonly key: string;
    readonly run: RunRef;
    readonly step: string;
    /** Time at which it confirmed the task. */
    readonly begunAt: number;
  }[];
  readonly load?: number;
  readonly freeBytes?: number;
}

/** A coordinator for display. */
export interface CoordinatorRecord {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly beatAt: number;
  readonly isAlive: boolean;
  /** Number of connected workers at its last heartbeat. */
  readonly workers: number;
}

/** Overall state, for health pages and metrics. */
export interface DispatchStats {
  readonly ready: number;
  readonly claimed: number;
  readonly running: number;
  /** Total number of results rejected because of an outdated fencing token. */
  readonly staleRefused: number;
  /** No task is reclaimed before this time. */
  readonly reapingFrom: number;
  readonly now: number;
}

/** A join token for workers without a certificate. */
export interface JoinToken {
  readonly id: string;
  /** SHA-256 of the token, hexadecimal; the token itself is not stored. */
  readonly sha256: string;
  readonly note: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** Labels of workers that join with it; they override the worker's own. */
  readonly labels: Labels;
}

/**
 * Store of tasks for workers, in the database of the home of either kind. Asynchronous, because many machines use it.
 * All times are in the database's clock. Each method is one short transaction. Rejects with `unavailable` if the
 * database is unreachable; the call can then be retried.
 */
export interface DispatchStore {
  // Methods for hosts.
  /**
   * Adds tasks as `ready`; known keys stay unchanged. Tasks with an outdated `runEpoch` are skipped, so that a host
   * that was suspended does not offer tasks that another host has finished.
   */
  offer(tasks: readonly NewTask[]): Promise<void>;
  /** Returns the known tasks of these keys. */
  find(keys: readonly string[]): Promise<TaskRecord[]>;
  /** Returns those of these tasks that have ended or started since they were offered. Cheap; called at each wake-up. */
  findChanged(keys: readonly string[]): Promise<TaskRecord[]>;
  /**
   * Requests cancellation. Unconfirmed tasks end as `cancelled` immediately, and the fencing token of claimed ones
   * increases. Workers of running tasks are notified with their next heartbeat or earlier. A `kill` replaces a `stop`.
   */
  cancel(keys: readonly string[], how: 'stop' | 'kill'): Promise<void>;
  /** Reclaims running tasks from an unreachable worker; they become `lost` with this reason. */
  abandon(keys: readonly string[], reason: string): Promise<void>;
  /** Deletes ended tasks whose end has been recorded in their run. */
  forget(keys: readonly string[]): Promise<void>;

  // Methods for coordinators.
  /** Registers a worker with the next epoch. Its earlier tasks, except `keeps`, are lost or become `ready` again. */
  register(hello: WorkerRegistration): Promise<WorkerLease>;
  /** Claims the next tasks for each worker by priority and age, if its labels match; one statement for all. */
  claim(requests: readonly ClaimRequest[]): Promise<ReadonlyMap<string, readonly ClaimedTask[]>>;
  /** Returns tasks that could not be delivered: `ready` again with a higher fencing token. */
  release(holds: readonly TaskLease[]): Promise<void>;
  /**
   * Confirms tasks: `claimed` becomes `running`. Returns the keys that belong to the worker; it must not start others.
   */
  begin(worker: WorkerRef, holds: readonly TaskLease[]): Promise<readonly string[]>;
  /** Renews leases in one statement. Results are in the order of the beats. */
  beat(beats: readonly Heartbeat[]): Promise<HeartbeatReply[]>;
  /** Writes results, each with its fencing token. Outcomes are in the specified order. */
  settle(taskResults: readonly TaskResult[]): Promise<CompletionOutcome[]>;
  /** Returns a task that the worker still holds, with the path of its files; undefined otherwise. */
  findHeld(
    worker: WorkerRef,
    lease: TaskLease,
  ): Promise<{ readonly attemptDir: string; readonly run: RunRef; readonly runKey: number } | undefined>;
  /**
   * Returns the credential of a worker that joined by token; undefined for others and removed ones. One lookup by id.
   */
  findCredential(
    id: string,
  ): Promise<(WorkerCredential & { readonly leaseUntil: number; readonly now: number }) | undefined>;
  /**
   * Returns running tasks of these workers to cancel, by worker id: one statement for all workers that wait at a
   * coordinator.
   */
  findCancels(
    workers: readonly WorkerRef[],
  ): Promise<ReadonlyMap<string, readonly { readonly key: string; readonly how: 'stop' | 'kill' }[]>>;
  /** Unregisters a worker; its unfinished tasks are lost. */
  leave(worker: WorkerRef): Promise<void>;
  /**
   * Reclaims tasks of workers whose lease has expired, and returns tasks that were not confirmed within the activation
   * timeout. Nothing is reclaimed for one lease after the database or the first coordinator has started, or while no
   * coordinator sends heartbeats (`heartbeatCoordinator`, at least every half lease).
   */
  reap(): Promise<{ readonly lost: number; readonly returned: number }>;

  // Methods for administration.
  listWorkers(): Promise<WorkerRecord[]>;
  /** Returns whether the worker exists. */
  setDraining(id: string, isDraining: boolean): Promise<boolean>;
  /** Removes a worker; its tasks are lost. It may register again. */
  removeWorker(id: string): Promise<boolean>;
  listTasks(filter: {
    readonly states?: readonly TaskState[];
    readonly runKey?: number;
    readonly limit: number;
  }): Promise<TaskRecord[]>;
  /** Returns the number of live workers, and how many of them match a selector. */
  match(selector: WorkerSelector): Promise<{ readonly workers: number; readonly matching: number }>;
  stats(): Promise<DispatchStats>;
  heartbeatCoordinator(
    coordinator: Omit<CoordinatorRecord, 'beatAt' | 'isAlive' | 'startedAt'>,
  ): Promise<void>;
  leaveCoordinator(id: string): Promise<void>;
  listCoordinators(): Promise<CoordinatorRecord[]>;
  addJoinToken(token: Omit<JoinToken, 'createdAt'>): Promise<void>;
  listJoinTokens(): Promise<JoinToken[]>;
  removeJoinToken(id: string): Promise<boolean>;
  /** Returns a valid token. */
  findJoinToken(sha256: string): Promise<JoinToken | undefined>;

  /**
   * Calls back on possible changes, for waiting hosts (`ended`, `begun`) or coordinators (`offered`, `cancelled`).
   * Only a hint; callers must also poll. Returns a function that unsubscribes.
   */
  onWake(listener: (kind: 'offered' | 'changed' | 'cancelled') => void): () => void;
  close(): Promise<void>;
}
