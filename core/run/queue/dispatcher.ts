import { LruCache } from '../../base/lru-cache.ts';
import type { RunDetail } from '../../model/run.ts';
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
const ticksPerIdleCheck = 30;
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
  readonly #disposers: Dispose[] = [];
  #isScheduled = false;
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
    this.#attempt('Cannot publish queue changes', () =>
      store.queues.setQueueHost(host.owner, true, clock.now()),
    );
    this.checkAll();
  }

  /** Schedules a check of every open queue. */
  checkAll(): void {
    if (!this.#isOpen) return;
    this.#attempt('Cannot read the queues', () => {
      const { queues } = this.#options.store;
      this.#version = queues.queueVersion();
      for (const queue of queues.listOpenQueues()) this.#due.add(queue);
    });
    this.#processSoon();
  }

  /** Stops starting runs; claims that are not active return to their place. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const dispose of this.#disposers.splice(0)) dispose();
    const { store, clock, host } = this.#options;
    this.#attempt('Cannot release the queues', () => {
      this.#claims.returnLocalClaims();
      store.queues.setQueueHost(host.owner, false, clock.now());
    });
  }

  #onMessage({ dag, dagRunId, event }: RecordedEvent): void {
    if (event.type === 'run.created' && event.wait !== undefined) this.#due.add(event.wait.queue);
    else if (event.type === 'run.finished') {
      this.#attempt('Cannot read the queue of a run', () => {
        const queue = this.#options.store.queues.findRunQueue({ name: dag, dagRunId });
        if (queue !== undefined) this.#due.add(queue);
      });
    }
    if (this.#due.size > 0) this.#processSoon();
  }

  #tick(): void {
    this.#ticks += 1;
    const revision = this.#options.store.commitRevision();
    const isUnchanged = revision === this.#revision;
    this.#revision = revision;
    if (!isUnchanged) this.#isCheckOwed = true;
    const isIdle = isUnchanged && !this.#isCheckOwed && !this.#claims.isWatching;
    if (isIdle && this.#ticks % ticksPerIdleCheck !== 0) return;
    this.#attempt('Cannot check the queues', () => {
      if (this.#claims.check()) this.checkAll();
      const isCheckDue = isIdle || this.#ticks % ticksPerCheck === 0;
      if (isCheckDue) this.#isCheckOwed = false;
      if (isCheckDue || this.#options.store.queues.queueVersion() !== this.#version) this.checkAll();
    });
  }

  #processSoon(): void {
    if (this.#isScheduled || !this.#isOpen) return;
    this.#isScheduled = true;
    this.#options.clock.soon(() => {
      this.#isScheduled = false;
      if (this.#isOpen) this.#processDue();
    });
  }

  /** Claims runs with one transaction per queue; the event loop runs before a queue has its next. */
  #processDue(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const queue of due) {
      this.#attempt('Cannot process a queue', () => {
        if (this.#claimFrom(queue) === maxConcurrent) this.#due.add(queue);
      });
    }
    if (this.#due.size > 0) this.#processSoon();
  }

  #claimFrom(queue: string): number {
    const { store, host, clock, limits } = this.#options;
    const limit = limits.getLimit(queue);
    const options = {
      queue,
      max: maxConcurrent,
      owner: host.owner,
      ...(limit === undefined ? {} : { limit }),
    };
    const claims = store.queues.claimNext(options, clock.now());
    if (claims.length > 0) failPoint('queue.claimed');
    for (const claim of claims) this.#claims.track(claim);
    for (const claim of claims) void this.#start(claim);
    return claims.length;
  }

  /** Never rejects. */
  async #start(claim: QueueClaim): Promise<void> {
    const activity = { kind: 'run', dag: claim.name, dagRunId: claim.dagRunId } as const;
    if (isQuarantined(activity)) {
      this.#discard(claim, quarantineReason(activity));
      return reportQuarantined(activity);
    }
    try {
      await runActivity(activity, () => this.#execute(claim));
    } catch (error) {
      this.#abort(claim, toAppError(error));
    }
  }

  /** Starts the run from the source and parameters that were stored when it was queued. */
  async #execute(claim: QueueClaim): Promise<void> {
    const { store, active, retention } = this.#options;
    const detail = await store.getDetail(claim);
    if (detail === undefined) return;
    const { run } = detail;
    const { source, workflow } = await this.#texts.load(detail);
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
  #abort(claim: QueueClaim, { code, message }: AppError): void {
    const fields = { dag: claim.name, dagRunId: claim.dagRunId, queue: claim.queue, message };
    this.#options.logger.warn('Cannot start a run from its queue', fields);
    if (retryableCodes.has(code)) {
      this.#attempt('Cannot return a run to its queue', () => {
        this.#claims.returnToQueue(claim, message);
      });
    } else this.#discard(claim, `the run could not be started from queue ${claim.queue}: ${message}`);
  }

  /** Ends the run as failed. */
  #discard(claim: QueueClaim, reason: string): void {
    const { store, clock, hub } = this.#options;
    this.#attempt('Cannot remove a run from its queue', () => {
      store.queues.discardClaim(claim, reason, clock.now());
    });
    hub.pump();
  }

  /** Runs work that is retried with a later check if it fails. */
  #attempt(problem: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.logger.warn(problem, { message: toAppError(error).message });
    }
  }
}
