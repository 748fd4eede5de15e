import { toIso, type Clock, type Dispose } from '../../base/clock.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import { timings } from '../../base/timings.ts';
import { CoalescedTask } from '../../base/turns.ts';
import type { ServiceLeases } from '../hosts.ts';
import type { SchedulerInstance, FireTimeRef, SchedulePause } from '../../model/fire-time.ts';
import { engineStart } from '../../model/workflow-rules.ts';
import { DueQueue, ClockWatch, MissedRunsReporter, type ClockMove } from './due-queue.ts';
import { type DagIndex, type IndexChanges, scheduleFingerprint, type ScheduledDag } from './dag-index.ts';
import type { ExpectationWatch } from './expectation-watch.ts';
import type { PingWatch } from './ping-watch.ts';
import type { ScheduleStore } from '../../store/types/schedules.ts';
import type { CatchupDefaults, Restarts } from './due-fire-times.ts';
import { FireTimeQueue, type FireTimeResult } from './fire-time-runner.ts';

/** Name of the lease: one scheduler of a home is active at a time. */
export const schedulerService = 'scheduler';

const tickMs = 1000;
/** Interval of this instance's heartbeat, in milliseconds. */
const heartbeatIntervalMs = 15_000;
/** Interval at which starts that failed are tried again, in milliseconds. */
const retryMs = 5000;
/** Longest work per event-loop tick, in milliseconds. */
const sliceMs = 8;
/** Rows of older slots are removed; they do not protect against a clock that is set back further than that. */
const retentionMs = 35 * 86_400_000;

export interface SchedulerOptions {
  readonly store: ScheduleStore;
  /** As in `Database`. */
  readonly commitRevision: () => string;
  readonly leases: ServiceLeases;
  readonly index: DagIndex;
  /** Calls back when the workflow folder may have changed. */
  readonly watch: (onChange: () => void) => Dispose;
  /** Executes one slot; never rejects. */
  readonly run: (fireTime: FireTimeRef) => Promise<FireTimeResult>;
  readonly restarts: Restarts;
  readonly expectations: ExpectationWatch;
  readonly pings: PingWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly defaults: CatchupDefaults;
  readonly instance: Pick<SchedulerInstance, 'id' | 'host' | 'pid' | 'port'>;
}

