import { LruCache } from '../../base/lru-cache.ts';
import type { RunDetail, RunRef } from '../../model/run.ts';
import { isQuarantined, reportQuarantined, runActivity, quarantineReason } from '../../base/activity.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { toAppError, type AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import type { QueueClaim } from '../../model/queue.ts';
import type { RecordedEvent } from '../../model/run-event.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { QueueStore } from '../../store/types/queues.ts';
import { loadStored, type StoredSource } from '../recovery/previous-run.ts';
import type { HostHeartbeat } from '../hosts.ts';
import type { ActiveRuns } from '../active-runs.ts';
import type { EventHub } from '../event-hub.ts';
import type { Retention } from '../retention.ts';
import type { ClaimWatch } from './claim-watch.ts';
import type { QueueLimits } from './queues.ts';

/** Workflows to cache: most queued runs belong to a few workflows. */
const maxCached = 16;

/** The workflows of stored runs, with a cache of the last few. */
export class LoadedTexts {
  readonly #cache = new LruCache<string, StoredSource>(maxCached);

  /**
   * Loads like `loadStored`.
   * @throws `invalid_spec`
   */
  async load(detail: Pick<RunDetail, 'run' | 'spec'>): Promise<StoredSource> {
    const { text, base, file, document } = detail.spec;
    const key = JSON.stringify([file, document, base, text, detail.run.onlySteps]);
    const loaded = this.#cache.get(key) ?? (await loadStored(detail));
    this.#cache.set(key, loaded);
    return loaded;
  }
}

/** Interval of the checks of claims and queue states, in milliseconds. */
const tickMs = 1000;
/** Ticks between two checks of everything that waits, when something was committed; and when nothing was. */
const ticksPerCheck = 5;
const ticksPerIdleCheck = 60;
/** Runs claimed in one transaction, and per event-loop tick. */
const maxConcurrent = 8;

/** Errors caused by the machine and not the run; nothing is lost by a retry. */
const retryableCodes: ReadonlySet<string> = new Set(['storage_full', 'unavailable', 'home_unusable']);

export interface DispatcherOptions {
  readonly store: RunStore & { readonly queues: QueueStore };
  readonly active: ActiveRuns;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly host: HostHeartbeat;
  readonly limits: QueueLimits;
  readonly claims: ClaimWatch;
  readonly retention: Pick<Retention, 'purge'>;
}

