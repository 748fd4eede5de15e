import type {
  CoordinatorRecord,
  DispatchStats,
  JoinToken,
  TaskRecord,
  TaskState,
  WorkerCredential,
  WorkerRecord,
  Labels,
  WorkerRef,
} from '../../store/types/dispatch.ts';

/** Timeouts for tasks held by workers. */
export interface DispatchSettings {
  /** Lease: a worker without a heartbeat for this long loses its running tasks, in milliseconds. */
  readonly leaseMs: number;
  /** Activation timeout: unconfirmed tasks go to another worker after this time, in milliseconds. */
  readonly activationMs: number;
}

export const dispatchDefaults: DispatchSettings = { leaseMs: 30_000, activationMs: 10_000 };

/**
 * Returns the time without a heartbeat after which a coordinator counts as dead: half a lease, so that workers have
 * the other half to find another coordinator before reclaiming is postponed.
 */
export const coordinatorLeaseMs = ({ leaseMs }: DispatchSettings): number => leaseMs / 2;

/** Time for which removed workers are listed and their epochs retained, in milliseconds. */
export const goneRetentionMs = 24 * 60 * 60 * 1000;

/** Interval of deleting unused rows, in milliseconds. */
export const pruneIntervalMs = 10 * 60 * 1000;

/** Kinds of changes: see `DispatchStore.onWake`. */
export type ChangeKind = 'offered' | 'changed' | 'cancelled';

/** Columns of every {@link TaskRow}. */
export const taskColumns = `key, run_key, dag, run_id, step, selector, state, fence, worker_id, worker_epoch, offered_at,
  begun_at, ended_at, cancel, result, reason, place`;

/** Final states of tasks. */
export const endedStates = `('settled', 'lost', 'cancelled')`;

/** A row of `task` with decoded labels; the same for both databases. */
export interface TaskRow {
  readonly key: string;
  readonly run_key: number;
  readonly dag: string;
  readonly run_id: string;
  readonly step: string;
  readonly selector: readonly string[];
  readonly state: TaskState;
  readonly fence: number;
  readonly worker_id: string | null;
  readonly worker_epoch: number | null;
  readonly offered_at: number;
  readonly begun_at: number | null;
  readonly ended_at: number | null;
  readonly cancel: 'stop' | 'kill' | null;
  readonly result: string | null;
  readonly reason: string | null;
  readonly place: string;
}

export const toTask = (row: TaskRow): TaskRecord => ({
  key: row.key,
  runKey: row.run_key,
  run: { name: row.dag, dagRunId: row.run_id },
  step: row.step,
  selector: readLabels(row.selector),
  state: row.state,
  fence: row.fence,
  ...(row.worker_id !== null && { worker: { id: row.worker_id, epoch: row.worker_epoch! } }),
  offeredAt: row.offered_at,
  ...(row.begun_at !== null && { begunAt: row.begun_at }),
  ...(row.ended_at !== null && { endedAt: row.ended_at }),
  ...(row.cancel !== null && { cancel: row.cancel }),
  ...(row.result !== null && { result: row.result }),
  ...(row.reason !== null && { reason: row.reason }),
  attemptDir: row.place,
});

/** Columns of every {@link WorkerRow}. */
export const workerColumns = `id, epoch, life, is_draining, labels, slots, version, host, pid, registered_at, beat_at,
  lease_until, load, free_bytes`;

/** A row of `worker` with decoded labels. */
export interface WorkerRow {
  readonly id: string;
  readonly epoch: number;
  readonly life: 'active' | 'gone';
  readonly is_draining: 0 | 1;
  readonly labels: readonly string[];
  readonly slots: number;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly registered_at: number;
  readonly beat_at: number;
  readonly lease_until: number;
  readonly load: number | null;
  readonly free_bytes: number | null;
}

/** A running task of any worker. */
export interface RunningRow {
  readonly worker_id: string;
  readonly key: string;
  readonly dag: string;
  readonly run_id: string;
  readonly step: string;
  readonly begun_at: number;
}

