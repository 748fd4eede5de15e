import type { Clock } from '../../base/clock.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import { timings } from '../../base/timings.ts';
import { formatHost, type HostMonitor, type HostHeartbeat } from '../hosts.ts';
import type { OpenClaim, QueueClaim } from '../../model/queue.ts';
import type { ActiveRuns } from '../active-runs.ts';
import { OrphanedCommands } from '../recovery/interrupted-run.ts';
import type { EventHub } from '../event-hub.ts';
import type { QueueStore } from '../../store/types/queues.ts';

/** How much longer other hosts wait than the host that has made the claim, in milliseconds. */
const foreignGraceMs = 2000;

interface ClaimWatchOptions {
  readonly store: { readonly queues: QueueStore };
  readonly active: Pick<ActiveRuns, 'find'>;
  readonly hub: EventHub;
  /** Absolute path of the home. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly host: HostHeartbeat;
  readonly watch: HostMonitor;
}

/** Longest time between two checks that counts, in milliseconds: longer ones mean that checks were impossible. */
const maxGapMs = 2000;

/** State of a claim that has not led to an active run, as seen by this process. */
interface ClaimObservation {
  /** Its age by our own checks, in milliseconds. */
  ageMs: number;
  /** Why this host's claim has to be returned, when it cannot be started now. */
  returnReason?: string;
}

/**
 * Monitors claims that have not led to an active run. Each process measures a claim's age from when it first saw it,
 * and only while it can check: an adjusted wall clock, a machine that slept, or a database outage discards nothing.
 */
export class ClaimWatch {
  readonly #options: ClaimWatchOptions;
  #observations = new Map<string, ClaimObservation>();
  /** On the monotonic clock. */
  #checkedAt: number;

  constructor(options: ClaimWatchOptions) {
    this.#options = options;
    this.#checkedAt = options.clock.monotonic();
  }

  /** Whether there are claims whose age counts. */
  get isWatching(): boolean {
    return this.#observations.size > 0;
  }

  /** Records a claim of this host that it is about to start. */
  track(claim: QueueClaim): void {
    this.#observations.set(getKey(claim), { ageMs: 0 });
  }

  /**
   * Returns a claim of this host to its place in the queue, now or as soon as the store accepts it. Rejects with the
   * store's error.
   */
  async returnToQueue(claim: QueueClaim, reason: string): Promise<void> {
    this.#observations.set(getKey(claim), { ageMs: 0, returnReason: reason });
    await this.#options.store.queues.returnClaim(claim, reason, this.#options.clock.now());
    this.#observations.delete(getKey(claim));
  }

  /**
   * Discards claims that are too old; claims of lost hosts return to their place. Resolves with whether there were any,
   * which means free capacity. Must not be called while claims of this host are on their way: one that is stored and not
   * tracked counts as lost.
   */
  async check(): Promise<boolean> {
    const open = await this.#options.store.queues.listOpenClaims();
    const now = this.#options.clock.monotonic();
    const gapMs = Math.min(now - this.#checkedAt, maxGapMs);
    this.#checkedAt = now;
    this.#observations = new Map(open.map((claim) => [getKey(claim), this.#observe(claim, gapMs)]));
    let hasResolved = false;
    for (const claim of open) if (await this.#resolve(claim)) hasResolved = true;
    if (hasResolved) this.#options.hub.pump();
    return hasResolved;
  }

  #observe(claim: OpenClaim, gapMs: number): ClaimObservation {
    const observations = this.#observations.get(getKey(claim));
    if (observations !== undefined) return { ...observations, ageMs: observations.ageMs + gapMs };
    // Its response was lost with the connection, so it was never started.
    return this.#isLocal(claim)
      ? { ageMs: 0, returnReason: 'the host did not receive the claim' }
      : { ageMs: 0 };
  }

  /** Returns the claims that this host has not started. */
  async returnLocalClaims(): Promise<void> {
    const { store, clock } = this.#options;
    for (const claim of await store.queues.listOpenClaims()) {
      if (!this.#isLocal(claim)) continue;
      if (await store.queues.returnClaim(claim, 'the host was closed', clock.now())) this.#detachRun(claim);
    }
  }

  async #resolve(claim: OpenClaim): Promise<boolean> {
    const { store, clock, watch } = this.#options;
    const observation = this.#observations.get(getKey(claim));
    // Returned to its queue meanwhile.
    if (observation === undefined) return false;
    const { ageMs, returnReason } = observation;
    if (returnReason !== undefined) return store.queues.returnClaim(claim, returnReason, clock.now());
    const expiry = this.#isLocal(claim) ? undefined : watch.findExpiry(claim.host);
    if (expiry !== undefined) {
      failPoint('queue.before_return');
      const reason = `claimed by ${formatHost(claim.host.owner)}, but ${expiry}`;
      if (!(await store.queues.returnClaim(claim, reason, clock.now()))) return false;
      void new OrphanedCommands(this.#options.home, clock).end(claim, claim.epoch);
      return true;
    }
    if (ageMs < timings.queueActivation + (this.#isLocal(claim) ? 0 : foreignGraceMs)) return false;
    return this.#discard(claim);
  }

  async #discard(claim: OpenClaim): Promise<boolean> {
    const { store, clock, logger } = this.#options;
    const { name, dagRunId, queue } = claim;
    failPoint('queue.before_discard');
    const reason = `removed from queue ${queue}: the run did not start within ${timings.queueActivation / 1000} s after it was claimed by ${formatHost(claim.host.owner)}`;
    if (!(await store.queues.discardClaim(claim, reason, clock.now()))) return false;
    logger.warn('A run did not start in time', { dag: name, dagRunId, queue });
    if (this.#isLocal(claim)) this.#detachRun(claim);
    return true;
  }

  /** Releases a run that this host no longer owns: its writes are rejected, and its pending commands are ended. */
  #detachRun(claim: OpenClaim): void {
    const execution = this.#options.active.find(claim);
    // The run may have been claimed or retried again meanwhile.
    if (execution?.epoch !== claim.epoch) return;
    execution.stop(`queue ${claim.queue}`);
    execution.onLeaseLost();
  }

  #isLocal({ host }: OpenClaim): boolean {
    return host.owner.id === this.#options.host.owner.id;
  }
}

const getKey = ({ runKey, epoch }: Pick<QueueClaim, 'runKey' | 'epoch'>): string => `${runKey}@${epoch}`;
