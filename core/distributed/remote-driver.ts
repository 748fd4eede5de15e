import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, getErrorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { CoalescedTask } from '../base/turns.ts';
import type { RunningStep } from '../executors/executor.ts';
import type { WorkerSelector } from '../model/workflow-rules.ts';
import type { RemoteAttempt, RemoteSteps, RemoteWorker } from '../run/remote/remote-task.ts';
import { formatMissingWorker, type Workers } from '../run/run-input.ts';
import type { TaskFiles } from '../run/remote/task-files.ts';
import type { DispatchStore, NewTask, TaskRecord } from '../store/types/dispatch.ts';
import { dispatchDefaults } from './store/rows.ts';
import { PendingTask, explainAll, selectorKey } from './pending-task.ts';

type LogFiles = Pick<TaskFiles, 'mirrorLogs' | 'sealLogs'>;

/** Polling interval for task states in milliseconds; wake-ups trigger earlier polls. */
const pollIntervalMs = 1000;
/** Waiting time before the reason is reported, and minimum interval between reports, in milliseconds. */
const timeoutMs = 1000;
const explainIntervalMs = 5000;
/** Number of polls between two polls of all tasks, instead of changed ones only. */
const pollsPerReconcile = 30;
/** Maximum number of tasks per query or offer. */
const batchSize = 500;
/** Maximum number of ended tasks of a run to delete at once. */
const maxRemaining = 1000;

const hasEnded = ({ state }: TaskRecord): boolean =>
  state === 'settled' || state === 'lost' || state === 'cancelled';

/** Runs the remote attempts of all runs of this host: offers them, tracks them, and returns their results. */
export class RemoteDriver implements RemoteSteps, Workers {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #tasks: () => Promise<DispatchStore>;
  readonly #files: () => Promise<LogFiles>;
  readonly #pendingTasks = new Map<string, PendingTask>();
  readonly #hosts = new Map<string, string>();
  #store: Promise<DispatchStore> | undefined;
  #stopListening: (() => void) | undefined;
  #cancelPoll: Dispose | undefined;
  readonly #polling: CoalescedTask;
  #isSetUp = false;
  #isClosed = false;
  #pollCount = 0;
  #explainedAt = -Infinity;
  #hasFailed = false;

  constructor(
    clock: Clock,
    logger: Logger,
    tasks: () => Promise<DispatchStore>,
    files: () => Promise<LogFiles>,
  ) {
    this.#clock = clock;
    this.#logger = logger;
    this.#tasks = tasks;
    this.#files = files;
    this.#polling = new CoalescedTask(clock, () => this.#poll());
  }