/** @param now in the database's clock */
export function toWorkers(
  rows: readonly WorkerRow[],
  running: readonly RunningRow[],
  now: number,
): WorkerRecord[] {
  const byWorker = Map.groupBy(running, (row) => row.worker_id);
  return rows.map((row) => ({
    id: row.id,
    epoch: row.epoch,
    labels: readLabels(row.labels),
    slots: row.slots,
    version: row.version,
    host: row.host,
    pid: row.pid,
    state: getState(row, now),
    registeredAt: row.registered_at,
    beatAt: row.beat_at,
    leaseUntil: row.lease_until,
    running: (byWorker.get(row.id) ?? []).map(({ key, dag, run_id, step, begun_at }) => ({
      key,
      run: { name: dag, dagRunId: run_id },
      step,
      begunAt: begun_at,
    })),
    ...(row.load !== null && { load: row.load }),
    ...(row.free_bytes !== null && { freeBytes: row.free_bytes }),
  }));
}

function getState(row: WorkerRow, now: number): WorkerRecord['state'] {
  if (row.life === 'gone' || row.lease_until <= now) return 'gone';
  return row.is_draining === 1 ? 'draining' : 'active';
}

/** A row of `coordinator`. */
export interface CoordinatorRow {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly started_at: number;
  readonly beat_at: number;
  readonly workers: number;
}

/** @param aliveFrom a coordinator with a later heartbeat is alive */
export const toCoordinator = (row: CoordinatorRow, aliveFrom: number): CoordinatorRecord => ({
  id: row.id,
  url: row.url,
  version: row.version,
  host: row.host,
  pid: row.pid,
  startedAt: row.started_at,
  beatAt: row.beat_at,
  isAlive: row.beat_at > aliveFrom,
  workers: row.workers,
});

/** A row of `join_token` with decoded labels. */
export interface TokenRow {
  readonly id: string;
  readonly sha256: string;
  readonly note: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly labels: readonly string[];
}

export const toToken = (row: TokenRow): JoinToken => ({
  id: row.id,
  sha256: row.sha256,
  note: row.note,
  createdAt: row.created_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  labels: readLabels(row.labels),
});

/** Credential of a worker that joined by token, with decoded labels. */
export interface CredentialRow {
  readonly credential_sha256: string;
  readonly credential_token: string;
  readonly credential_labels: readonly string[];
  readonly lease_until: number;
}

export const toCredential = (
  row: CredentialRow,
  now: number,
): WorkerCredential & { readonly leaseUntil: number; readonly now: number } => ({
  sha256: row.credential_sha256,
  token: row.credential_token,
  labels: readLabels(row.credential_labels),
  leaseUntil: row.lease_until,
  now,
});

/** Counts of open tasks, and the row of `dispatch_fact`. */
export interface StatsRow {
  readonly ready: number;
  readonly claimed: number;
  readonly running: number;
  readonly stale_refused: number;
  readonly reaping_from: number;
}

export const toStats = (row: StatsRow, now: number): DispatchStats => ({
  ready: row.ready,
  claimed: row.claimed,
  running: row.running,
  staleRefused: row.stale_refused,
  reapingFrom: row.reaping_from,
  now,
});

/** Encodes labels for the database: `name=value`, sorted. A `=` in a name is encoded as `%3D`. */
export const writeLabels = (labels: Labels): string[] =>
  Object.entries(labels)
    .map(([name, value]) => `${name.replaceAll(/[%=]/g, encodeURIComponent)}=${value}`)
    .sort();

/** Decodes labels of {@link writeLabels}. */
const readLabels = (lines: readonly string[]): Labels =>
  Object.fromEntries(
    lines.map((label) => {
      const end = label.indexOf('=');
      return [decodeURIComponent(label.slice(0, end)), label.slice(end + 1)];
    }),
  );

/** Whether all requested labels are present. */
export function hasLabels(labels: readonly string[], required: readonly string[]): boolean {
  const known = new Set(labels);
  return required.every((label) => known.has(label));
}

/** Why a task was lost, in one sentence. */
export const lostReasons = {
  silent: (worker: string, leaseMs: number): string =>
    `Worker ${worker} has not responded for ${leaseMs / 1000} s.`,
  restarted: (worker: string): string => `Worker ${worker} was restarted without resuming the step.`,
  left: (worker: string): string => `Worker ${worker} left before the step finished.`,
  removed: (worker: string): string => `Worker ${worker} was removed.`,
} as const;

/** Free capacity of a worker. */
export interface WorkerCapacity {
  readonly worker: WorkerRef;
  readonly free: number;
}

/** Distributes seats round-robin: each worker gets its first before any gets its second. */
export function allocateRoundRobin(group: readonly WorkerCapacity[]): { readonly worker: WorkerRef }[] {
  const max = Math.max(0, ...group.map(({ free }) => free));
  return Array.from({ length: max }, (_, round) => group.filter(({ free }) => free > round)).flat();
}