/**
 * Starts queued runs up to the limits of their queues. Any number of hosts can do so on one home: a run is claimed in
 * one transaction, and by one of them.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #claims: ClaimWatch;
  readonly #texts = new LoadedTexts();
  /** Queues that may have a startable run. */
  readonly #due = new Set<string>();
  /** Runs that have ended; their queues have room. */
  #ended: RunRef[] = [];
  readonly #disposers: Dispose[] = [];
  /** Claims and checks, one at a time: a check would return claims that are stored, but have not arrived yet. */
  #work: Promise<void> = Promise.resolve();
  /** Work that was requested and has not started yet. */
  readonly #requested = new Set<'process' | 'check all'>();
  /** Claims whose runs are about to be active. */
  readonly #starting = new Set<Promise<void>>();
  #isTicking = false;
  #isOpen = false;
  #ticks = 0;
  /** Of the last tick. */
  #revision = '';
  /** Something was committed since everything was checked. */
  #isCheckOwed = true;
  #version = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#claims = options.claims;
  }

  /** Starts to process queues; does nothing when queues are disabled, or it has started already. */
  start(): void {
    const { store, hub, clock, host, limits } = this.#options;
    if (this.#isOpen || !limits.isEnabled) return;
    this.#isOpen = true;
    this.#disposers.push(
      host.keepAlive(),
      hub.subscribe((event) => this.#onMessage(event), {}, 'patient'),
    );
    this.#disposers.push(clock.every(tickMs, () => this.#tick()));
    void this.#enqueue('Cannot publish queue changes', () =>
      store.queues.setQueueHost(host.owner, true, clock.now()),
    );
    this.checkAll();
  }

  /** Schedules a check of every open queue. */
  checkAll(): void {
    if (!this.#isOpen || this.#requested.has('check all')) return;
    this.#requested.add('check all');
    void this.#enqueue('Cannot read the queues', async () => {
      this.#requested.delete('check all');
      if (this.#isOpen) await this.#checkAll();
    });
  }

  async #checkAll(): Promise<void> {
    const { queues } = this.#options.store;
    this.#version = await queues.queueVersion();
    for (const queue of await queues.listOpenQueues()) this.#due.add(queue);
    this.#processSoon();
  }

  /** Stops starting runs. Resolves when claims that are not active have returned to their place. */
  async close(): Promise<void> {
    if (this.#isOpen) {
      this.#isOpen = false;
      for (const dispose of this.#disposers.splice(0)) dispose();
      const { store, clock, host } = this.#options;
      void this.#enqueue('Cannot release the queues', async () => {
        await Promise.all(this.#starting);
        await this.#claims.returnLocalClaims();
        await store.queues.setQueueHost(host.owner, false, clock.now());
      });
    }
    await this.#work;
  }

  #onMessage({ dag, dagRunId, event }: RecordedEvent): void {
    if (event.type === 'run.created' && event.wait !== undefined) this.#due.add(event.wait.queue);
    else if (event.type === 'run.finished') this.#ended.push({ name: dag, dagRunId });
    if (this.#due.size > 0 || this.#ended.length > 0) this.#processSoon();
  }

  #tick(): void {
    this.#ticks += 1;
    const revision = this.#options.store.commitRevision();
    const isUnchanged = revision === this.#revision;
    this.#revision = revision;
    if (!isUnchanged) this.#isCheckOwed = true;
    const isIdle = isUnchanged && !this.#isCheckOwed && !this.#claims.isWatching;
    if (isIdle && this.#ticks % ticksPerIdleCheck !== 0) return;
    const isCheckDue = isIdle || this.#ticks % ticksPerCheck === 0;
    if (this.#isTicking) return;
    this.#isTicking = true;
    void this.#enqueue('Cannot check the queues', () => this.#check(isCheckDue)).finally(
      () => (this.#isTicking = false),
    );
  }

  async #check(isCheckDue: boolean): Promise<void> {
    if (!this.#isOpen) return;
    if (await this.#claims.check()) this.checkAll();
    if (isCheckDue) this.#isCheckOwed = false;
    if (isCheckDue || (await this.#options.store.queues.queueVersion()) !== this.#version) this.checkAll();
  }

  #processSoon(): void {
    if (!this.#isOpen || this.#requested.has('process')) return;
    this.#requested.add('process');
    this.#options.clock.soon(() => {
      void this.#enqueue('Cannot process the queues', async () => {
        this.#requested.delete('process');
        if (this.#isOpen) await this.#processDue();
      });
    });
  }

  /** Claims runs with one transaction per queue; the event loop runs before a queue has its next. */
  async #processDue(): Promise<void> {
    await this.#attempt('Cannot read the queues of runs', () => this.#findQueuesOfEnded());
    const due = [...this.#due];
    this.#due.clear();
    for (const queue of due) {
      await this.#attempt('Cannot process a queue', async () => {
        if ((await this.#claimFrom(queue)) === maxConcurrent) this.#due.add(queue);
      });
    }
    if (this.#due.size > 0) this.#processSoon();
  }

  async #findQueuesOfEnded(): Promise<void> {
    const { queues } = this.#options.store;
    const ended = this.#ended;
    this.#ended = [];
    const found = await Promise.all(ended.map((run) => queues.findRunQueue(run)));
    for (const queue of found) if (queue !== undefined) this.#due.add(queue);
  }

  async #claimFrom(queue: string): Promise<number> {
    if (!this.#isOpen) return 0;
    const { store, host, clock, limits } = this.#options;
    const limit = limits.getLimit(queue);
    const options = {
      queue,
      max: maxConcurrent,
      owner: host.owner,
      ...(limit === undefined ? {} : { limit }),
    };
    const claims = await store.queues.claimNext(options, clock.now());
    if (claims.length > 0) failPoint('queue.claimed');
    for (const claim of claims) this.#claims.track(claim);
    // `close` returns claims that arrive after it was called.
    if (this.#isOpen) for (const claim of claims) this.#begin(claim);
    return claims.length;
  }

  #begin(claim: QueueClaim): void {
    const started = this.#start(claim).finally(() => this.#starting.delete(started));
    this.#starting.add(started);
  }

  /** Never rejects. */
  async #start(claim: QueueClaim): Promise<void> {
    const activity = { kind: 'run', dag: claim.name, dagRunId: claim.dagRunId } as const;
    if (isQuarantined(activity)) {
      await this.#discard(claim, quarantineReason(activity));
      return reportQuarantined(activity);
    }
    try {
      await runActivity(activity, () => this.#execute(claim));
    } catch (error) {
      await this.#abort(claim, toAppError(error));
    }
  }

  /** Starts the run from the source and parameters that were stored when it was queued. */
  async #execute(claim: QueueClaim): Promise<void> {
    const { store, active, retention } = this.#options;
    const detail = await store.getDetail(claim);
    if (detail === undefined) return;
    const { run } = detail;
    const { source, workflow } = await this.#texts.load(detail);
    if (!this.#isOpen) return;
    failPoint('queue.before_start');
    active.execute({
      record: run,
      params: run.params,
      workflow,
      siblings: source.workflows,
      specFile: source.file,
      specText: source.text,
      baseText: source.baseText,
    });
    retention.purge(run.name, workflow);
  }

  /** Returns or discards a claim whose run cannot be started, so that it does not block the runs behind it. */
  async #abort(claim: QueueClaim, { code, message }: AppError): Promise<void> {
    const fields = { dag: claim.name, dagRunId: claim.dagRunId, queue: claim.queue, message };
    this.#options.logger.warn('Cannot start a run from its queue', fields);
    if (retryableCodes.has(code))
      await this.#attempt('Cannot return a run to its queue', () =>
        this.#claims.returnToQueue(claim, message),
      );
    else await this.#discard(claim, `the run could not be started from queue ${claim.queue}: ${message}`);
  }

  /** Ends the run as failed. */
  async #discard(claim: QueueClaim, reason: string): Promise<void> {
    const { store, clock, hub } = this.#options;
    await this.#attempt('Cannot remove a run from its queue', async () => {
      await store.queues.discardClaim(claim, reason, clock.now());
    });
    hub.pump();
  }

  /** Runs work after all that was requested before. */
  #enqueue(problem: string, action: () => Promise<void>): Promise<void> {
    return (this.#work = this.#work.then(() => this.#attempt(problem, action)));
  }

  /** Runs work that is retried with a later check if it fails. Never rejects. */
  async #attempt(problem: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#options.logger.warn(problem, { message: toAppError(error).message });
    }
  }
}
