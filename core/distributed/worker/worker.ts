import { availableParallelism, freemem, loadavg } from 'node:os';
import { getErrorMessage } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { readBootId } from '../../process/process-table.ts';
import type { LogStream } from '../../run/remote/task-files.ts';
import type { TaskLease } from '../../store/types/dispatch.ts';
import { type Coordinators, CoordinatorError, UnreachableError, pause } from './coordinators.ts';
import { Membership, type WorkerInfo } from './membership.ts';
import type { TlsFiles } from './tls-files.ts';
import type { WorkerApi } from './worker-api.ts';
import { ActiveTasks, type ActiveTask } from './active-tasks.ts';
import { Journal } from './journal.ts';
import { OrphanedWorkDirs, type WorkerFolder } from './worker-folder.ts';
import { Outbox } from './outbox.ts';
import type { ContextTools } from './task-context.ts';
import type { TaskTools } from './task-run.ts';

/** Retries requests until a coordinator responds. */
class RequestRetrier {
  readonly #coordinators: Coordinators;
  readonly #membership: Membership;

  constructor(coordinators: Coordinators, membership: Membership) {
    this.#coordinators = coordinators;
    this.#membership = membership;
  }

  /**
   * Waits until the worker has joined and returns the result of `send`. Retries while no coordinator is reachable, and
   * rejoins if the epoch is outdated. Rejects with {@link CoordinatorError}, or with the signal's reason.
   */
  async retry<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await raceAbort(this.#membership.joined, signal);
    for (;;) {
      signal?.throwIfAborted();
      const { epoch } = this.#membership;
      try {
        return await send();
      } catch (error) {
        if (mustRejoin(error)) await this.#membership.renew(epoch);
        else if (error instanceof UnreachableError) await this.#coordinators.waitBeforeRetry(signal);
        else throw error;
      }
    }
  }
}

function raceAbort(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    void promise.then(() => {
      signal.removeEventListener('abort', end);
      resolve();
    });
  });
}

/** Whether the credential or the epoch is no longer valid. */
const mustRejoin = (error: unknown): boolean =>
  error instanceof CoordinatorError && (error.status === 401 || error.code === 'stale_owner');

/** Dependencies of a worker. */
export interface WorkerOptions {
  readonly info: WorkerInfo;
  readonly folder: WorkerFolder;
  readonly api: WorkerApi;
  readonly coordinators: Coordinators;
  readonly tls: TlsFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reads the join token again each time. */
  readonly token: () => string | undefined;
  readonly context: Omit<ContextTools, 'warn' | 'clock'>;
  /** Days for which files of reclaimed tasks are retained. */
  readonly keepLostDays: number;
}

/** Maximum waiting time of a claim at the coordinator, in milliseconds. */
const claimWaitMs = 20_000;
/** Delay after the disk could not store a task, in milliseconds. */
const storagePauseMs = 5000;
/** Interval of lease checks, in milliseconds. */
const leaseCheckMs = 250;
const hourMs = 3_600_000;

