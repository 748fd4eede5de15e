import type { Hook, HookDue, WantedWork } from './ports.ts';

/** Attempts of one hook at the same time, unless it says otherwise. */
const usualConcurrency = 4;

/** How a hook stands with its sending. */
interface Lane {
  /** Messages taken and not done with. */
  taken: number;
  /** When the earliest waiting message is due, epoch milliseconds; undefined: none waits. */
  dueAt: number | undefined;
  /** Attempts that the rate allows now, and when that was reckoned (monotonic milliseconds). */
  tokens: number;
  reckonedAt: number;
}

/** The present: by the wall clock what is due, by the monotonic one what the rate allows. */
export interface Instant {
  readonly now: number;
  readonly monotonic: number;
}

/**
 * Which hooks have something to send, and how much each may send now: its concurrency, its rate, one after the other
 * for an ordered one. Served in turn, so that a busy hook does not keep the others waiting.
 */
export class Lanes {
  readonly #lanes = new Map<number, Lane>();

  /** Begins anew with what waits now; what is taken stays taken. */
  reload(due: readonly HookDue[]): void {
    for (const lane of this.#lanes.values()) lane.dueAt = undefined;
    for (const { hookId, dueAt } of due) this.#laneOf(hookId).dueAt = dueAt;
  }

  /** A hook has a message that is due then, if not earlier ones. */
  note(hookId: number, dueAt: number): void {
    const lane = this.#laneOf(hookId);
    lane.dueAt = Math.min(lane.dueAt ?? dueAt, dueAt);
  }

  /** What may be taken now, `room` messages at most. */
  wish(
    room: number,
    { now, monotonic }: Instant,
    find: (hookId: number) => Hook | undefined,
  ): WantedWork['wishes'][number][] {
    const wishes: WantedWork['wishes'][number][] = [];
    let left = room;
    for (const [hookId, lane] of [...this.#lanes]) {
      if (left === 0) break;
      if (lane.dueAt === undefined || lane.dueAt > now) continue;
      const hook = find(hookId);
      const limit = hook && Math.min(left, this.#allowanceOf(lane, hook, monotonic));
      if (hook === undefined || !limit) continue;
      wishes.push({ hookId, limit, ordered: hook.options.ordered === true });
      left -= limit;
      // To the end of the line.
      this.#lanes.delete(hookId);
      this.#lanes.set(hookId, lane);
    }
    return wishes;
  }

  /** Messages have been taken; `dueAt` is that of the earliest of those that still wait. */
  take(hookId: number, count: number, dueAt: number | undefined): void {
    const lane = this.#laneOf(hookId);
    lane.taken += count;
    lane.tokens -= count;
    lane.dueAt = dueAt;
  }

  /** One that was taken is done with. */
  finish(hookId: number): void {
    const lane = this.#laneOf(hookId);
    lane.taken -= 1;
    if (lane.taken === 0 && lane.dueAt === undefined) this.#lanes.delete(hookId);
  }

  #allowanceOf(lane: Lane, { active, deletedAt, options }: Hook, monotonic: number): number {
    if (!active && deletedAt === undefined) return 0;
    const { ordered, concurrency = usualConcurrency, perSecond } = options;
    const free = (ordered === true ? 1 : concurrency) - lane.taken;
    if (perSecond === undefined) return Math.max(0, free);
    const most = Math.max(1, perSecond / 10);
    lane.tokens = Math.min(most, lane.tokens + ((monotonic - lane.reckonedAt) / 1000) * perSecond);
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