/**
 * Starts, stops and restarts runs at their times. It checks the wall clock every second and never sets a longer timer,
 * so that neither sleep nor a change of the clock can hide a time from it. Of several schedulers on one home the holder
 * of the lease is active; correctness does not depend on it, because each slot is one row.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #dueQueue: DueQueue;
  readonly #queue: FireTimeQueue;
  readonly #clockWatch: ClockWatch;
  readonly #missed = new MissedRunsReporter();
  readonly #startedAt: number;
  readonly #disposals: Dispose[] = [];
  #cancelTick: Dispose | undefined;
  readonly #scan: CoalescedTask;
  readonly #check: CoalescedTask;
  #lastAction: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** The lease of the active instance, and whether it has continued the work of the previous scheduler. */
  #lease: { readonly token: number; readonly isActivated: boolean } | undefined;
  /** The stored pause, at a revision of the store. */
  #pause: { readonly revision: string; readonly pause: SchedulePause | undefined } | undefined;
  /**
   * Whether another scheduler of the home was active when this one started; undefined until the lease was requested.
   */
  #hasJoined: boolean | undefined;
  /** On the monotonic clock. */
  #leaseAt = Number.NEGATIVE_INFINITY;
  #beatAt = Number.NEGATIVE_INFINITY;
  #lastGoodTickAt: number;
  /** Everything up to this instant is in the slot queue or decided. */
  #processedUntil = 0;
  #isWatermarkOld = false;
  #isProcessing = false;
  /** Whether closing has removed slots that the next scheduler processes. */
  #hasRemovedSlots = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#dueQueue = new DueQueue(options.defaults);
    this.#queue = new FireTimeQueue(options.run, () => void this.#guard(() => this.#saveWatermark()));
    this.#clockWatch = new ClockWatch(options.clock);
    this.#startedAt = options.clock.now();
    this.#lastGoodTickAt = options.clock.monotonic();
    this.#scan = new CoalescedTask(options.clock, () => this.#rescan());
    this.#check = new CoalescedTask(options.clock, () => this.#tryCheck());
  }

  /** Reads the schedules and starts to check the clock. Resolves when they have been read. */
  async start(): Promise<void> {
    if (this.#isClosed) return;
    const { clock, index, watch } = this.#options;
    this.#disposals.push(watch(() => void this.#scan.request()));
    await index.scan();
    if (this.#isClosed) return;
    await this.#tick();
    if (this.#isClosed) return;
    this.#disposals.push(clock.every(retryMs, () => this.#queue.retry()));
  }

  /** Whether this instance is the active one. */
  get isActive(): boolean {
    return this.#lease !== undefined;
  }

  /** Whether it checks the clock, and can read and write. */
  get isHealthy(): boolean {
    return !this.#isClosed && this.#options.clock.monotonic() - this.#lastGoodTickAt < 15 * tickMs;
  }

  /** Stops the scheduler and lets another one take over at once. Started runs continue. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTick?.();
    for (const dispose of this.#disposals) dispose();
    this.#options.restarts.close();
    this.#hasRemovedSlots = this.#queue.clear();
    await this.#scan.settled();
    await this.#check.settled();
    await this.#queue.settled();
    await this.#guard(async () => {
      if (this.#lease !== undefined) await this.#options.leases.release(schedulerService, this.#lease.token);
      await this.#options.store.removeScheduler(this.#options.instance.id);
    });
    this.#lease = undefined;
  }

  /** Checks the clock now, for example after the machine slept, instead of within a second. */
  wake(): void {
    if (this.#isClosed || this.#cancelTick === undefined) return;
    this.#cancelTick();
    void this.#tick();
  }

  #tick(): Promise<void> {
    const { clock } = this.#options;
    this.#cancelTick = clock.after(tickMs - (clock.now() % tickMs), () => void this.#tick());
    return this.#check.request();
  }

  async #tryCheck(): Promise<void> {
    if (this.#isClosed) return;
    if (await this.#guard(() => this.#checkClock())) this.#lastGoodTickAt = this.#options.clock.monotonic();
  }

  async #checkClock(): Promise<void> {
    const move = this.#clockWatch.check();
    if (!(await this.#renewLease())) return this.#heartbeat();
    if (this.#lease?.isActivated === false) await this.#activate(this.#lease.token);
    if (move !== undefined) await this.#applyClockMove(move);
    await this.#heartbeat();
    const { expectations, pings } = this.#options;
    // Jobs elsewhere are not paused.
    await pings.check();
    const isPaused = await this.#isPaused();
    await expectations.setPaused(isPaused);
    if (isPaused) return;
    await this.#runDue();
    if (!this.#isProcessing && !this.#isClosed) await expectations.check();
  }

  /**
   * Whether all schedules are paused. Slots that become due meanwhile stay in the queue and are late when schedules
   * resume.
   */
  async #isPaused(): Promise<boolean> {
    const { store, clock, logger } = this.#options;
    const pause = await this.#readPause();
    if (pause === undefined) return false;
    if (pause.until === undefined || pause.until > clock.now()) return true;
    // A user may have set a new one.
    if (!(await store.removeExpiredPause(clock.now()))) return (await store.pause()) !== undefined;
    const message = 'All schedules resumed: the pause has ended.';
    logger.info(message);
    await store.addNote({ at: clock.now(), kind: 'paused', message });
    return false;
  }

  /** Reads the pause when anything was committed since the last read. */
  async #readPause(): Promise<SchedulePause | undefined> {
    const revision = this.#options.commitRevision();
    if (this.#pause?.revision !== revision)
      this.#pause = { revision, pause: await this.#options.store.pause() };
    return this.#pause.pause;
  }

  /** Acquires or renews the lease; returns whether this instance is active now. */
  async #renewLease(): Promise<boolean> {
    const { leases, clock } = this.#options;
    if (clock.monotonic() - this.#leaseAt < timings.serviceRenewal) return this.isActive;
    this.#leaseAt = clock.monotonic();
    if (this.#lease === undefined) {
      const token = await leases.acquire(schedulerService);
      this.#hasJoined ??= token === undefined;
      if (token !== undefined) this.#lease = { token, isActivated: false };
      // Closing releases the lease.
      if (this.#isClosed) return false;
    } else if (!(await leases.renew(schedulerService, this.#lease.token))) {
      this.#lease = undefined;
      this.#queue.clear();
      this.#beatAt = Number.NEGATIVE_INFINITY;
      this.#options.logger.info('Another scheduler of this home is now active');
    }
    return this.isActive;
  }

  /** Continues from where the previous scheduler stopped. */
  async #activate(token: number): Promise<void> {
    const { store, index, clock, restarts, expectations, logger, defaults } = this.#options;
    failPoint('scheduler.took_lease');
    const now = clock.now();
    const watermark = await store.watermark();
    if (watermark === undefined) await store.setWatermark(now);
    const dags = [...index.dags.values()];
    const since = await this.#register(dags);
    this.#dueQueue.clear();
    this.#processedUntil = now;
    this.#schedule(
      dags.map((dag) => ({
        dag,
        after: Math.min(now, Math.max(watermark ?? now, since.get(dag.dag) ?? now)),
      })),
    );
    await this.#startAtEngineStart(dags, now);
    this.#beatAt = Number.NEGATIVE_INFINITY;
    await store.purgeFireTimes(now - Math.max(retentionMs, defaults.windowMs * 2));
    await restarts.resume();
    await expectations.activate(dags);
    this.#lease = { token, isActivated: true };
    logger.info('Scheduler is active', { workflows: dags.length });
  }

  /**
   * Starts the workflows with `@reboot`, once for each start of the service on this home: a scheduler that joins a
   * running one starts none, even when it takes over later.
   */
  async #startAtEngineStart(dags: readonly ScheduledDag[], at: number): Promise<void> {
    if (this.#hasJoined) return;
    const due = dags.filter(({ schedule }) => schedule.start.includes(engineStart));
    const isPaused = due.length > 0 && (await this.#isPaused());
    this.#hasJoined = true;
    if (!isPaused && !this.#isClosed) this.#queue.add(due.map(({ dag }) => ({ dag, kind: 'start', at })));
  }

  /** Adds workflows to the queue, a few milliseconds at a time, and serves them when all are added. */
  #schedule(waiting: { readonly dag: ScheduledDag; readonly after: number }[]): void {
    const { clock } = this.#options;
    const end = clock.monotonic() + sliceMs;
    this.#isProcessing = true;
    for (let next = waiting.pop(); next !== undefined && this.isActive; next = waiting.pop()) {
      this.#dueQueue.set(next.dag, next.after);
      if (clock.monotonic() < end || waiting.length === 0) continue;
      clock.soon(() => this.#schedule(waiting));
      return;
    }
    this.#isProcessing = false;
  }

  #register(dags: readonly ScheduledDag[]): Promise<ReadonlyMap<string, number>> {
    const known = dags.map((dag) => ({ dag: dag.dag, mark: scheduleFingerprint(dag) }));
    return this.#options.store.rememberSchedules(known, this.#options.clock.now());
  }

  async #applyClockMove({ from, to }: ClockMove): Promise<void> {
    const { store, logger } = this.#options;
    const direction = to > from ? 'forward (system sleep or clock change)' : 'back';
    const message = `The system clock jumped ${direction} from ${toIso(from)} to ${toIso(to)}.`;
    logger.warn(message);
    await store.addNote({ at: to, kind: 'clock_moved', message });
    if (to > from) return;
    this.#dueQueue.rewind(to);
    this.#processedUntil = Math.min(this.#processedUntil, to);
    await store.setWatermark(to);
  }

  async #heartbeat(): Promise<void> {
    const { store, clock, instance } = this.#options;
    if (clock.monotonic() - this.#beatAt < heartbeatIntervalMs) return;
    this.#beatAt = clock.monotonic();
    const { isActive } = this;
    await store.saveScheduler({ ...instance, startedAt: this.#startedAt, beatAt: clock.now(), isActive });
  }

  /** Adds due slots to the queue, a few milliseconds at a time. */
  async #runDue(): Promise<void> {
    if (this.#isProcessing || this.#isClosed) return;
    const { clock, store, expectations, logger } = this.#options;
    const now = clock.now();
    const end = clock.monotonic() + sliceMs;
    for (let due = this.#dueQueue.take(now); due !== undefined; due = this.#dueQueue.take(now)) {
      this.#isWatermarkOld = true;
      this.#missed.add(due);
      this.#queue.add(due.fireTimes);
      await expectations.missedStarts(due);
      // The watermark is still before the remaining slots, so the next scheduler processes them.
      if (this.#isClosed) return;
      if (clock.monotonic() < end) continue;
      this.#isProcessing = true;
      clock.soon(() => {
        this.#isProcessing = false;
        if (!this.#isClosed && this.isActive) void this.#guard(() => this.#runDue());
      });
      return;
    }
    this.#processedUntil = now;
    for (const note of this.#missed.report(now, logger)) await store.addNote(note);
    await this.#saveWatermark();
  }

  /** Stores the watermark, from which a scheduler that takes over continues. */
  async #saveWatermark(): Promise<void> {
    if (!this.#isWatermarkOld || this.#isProcessing || !this.isActive || this.#hasRemovedSlots) return;
    const earliest = this.#queue.earliest;
    if (earliest !== undefined) return;
    await this.#options.store.setWatermark(this.#processedUntil);
    this.#isWatermarkOld = false;
  }

  async #rescan(): Promise<void> {
    if (this.#isClosed) return;
    const changes = await this.#options.index.scan();
    if (this.isActive && !this.#isClosed) await this.#guard(() => this.#apply(changes));
  }

  async #apply(changes: IndexChanges): Promise<void> {
    const { changed, removed } = changes;
    await this.#options.expectations.apply(changes);
    const since = await this.#register(changed);
    for (const dag of changed)
      this.#dueQueue.set(dag, Math.max(this.#processedUntil, since.get(dag.dag) ?? this.#processedUntil));
    for (const dag of removed) this.#dueQueue.remove(dag);
    if (removed.length > 0) await this.#options.store.forgetSchedules(removed);
  }

  /**
   * Runs an action after the previous ones: each relies on what the previous one has read. A failed action is retried a
   * second later.
   */
  #guard(action: () => Promise<void>): Promise<boolean> {
    const done = this.#lastAction.then(async () => {
      try {
        await action();
        return true;
      } catch (error) {
        this.#options.logger.error('Scheduler error, continuing', { message: String(error) });
        return false;
      }
    });
    this.#lastAction = done;
    return done;
  }
}
