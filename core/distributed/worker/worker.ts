import { availableParallelism, freemem, loadavg } from 'node:os';
import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { readBootId } from '../../process/living/boot-id.ts';
import type { LogStream } from '../files-port.ts';
import type { TaskHold } from '../ports.ts';
import { Refused, type Coordinators } from './client/coordinators.ts';
import { Unreachable } from './client/exchange.ts';
import type { TlsFiles } from './client/tls-files.ts';
import type { WorkerApi } from './client/worker-api.ts';
import { Holdings, type Holding } from './holdings.ts';
import { Journal } from './folder/journal.ts';
import { LostFolders } from './folder/lost-folders.ts';
import { Membership, type WorkerFacts } from './membership.ts';
import { Outbox } from './outbox.ts';
import { pause } from './pause.ts';
import { isOutdated, Reaching } from './reaching.ts';
import type { ContextTools } from './task/task-context.ts';
import type { TaskTools } from './task/task-run.ts';
import type { WorkerFolder } from './folder/worker-folder.ts';

/** Dependencies of a worker. */
export interface WorkerParts {
  readonly facts: WorkerFacts;
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
const leaseLookMs = 250;
const hourMs = 3_600_000;

/** A worker: claims tasks up to its capacity, runs them, and reports their results. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #membership: Membership;
  readonly #reaching: Reaching;
  readonly #holdings: Holdings;
  readonly #outbox: Outbox;
  readonly #journal: Journal;
  readonly #lostFolders: LostFolders;
  /** Aborted when no new tasks are accepted. */
  readonly #draining = new AbortController();
  /** Aborted at the very end. */
  readonly #ending = new AbortController();
  #claiming = new AbortController();
  #room = new AbortController();
  #isHeld = false;
  /** No tasks are claimed before this time, on the monotonic clock. */
  #restUntil = 0;