  start(attempt: RemoteAttempt): RunningStep {
    const pendingTask = new PendingTask(attempt, this.#clock.monotonic());
    this.#pendingTasks.set(attempt.key, pendingTask);
    this.#polling.requestSoon();
    return {
      ended: this.#follow(pendingTask),
      stop: () => this.#requestCancel(pendingTask, 'stop'),
      kill: () => this.#requestCancel(pendingTask, 'kill'),
    };
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.#try('Cannot delete finished tasks', async (store) => store.forget(keys));
  }

  async endRun(runKey: number): Promise<void> {
    await this.#try('Cannot cancel the remaining worker tasks of a run', async (store) => {
      const tasks = await store.listTasks({ runKey, limit: maxRemaining });
      const open = tasks.filter((task) => !hasEnded(task)).map(({ key }) => key);
      if (open.length > 0) await store.cancel(open, 'kill');
      const ended = tasks.filter(hasEnded).map(({ key }) => key);
      if (ended.length > 0) await store.forget(ended);
    });
  }

  mirrorLogs(attemptDir: string): Promise<void> {
    return this.#withLogs(attemptDir, (files) => files.mirrorLogs(attemptDir));
  }

  async requireSetUp(selector: WorkerSelector): Promise<void> {
    if (await this.isSetUp()) return;
    throw new AppError('no_worker', formatMissingWorker(selector), {
      details: { workerSelector: { ...selector } },
    });
  }

  /** Whether a coordinator, worker or join token has ever existed. Rejects with `unavailable`. */
  async isSetUp(): Promise<boolean> {
    if (this.#isSetUp) return true;
    this.#isSetUp = await isSetUp(await this.#open());
    return this.#isSetUp;
  }

  /** Stops tracking. Tasks continue on their workers. */
  close(): void {
    this.#isClosed = true;
    this.#cancelPoll?.();
    this.#stopListening?.();
    this.#pendingTasks.clear();
  }

  async #follow(pendingTask: PendingTask) {
    const end = await pendingTask.ended;
    this.#pendingTasks.delete(pendingTask.attempt.key);
    if (end.unstarted === true) return end;
    const { attemptDir } = pendingTask.attempt;
    await this.#withLogs(attemptDir, (files) => files.mirrorLogs(attemptDir, pendingTask.reportedDir));
    // Not awaited, because unsealed parts are readable too.
    void this.#withLogs(attemptDir, (files) => files.sealLogs(attemptDir));
    return end;
  }

  async #withLogs(attemptDir: string, operation: (files: LogFiles) => Promise<void>): Promise<void> {
    try {
      await operation(await this.#files());
    } catch (error) {
      this.#logger.warn('Cannot fetch the logs of a worker', {
        attemptDir,
        message: getErrorMessage(error),
      });
    }
  }

  #requestCancel(pendingTask: PendingTask, how: 'stop' | 'kill'): void {
    if (pendingTask.cancelRequest?.how === 'kill' || pendingTask.cancelRequest?.how === how) return;
    pendingTask.cancelRequest = {
      how,
      since: pendingTask.cancelRequest?.since ?? this.#clock.monotonic(),
    };
    pendingTask.isCancelSent = false;
    this.#polling.requestSoon();
  }

  async #poll(): Promise<void> {
    if (this.#isClosed) return;
    this.#cancelPoll?.();
    try {
      const store = await this.#open();
      await this.#offer(store);
      await this.#sendCancels(store);
      await this.#record(store, await this.#listChanges(store));
      await this.#abandon(store);
      await this.#explain(store);
      this.#hasFailed = false;
    } catch (error) {
      this.#recordProblem(error);
    }
    if (this.#pendingTasks.size === 0 || this.#isClosed) return;
    this.#cancelPoll = this.#clock.after(pollIntervalMs, () => void this.#polling.request());
  }

  async #offer(store: DispatchStore): Promise<void> {
    const all = [...this.#pendingTasks.values()];
    // A cancelled task that this host did not offer may have been offered by an earlier host.
    const unoffered = all.filter(({ isOffered, cancelRequest }) => !isOffered && cancelRequest === undefined);
    for (const batch of inBatches(unoffered)) {
      await store.offer(batch.map(({ attempt }) => toTask(attempt)));
      for (const pendingTask of batch) pendingTask.isOffered = true;
      await this.#reconcile(store, batch);
    }
    const cancelledEarly = all.filter(
      ({ isOffered, cancelRequest }) => !isOffered && cancelRequest !== undefined,
    );
    for (const batch of inBatches(cancelledEarly)) {
      const known = new Set((await store.find(batch.map(getKey))).map(({ key }) => key));
      for (const pendingTask of batch) {
        if (known.has(getKey(pendingTask))) pendingTask.isOffered = true;
        else pendingTask.withdraw();
      }
    }
  }

  async #sendCancels(store: DispatchStore): Promise<void> {
    const unreported = [...this.#pendingTasks.values()].filter(
      ({ isOffered, isCancelSent }) => isOffered && !isCancelSent,
    );
    for (const how of ['stop', 'kill'] as const) {
      const cancelledTasks = unreported.filter(({ cancelRequest }) => cancelRequest?.how === how);
      for (const batch of inBatches(cancelledTasks)) {
        for (const pendingTask of batch) pendingTask.isCancelSent = true;
        try {
          await store.cancel(batch.map(getKey), how);
        } catch (error) {
          for (const pendingTask of batch) pendingTask.isCancelSent = false;
          throw error;
        }
      }
    }
  }

  async #listChanges(store: DispatchStore): Promise<TaskRecord[]> {
    const offered = [...this.#pendingTasks.values()].filter(({ isOffered }) => isOffered);
    this.#pollCount += 1;
    if (this.#pollCount % pollsPerReconcile === 0)
      for (const batch of inBatches(offered)) await this.#reconcile(store, batch);
    const records: TaskRecord[] = [];
    for (const batch of inBatches(offered)) records.push(...(await store.findChanged(batch.map(getKey))));
    return records;
  }

  /** Updates every waiting attempt, including those without a task. */
  async #reconcile(store: DispatchStore, pendingTasks: readonly PendingTask[]): Promise<void> {
    const records = await store.find(pendingTasks.map(getKey));
    const known = new Set(records.map(({ key }) => key));
    await this.#record(store, records);
    for (const pendingTask of pendingTasks) if (!known.has(getKey(pendingTask))) pendingTask.markMissing();
  }

  async #record(store: DispatchStore, records: readonly TaskRecord[]): Promise<void> {
    for (const record of records) {
      const pendingTask = this.#pendingTasks.get(record.key);
      if (pendingTask === undefined) continue;
      if (record.begunAt !== undefined && record.worker !== undefined && pendingTask.worker === undefined)
        pendingTask.begin(await this.#toRemoteWorker(store, record.worker));
      if (hasEnded(record)) pendingTask.endWith(record);
    }
  }

  async #toRemoteWorker(store: DispatchStore, { id }: { readonly id: string }): Promise<RemoteWorker> {
    if (!this.#hosts.has(id))
      for (const worker of await store.listWorkers()) this.#hosts.set(worker.id, worker.host);
    return { id, host: this.#hosts.get(id) ?? id };
  }

  /** Reclaims a cancelled task after one lease if its worker is unreachable. */
  async #abandon(store: DispatchStore): Promise<void> {
    const due = this.#clock.monotonic() - dispatchDefaults.leaseMs;
    const overdue = [...this.#pendingTasks.values()].filter(
      ({ worker, cancelRequest }) => worker !== undefined && (cancelRequest?.since ?? Infinity) <= due,
    );
    if (overdue.length === 0) return;
    const aliveWorkers = (await store.listWorkers()).filter(({ state }) => state !== 'gone');
    const ids = new Set(aliveWorkers.map(({ id }) => id));
    for (const pendingTask of overdue) {
      const id = pendingTask.worker!.id;
      if (!ids.has(id)) await store.abandon([getKey(pendingTask)], `worker ${id} is unreachable`);
    }
  }

  async #explain(store: DispatchStore): Promise<void> {
    const now = this.#clock.monotonic();
    const waiting = [...this.#pendingTasks.values()].filter(
      ({ worker, since, cancelRequest }) =>
        worker === undefined && cancelRequest === undefined && since <= now - timeoutMs,
    );
    const isNew = waiting.some(({ since }) => since > this.#explainedAt - timeoutMs);
    if (waiting.length === 0 || (!isNew && now - this.#explainedAt < explainIntervalMs)) return;
    this.#explainedAt = now;
    const reasons = await explainAll(
      store,
      waiting.map(({ attempt }) => attempt.selector),
    );
    for (const pendingTask of waiting)
      pendingTask.explain(reasons.get(selectorKey(pendingTask.attempt.selector)) ?? '');
  }

  #open(): Promise<DispatchStore> {
    this.#store ??= this.#tasks().then(
      (store) => {
        this.#stopListening = store.onWake((kind) => {
          if (kind === 'changed' && this.#pendingTasks.size > 0) this.#polling.requestSoon();
        });
        return store;
      },
      (error: unknown) => {
        this.#store = undefined;
        throw error;
      },
    );
    return this.#store;
  }

  /** Logs an error once; the next poll retries. */
  #recordProblem(error: unknown): void {
    const message = getErrorMessage(error);
    if (!this.#hasFailed) this.#logger.error('Cannot monitor steps on workers', { message });
    this.#hasFailed = true;
    for (const pendingTask of this.#pendingTasks.values())
      pendingTask.explain(`the worker tasks are not accessible: ${message}`);
  }

  async #try(warning: string, operation: (store: DispatchStore) => Promise<void>): Promise<void> {
    try {
      await operation(await this.#open());
    } catch (error) {
      this.#logger.warn(warning, { message: getErrorMessage(error) });
    }
  }
}

const getKey = ({ attempt }: PendingTask): string => attempt.key;

const toTask = ({ task, key, runKey, runEpoch, run, selector, attemptDir }: RemoteAttempt): NewTask => ({
  key,
  runKey,
  runEpoch,
  run,
  step: task.node.name,
  selector,
  priority: 0,
  payload: JSON.stringify(task),
  attemptDir,
});

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += batchSize) yield items.slice(at, at + batchSize);
}

/**
 * Whether a coordinator has ever run, or a worker or join token exists. Steps then wait even if all of them are
 * offline. Rejects with `unavailable`.
 */
export async function isSetUp(store: DispatchStore): Promise<boolean> {
  // The first heartbeat of a coordinator postpones reclaiming.
  if ((await store.stats()).reapingFrom > 0) return true;
  const lists = await Promise.all([store.listWorkers(), store.listJoinTokens()]);
  return lists.some(({ length }) => length > 0);
}
