import type { Clock } from '../base/clock.ts';
import { failPoint } from '../base/fail-point.ts';
import type { Logger } from '../base/logger.ts';
import { describeHost, type HostWatch } from '../hosts/host-watch.ts';
import type { OwnHost } from '../hosts/own-host.ts';
import type { OpenClaim, QueueClaim } from '../model/queue.ts';
import type { ActiveRuns } from '../run/active-runs.ts';
import { LeftCommands } from '../run/takeover/left-commands.ts';
import type { EventHub } from '../run/record/event-hub.ts';
import type { QueueStore } from './ports.ts';

/** Time in which a claimed run has to become active (seed 1, Limits: queue item activation window), milliseconds. */
export const activationMs = 10_000;
/** How much longer others wait than the host that has made the claim. */
const othersWaitMs = 2000;

interface ClaimWatchParts {
  readonly store: { readonly queues: QueueStore };
  readonly active: ActiveRuns;
  readonly hub: EventHub;
  /** Absolute path of the home. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly host: OwnHost;
  readonly watch: HostWatch;
}

/**
 * Looks after claims that have not led to an active run. How long one has lasted is counted by this process, from
 * when it first saw it: a wall clock that is set, or a machine that slept, discards nothing.
 */
export class ClaimWatch {
  readonly #parts: ClaimWatchParts;
  /** When each claim was first seen, by the monotonic clock. */
  #seen = new Map<string, number>();

  constructor(parts: ClaimWatchParts) {
    this.#parts = parts;
  }

  /** A claim of this host. */
  note(claim: QueueClaim): void {
    this.#seen.set(keyOf(claim), this.#parts.clock.monotonic());
  }

  /**
   * Discards claims that are too old; those of hosts that are gone go back to their place. Whether there were any:
   * room has become free.
   */
  check(): boolean {
    const open = this.#parts.store.queues.listOpenClaims();
    if (open.length === 0) {
      this.#seen.clear();
      return false;
    }
    const now = this.#parts.clock.monotonic();
    this.#seen = new Map(open.map((claim) => [keyOf(claim), this.#seen.get(keyOf(claim)) ?? now]));
    const ended = open.filter((claim) => this.#judge(claim, now - this.#seen.get(keyOf(claim))!));
    if (ended.length > 0) this.#parts.hub.pump();
    return ended.length > 0;
  }

  /** Puts back what this host has claimed and not started. */
  returnOwn(): void {
    const { store, clock, active } = this.#parts;
    for (const claim of store.queues.listOpenClaims()) {
      if (!this.#isOwn(claim)) continue;
      if (store.queues.returnClaim(claim, 'its host was closed', clock.now())) active.find(claim)?.lose();
    }
  }

  #judge(claim: OpenClaim, ageMs: number): boolean {
    const { store, clock, watch } = this.#parts;
    const gone = this.#isOwn(claim) ? undefined : watch.findDeath(claim.host);
    if (gone !== undefined) {
      failPoint('queue.before_return');
      const reason = `${describeHost(claim.host.owner)} had claimed it, and ${gone}`;
      if (!store.queues.returnClaim(claim, reason, clock.now())) return false;
      void new LeftCommands(this.#parts.home, clock).end(claim, claim.epoch);
      return true;
    }
    if (ageMs < activationMs + (this.#isOwn(claim) ? 0 : othersWaitMs)) return false;
    return this.#discard(claim);
  }

  #discard(claim: OpenClaim): boolean {
    const { store, clock, active, logger } = this.#parts;
    const { name, dagRunId, queue } = claim;
    failPoint('queue.before_discard');
    const reason = `discarded by queue ${queue}: the run did not become active within ${activationMs / 1000} s of its claim by ${describeHost(claim.host.owner)}`;
    if (!store.queues.discardClaim(claim, reason, clock.now())) return false;
    logger.warn('A run did not become active in time', { dag: name, dagRunId, queue });
    const driver = this.#isOwn(claim) ? active.find(claim) : undefined;
    // What it writes is refused by now; this ends the commands that may be what it waits for.
    driver?.stop(`queue ${queue}`);
    driver?.lose();
    return true;
  }

  #isOwn({ host }: OpenClaim): boolean {
    return host.owner.id === this.#parts.host.owner.id;
  }
}

const keyOf = ({ runKey, epoch }: Pick<QueueClaim, 'runKey' | 'epoch'>): string => `${runKey}@${epoch}`;