/** A worker: claims tasks up to its capacity, runs them, and reports their results. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #membership: Membership;
  readonly #requestRetrier: RequestRetrier;
  readonly #activeTasks: ActiveTasks;
  readonly #outbox: Outbox;
  readonly #journal: Journal;
  readonly #orphanedWorkDirs: OrphanedWorkDirs;
  /** Aborted when no new tasks are accepted. */
  readonly #draining = new AbortController();
  /** Aborted at the very end. */
  readonly #ending = new AbortController();
  #claiming = new AbortController();
  #capacityChange = new AbortController();
  #isDraining = false;
  /** No tasks are claimed before this time, on the monotonic clock. */
  #pausedUntil = 0;

  private constructor(options: WorkerOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
    const { info, folder, api, coordinators, tls, clock, logger, token } = options;
    this.#orphanedWorkDirs = new OrphanedWorkDirs(`${folder.path}/lost`, clock, options.keepLostDays);
    this.#membership = new Membership({
      info,
      api,
      coordinators,
      tls,
      clock,
      logger,
      token,
      keys: folder,
      keeps: () => toTaskLeases(this.#activeTasks.list()),
      onLost: (keys) => this.#activeTasks.onLeaseLost(keys),
      // A pending claim of the previous epoch would never return tasks.
      onJoined: () => this.#claiming.abort(),
      signal: this.#ending.signal,
    });
    this.#requestRetrier = new RequestRetrier(coordinators, this.#membership);
    this.#outbox = new Outbox(
      logger,
      (message) => this.#requestRetrier.retry(() => api.settle(message), this.#ending.signal),
      (activeTask, outcome) => {
        this.#activeTasks.release(activeTask);
        void (outcome === 'stale'
          ? this.#orphanedWorkDirs.keep(activeTask.run.paths.folder)
          : activeTask.run.discard());
      },
    );
    this.#activeTasks = new ActiveTasks({
      slots: info.slots,
      tasksFolder: folder.tasks,
      journal,
      bootId: readBootId(clock.now()),
      clock,
      logger,
      toolsFor: (activeTask) => this.#toolsFor(activeTask),
      onEnded: (activeTask) => {
        // Another worker may have free disk space.
        if (activeTask.result?.unstarted === true) this.#pausedUntil = clock.monotonic() + storagePauseMs;
        this.#outbox.add(activeTask);
      },
      onSlotFree: () => this.#capacityChange.abort(),
      preserve: (run) => this.#orphanedWorkDirs.keep(run.paths.folder),
    });
  }

  /** Reads the state of an earlier process. Rejects with file system errors. */
  static async open(options: WorkerOptions): Promise<Worker> {
    return new Worker(options, await Journal.open(options.folder.path));
  }

  /** Number of tasks, including unreported results. */
  get tasks(): number {
    return this.#activeTasks.list().length;
  }

  /**
   * Joins, retrying while no coordinator is reachable, and works until drained. Tasks of an earlier process resume
   * immediately. Resolves without joining if ended before; rejects if a coordinator rejects the worker.
   * @param onJoined called when it starts to accept tasks
   */
  async run(onJoined: (id: string) => void): Promise<void> {
    const { clock, coordinators } = this.#options;
    const journaled = this.#journal.list();
    const stopLeaseCheck = clock.every(leaseCheckMs, () => this.#watchLease());
    const stopPruning = clock.every(hourMs, () => void this.#orphanedWorkDirs.prune());
    try {
      this.#activeTasks.resume(journaled);
      void this.#orphanedWorkDirs.prune();
      if (!(await this.#join())) return;
      const heartbeats = this.#startHeartbeats();
      onJoined(this.#options.api.session!.id);
      await this.#activeTasks.confirmResumed(journaled, (leases) => this.#confirm(leases));
      await this.#keepClaiming();
      await this.#waitForTasks();
      const isAbandoned = this.#ending.signal.aborted;
      this.#ending.abort(new Error('the worker is stopping'));
      await heartbeats;
      if (!isAbandoned) await this.#options.api.leave().catch(() => {});
    } finally {
      this.#ending.abort(new Error('the worker is stopping'));
      stopLeaseCheck();
      stopPruning();
      coordinators.close();
      await this.#journal.close();
    }
  }

  /** Joins; false if ended before a coordinator was reachable. */
  async #join(): Promise<boolean> {
    try {
      await this.#membership.join();
      return true;
    } catch (error) {
      if (this.#ending.signal.aborted) return false;
      throw error;
    }
  }

  /** Accepts no new tasks, and leaves after all current ones are reported; immediately if it has not joined. */
  drain(): void {
    if (this.#membership.epoch === 0 && this.tasks === 0) return this.abandon();
    this.#draining.abort();
    this.#capacityChange.abort();
  }

  /** Stops the running steps; they end as stopped. */
  stopSteps(how: 'stop' | 'kill'): void {
    for (const { key } of this.#activeTasks.list())
      this.#activeTasks.end(key, how, 'the worker was stopped before the step ended');
  }

  /** Stops reporting results; the next start of this worker reports them. */
  abandon(): void {
    this.#draining.abort();
    this.#ending.abort(new Error('the worker is stopping'));
    this.#capacityChange.abort();
  }

  async #keepClaiming(): Promise<void> {
    const { api, coordinators, logger, clock } = this.#options;
    const { signal } = this.#draining;
    while (!signal.aborted) {
      await pause(clock, Math.max(0, this.#pausedUntil - clock.monotonic()), signal);
      const free = this.#isDraining ? 0 : this.#activeTasks.free;
      if (free === 0) {
        await this.#waitForCapacity();
        continue;
      }
      const { epoch } = this.#membership;
      this.#claiming = new AbortController();
      try {
        const until = AbortSignal.any([signal, this.#claiming.signal]);
        const response = await api.claim({ free, waitMs: claimWaitMs }, until);
        for (const { key, how } of response.cancel) this.#activeTasks.end(key, how);
        this.#hold(response.isDraining);
        if (response.tasks.length > 0)
          await this.#activeTasks.take(response.tasks, (leases) => this.#confirm(leases));
      } catch (error) {
        if (signal.aborted) break;
        if (this.#claiming.signal.aborted) continue;
        if (mustRejoin(error)) await this.#membership.renew(epoch);
        else if (error instanceof UnreachableError) await coordinators.waitBeforeRetry(signal);
        else {
          logger.error('Cannot get tasks from a coordinator, retrying', {
            reason: getErrorMessage(error),
          });
          await pause(clock, storagePauseMs, signal);
        }
      }
    }
  }

  async #confirm(leases: readonly TaskLease[]): Promise<readonly string[]> {
    const { own } = await this.#requestRetrier.retry(
      () => this.#options.api.begin(leases),
      this.#ending.signal,
    );
    return own;
  }

  async #startHeartbeats(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const startedAt = clock.monotonic();
      await this.#heartbeat().catch((error: unknown) => {
        if (!signal.aborted) logger.warn('A heartbeat was rejected', { reason: getErrorMessage(error) });
      });
      await pause(clock, Math.max(0, startedAt + this.#membership.beatMs - clock.monotonic()), signal);
    }
  }

  async #heartbeat(): Promise<void> {
    const { api, tls, clock } = this.#options;
    const membership = this.#membership;
    tls.refresh();
    const { epoch } = membership;
    let sentAt = 0;
    let reported: readonly ActiveTask[] = [];
    const response = await this.#requestRetrier.retry(() => {
      sentAt = clock.monotonic();
      reported = this.#activeTasks
        .list()
        .filter(({ state, isReported }) => state !== 'accepted' && !isReported);
      const load = (loadavg()[0] ?? 0) / availableParallelism();
      const message = { running: toTaskLeases(reported), load, freeBytes: freemem() };
      return api.heartbeat(message, Math.max(1000, membership.leaseMs / 4), this.#ending.signal);
    }, this.#ending.signal);
    if (response.isUnknown) {
      await membership.renew(epoch);
      return;
    }
    membership.extendLease(sentAt);
    // A task that was reported in the meantime is missing for that reason.
    const lost = new Set(response.lost);
    this.#activeTasks.onLeaseLost(reported.filter(({ key }) => lost.has(key)).map(({ key }) => key));
    for (const { key, how } of response.cancel) this.#activeTasks.end(key, how);
    this.#hold(response.isDraining);
  }

  /** Sets whether an administrator is draining the worker. */
  #hold(isDraining: boolean): void {
    if (this.#isDraining === isDraining) return;
    this.#isDraining = isDraining;
    this.#options.logger.info(
      isDraining ? 'Draining: accepting no new tasks' : 'Resumed: accepting tasks again',
    );
    this.#capacityChange.abort();
  }

  async #waitForCapacity(): Promise<void> {
    this.#capacityChange = new AbortController();
    if (this.#draining.signal.aborted) return;
    await pause(this.#options.clock, claimWaitMs, this.#capacityChange.signal);
  }

  async #waitForTasks(): Promise<void> {
    while (this.tasks > 0 && !this.#ending.signal.aborted) {
      this.#capacityChange = new AbortController();
      await pause(this.#options.clock, claimWaitMs, this.#capacityChange.signal);
    }
  }

  /** Stops steps that must not outlive their lease, before it expires. */
  #watchLease(): void {
    const { remainingMs, leaseMs } = this.#membership;
    if (remainingMs > leaseMs / 2) return;
    const reason = 'no coordinator was reachable for the lease duration (onPartition: stop)';
    for (const { key, state, run } of this.#activeTasks.list()) {
      if (run.task.onPartition !== 'stop' || state !== 'begun' || !run.isBusy) continue;
      if (remainingMs <= leaseCheckMs) this.#activeTasks.end(key, 'kill', reason);
      else if (remainingMs <= run.task.cleanUpMs) this.#activeTasks.end(key, 'stop', reason);
    }
  }

  #toolsFor({
    key,
    fence,
    lost,
  }: TaskLease & Pick<ActiveTask, 'lost'>): Omit<TaskTools, 'onSpawned' | 'onSlotFree'> {
    const { api, context, clock, logger } = this.#options;
    const lease = { key, fence };
    const signal = AbortSignal.any([lost.signal, this.#ending.signal]);
    const retry = <Result>(operation: () => Promise<Result>): Promise<Result> =>
      this.#requestRetrier.retry(operation, signal).catch((error: unknown) => {
        if (error instanceof CoordinatorError && error.status === 410) this.#activeTasks.onLeaseLost([key]);
        throw error;
      });
    return {
      ...context,
      clock,
      warn: (message) => logger.warn(message, { key }),
      sink: {
        put: (stream: LogStream, offset: number, bytes: Uint8Array) =>
          retry(() => api.putLog(lease, stream, offset, bytes)),
      },
      artifacts: {
        get: (name) =>
          retry(() => api.getArtifact(lease, name)).catch((error: unknown) => {
            if (error instanceof CoordinatorError && error.status === 404) return undefined;
            throw error;
          }),
        put: (name, file, bytes) => retry(() => api.putArtifact(lease, name, file, bytes)),
      },
    };
  }
}

const toTaskLeases = (activeTasks: readonly TaskLease[]): TaskLease[] =>
  activeTasks.map(({ key, fence }) => ({ key, fence }));