  private constructor(parts: WorkerParts, journal: Journal) {
    this.#parts = parts;
    this.#journal = journal;
    const { folder, clock, logger, api, coordinators } = parts;
    this.#lostFolders = new LostFolders(`${folder.path}/lost`, clock, parts.keepLostDays);
    this.#membership = new Membership({
      ...parts,
      keys: folder,
      keeps: () => toHolds(this.#holdings.list()),
      onLost: (keys) => this.#holdings.lose(keys),
      // A pending claim of the previous epoch would never return tasks.
      onJoined: () => this.#claiming.abort(),
      signal: this.#ending.signal,
    });
    this.#reaching = new Reaching(coordinators, this.#membership);
    this.#outbox = new Outbox({
      logger,
      send: (message) => this.#reaching.persist(() => api.settle(message), this.#ending.signal),
      onDone: (holding, outcome) => {
        this.#holdings.release(holding);
        void (outcome === 'stale' ? this.#lostFolders.keep(holding.run.place.folder) : holding.run.discard());
      },
    });
    this.#holdings = new Holdings({
      slots: parts.facts.slots,
      tasksFolder: folder.tasks,
      journal,
      bootId: readBootId(clock.now()),
      ...{ clock, logger },
      toolsFor: (holding) => this.#toolsFor(holding),
      onEnded: (holding) => {
        // Another worker may have free disk space.
        if (holding.result?.unstarted === true) this.#restUntil = clock.monotonic() + storagePauseMs;
        this.#outbox.add(holding);
      },
      onRoom: () => this.#room.abort(),
      putAside: (run) => this.#lostFolders.keep(run.place.folder),
    });
  }

  /** Reads the state of an earlier process. Rejects with file system errors. */
  static async open(parts: WorkerParts): Promise<Worker> {
    return new Worker(parts, await Journal.open(parts.folder.path));
  }

  /** Number of tasks, including unreported results. */
  get tasks(): number {
    return this.#holdings.list().length;
  }

  /**
   * Joins, retrying while no coordinator is reachable, and works until drained. Tasks of an earlier process resume
   * immediately. Resolves without joining if ended before; rejects if a coordinator refuses the worker.
   * @param onJoined called when it starts to accept tasks
   */
  async run(onJoined: (id: string) => void): Promise<void> {
    const { clock, coordinators } = this.#parts;
    const kept = this.#journal.list();
    const stopLooking = clock.every(leaseLookMs, () => this.#watchLease());
    const stopPruning = clock.every(hourMs, () => void this.#lostFolders.prune());
    try {
      this.#holdings.resume(kept);
      void this.#lostFolders.prune();
      if (!(await this.#join())) return;
      const beating = this.#keepBeating();
      onJoined(this.#parts.api.session!.id);
      await this.#holdings.confirmLeft(kept, (holds) => this.#confirm(holds));
      await this.#keepClaiming();
      await this.#untilEmpty();
      const isAbandoned = this.#ending.signal.aborted;
      this.#ending.abort(new Error('the worker is stopping'));
      await beating;
      if (!isAbandoned) await this.#parts.api.leave().catch(() => {});
    } finally {
      this.#ending.abort(new Error('the worker is stopping'));
      stopLooking();
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
    } catch (thrown) {
      if (this.#ending.signal.aborted) return false;
      throw thrown;
    }
  }

  /** Accepts no new tasks, and leaves after all current ones are reported; immediately if it has not joined. */
  drain(): void {
    if (this.#membership.epoch === 0 && this.tasks === 0) return this.abandon();
    this.#draining.abort();
    this.#room.abort();
  }

  /** Stops the running steps; they end as stopped. */
  stopSteps(how: 'stop' | 'kill'): void {
    for (const { key } of this.#holdings.list())
      this.#holdings.end(key, how, 'the worker was stopped before the step ended');
  }

  /** Stops reporting results; the next start of this worker reports them. */
  abandon(): void {
    this.#draining.abort();
    this.#ending.abort(new Error('the worker is stopping'));
    this.#room.abort();
  }

  async #keepClaiming(): Promise<void> {
    const { api, coordinators, logger, clock } = this.#parts;
    const { signal } = this.#draining;
    while (!signal.aborted) {
      await pause(clock, Math.max(0, this.#restUntil - clock.monotonic()), signal);
      const free = this.#isHeld ? 0 : this.#holdings.free;
      if (free === 0) {
        await this.#untilRoom();
        continue;
      }
      const { epoch } = this.#membership;
      this.#claiming = new AbortController();
      try {
        const until = AbortSignal.any([signal, this.#claiming.signal]);
        const answer = await api.claim({ free, waitMs: claimWaitMs }, until);
        for (const { key, how } of answer.cancel) this.#holdings.end(key, how);
        this.#hold(answer.isDraining);
        if (answer.tasks.length > 0) await this.#holdings.take(answer.tasks, (holds) => this.#confirm(holds));
      } catch (thrown) {
        if (signal.aborted) break;
        if (this.#claiming.signal.aborted) continue;
        if (isOutdated(thrown)) await this.#membership.renew(epoch);
        else if (thrown instanceof Unreachable) await coordinators.waitBeforeRetry(signal);
        else {
          logger.error('A coordinator refuses to assign tasks, retrying later', {
            reason: messageOf(thrown),
          });
          await pause(clock, storagePauseMs, signal);
        }
      }
    }
  }

  async #confirm(holds: readonly TaskHold[]): Promise<readonly string[]> {
    const { own } = await this.#reaching.persist(() => this.#parts.api.begin(holds), this.#ending.signal);
    return own;
  }

  async #keepBeating(): Promise<void> {
    const { clock, logger } = this.#parts;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const begunAt = clock.monotonic();
      await this.#beat().catch((thrown: unknown) => {
        if (!signal.aborted) logger.warn('A heartbeat was rejected', { reason: messageOf(thrown) });
      });
      await pause(clock, Math.max(0, begunAt + this.#membership.beatMs - clock.monotonic()), signal);
    }
  }

  async #beat(): Promise<void> {
    const { api, tls, clock } = this.#parts;
    const membership = this.#membership;
    tls.refresh();
    const { epoch } = membership;
    let sentAt = 0;
    let told: readonly Holding[] = [];
    const answer = await this.#reaching.persist(() => {
      sentAt = clock.monotonic();
      told = this.#holdings.list().filter(({ state, isTold }) => state !== 'accepted' && !isTold);
      const load = (loadavg()[0] ?? 0) / availableParallelism();
      const message = { running: toHolds(told), load, freeBytes: freemem() };
      return api.beat(message, Math.max(1000, membership.leaseMs / 4), this.#ending.signal);
    }, this.#ending.signal);
    if (answer.isUnknown) {
      await membership.renew(epoch);
      return;
    }
    membership.prolong(sentAt);
    // A task that was reported in the meantime is missing for that reason.
    const lost = new Set(answer.lost);
    this.#holdings.lose(told.filter(({ key }) => lost.has(key)).map(({ key }) => key));
    for (const { key, how } of answer.cancel) this.#holdings.end(key, how);
    this.#hold(answer.isDraining);
  }

  /** Sets whether an administrator is draining the worker. */
  #hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#parts.logger.info(isHeld ? 'Draining: accepting no new tasks' : 'Resumed: accepting tasks again');
    this.#room.abort();
  }

  async #untilRoom(): Promise<void> {
    this.#room = new AbortController();
    if (this.#draining.signal.aborted) return;
    await pause(this.#parts.clock, claimWaitMs, this.#room.signal);
  }

  async #untilEmpty(): Promise<void> {
    while (this.tasks > 0 && !this.#ending.signal.aborted) {
      this.#room = new AbortController();
      await pause(this.#parts.clock, claimWaitMs, this.#room.signal);
    }
  }

  /** Stops steps that must not outlive their lease, before it expires. */
  #watchLease(): void {
    const { leftMs, leaseMs } = this.#membership;
    if (leftMs > leaseMs / 2) return;
    const reason = 'no coordinator was reachable for the lease duration (onPartition: stop)';
    for (const { key, state, run } of this.#holdings.list()) {
      if (run.task.onPartition !== 'stop' || state !== 'begun' || !run.isBusy) continue;
      if (leftMs <= leaseLookMs) this.#holdings.end(key, 'kill', reason);
      else if (leftMs <= run.task.cleanUpMs) this.#holdings.end(key, 'stop', reason);
    }
  }

  #toolsFor({ key, fence, lost }: TaskHold & Pick<Holding, 'lost'>): Omit<TaskTools, 'onSpawned' | 'onRoom'> {
    const { api, context, clock, logger } = this.#parts;
    const hold = { key, fence };
    const signal = AbortSignal.any([lost.signal, this.#ending.signal]);
    const persist = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
      this.#reaching.persist(ask, signal).catch((thrown: unknown) => {
        if (thrown instanceof Refused && thrown.status === 410) this.#holdings.lose([key]);
        throw thrown;
      });
    return {
      ...context,
      clock,
      warn: (message) => logger.warn(message, { key }),
      sink: {
        put: (stream: LogStream, offset: number, bytes: Uint8Array) =>
          persist(() => api.putLog(hold, stream, offset, bytes)),
      },
      artifacts: {
        get: (name) =>
          persist(() => api.getArtifact(hold, name)).catch((thrown: unknown) => {
            if (thrown instanceof Refused && thrown.status === 404) return undefined;
            throw thrown;
          }),
        put: (name, file, bytes) => persist(() => api.putArtifact(hold, name, file, bytes)),
      },
    };
  }
}

const toHolds = (holdings: readonly TaskHold[]): TaskHold[] =>
  holdings.map(({ key, fence }) => ({ key, fence }));
