import type { Webhook, DueWebhook, DeliveryClaim } from './ports.ts';

/** Default number of parallel attempts per hook. */
const usualConcurrency = 4;

/** Delivery state of a hook. */
interface Lane {
  /** Number of messages in delivery. */
  taken: number;
  /** Due time of the earliest waiting message, epoch milliseconds; undefined if none waits. */
  dueAt: number | undefined;
  /** Tokens of the rate limit, and the time of the last refill (monotonic milliseconds). */
  tokens: number;
  reckonedAt: number;
}

/** Current time: due times use the wall clock, the rate limit uses the monotonic clock. */
export interface Instant {
  readonly now: number;
  readonly monotonic: number;
}

/**
 * Hooks with pending messages, and how many each may send now: limited by concurrency, rate, and order. Served
 * round-robin, so that a busy hook does not delay others.
 */
export class DeliveryQueues {
  readonly #lanes = new Map<number, Lane>();

  /** Reloads the waiting messages; messages in delivery are unaffected. */
  reload(due: readonly DueWebhook[]): void {
    for (const lane of this.#lanes.values()) lane.dueAt = undefined;
    for (const { hookId, dueAt } of due) this.#laneOf(hookId).dueAt = dueAt;
  }

  /** Notes that a hook has a message due at this time or earlier. */
  note(hookId: number, dueAt: number): void {
    const lane = this.#laneOf(hookId);
    lane.dueAt = Math.min(lane.dueAt ?? dueAt, dueAt);
  }

  /** Returns which hooks may take messages now, at most `room` messages. */
  plan(
    room: number,
    { now, monotonic }: Instant,
    find: (hookId: number) => Webhook | undefined,
  ): DeliveryClaim['requests'][number][] {
    const requests: DeliveryClaim['requests'][number][] = [];
    let left = room;
    for (const [hookId, lane] of [...this.#lanes]) {
      if (left === 0) break;
      if (lane.dueAt === undefined || lane.dueAt > now) continue;
      const webhook = find(hookId);
      const limit = webhook && Math.min(left, this.#allowanceOf(lane, webhook, monotonic));
      if (webhook === undefined || !limit) continue;
      requests.push({ hookId, limit, ordered: webhook.options.ordered === true });
      left -= limit;
      // Moves it to the end of the queue.
      this.#lanes.delete(hookId);
      this.#lanes.set(hookId, lane);
    }
    return requests;
  }

  /** Notes taken messages; `dueAt` is the earliest due time of the remaining ones. */
  take(hookId: number, count: number, dueAt: number | undefined): void {
    const lane = this.#laneOf(hookId);
    lane.taken += count;
    lane.tokens -= count;
    lane.dueAt = dueAt;
  }

  /** Notes a finished message. */
  finish(hookId: number): void {
    const lane = this.#laneOf(hookId);
    lane.taken -= 1;
    if (lane.taken === 0 && lane.dueAt === undefined) this.#lanes.delete(hookId);
  }

  #allowanceOf(lane: Lane, { active, deletedAt, options }: Webhook, monotonic: number): number {
    if (!active && deletedAt === undefined) return 0;
    const { ordered, concurrency = usualConcurrency, perSecond } = options;
    const free = (ordered === true ? 1 : concurrency) - lane.taken;
    if (perSecond === undefined) return Math.max(0, free);
    const max = Math.max(1, perSecond / 10);
    lane.tokens = Math.min(max, lane.tokens + ((monotonic - lane.reckonedAt) / 1000) * perSecond);
    lane.reckonedAt = monotonic;
    return Math.max(0, Math.min(free, Math.floor(lane.tokens)));
  }

  #laneOf(hookId: number): Lane {
    let lane = this.#lanes.get(hookId);
    if (lane === undefined) {
      lane = { taken: 0, dueAt: undefined, tokens: 1, reckonedAt: Number.NEGATIVE_INFINITY };
      this.#lanes.set(hookId, lane);
    }
    return lane;
  }
}
