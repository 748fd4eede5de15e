import type { Clock, Dispose } from '../../../base/clock.ts';
import type { BeatAnswer, ClaimedTask, DispatchStore, TaskHold, WorkerRef } from '../../ports.ts';
import { refuseFull, refuseStopping } from './refuse-full.ts';

/** What a waiting worker is told: work, ends to be asked for, or nothing of either. */
export interface ClaimOutcome {
  readonly tasks: readonly ClaimedTask[];
  readonly cancel: BeatAnswer['cancel'];
}

interface Poll extends WorkerRef {
  readonly free: number;
  /** Nothing that may be new has been looked for on its behalf. */
  isFresh: boolean;
  /** The store is being asked on its behalf. */
  isAsked: boolean;
  /** Its time is over: it is answered after the look that it waits for. */
  isDue: boolean;
  /** It has been answered, or nobody waits for the answer any more. */
  isOver: boolean;
  answer(outcome: ClaimOutcome): void;
  refuse(reason: unknown): void;
}

/** How often is looked for work without a hint that there is some. */
const lookMs = 1000;
/** Workers in one statement. */
const together = 256;
/** Workers that may wait at one coordinator. */
const mostPolls = 20_000;

const nothing: ClaimOutcome = { tasks: [], cancel: [] };

/**
 * Where workers wait for work. All that wait are asked for in one statement, one at a time: when they come, when the
 * store says that there may be something new, and each second.
 */
export class ClaimDesk {
  readonly #store: DispatchStore;
  readonly #clock: Clock;
  readonly #polls = new Map<string, Poll>();
  readonly #end: readonly Dispose[];
  #isBusy = false;
  #looksForCancels = false;
  #isClosed = false;

  constructor(store: DispatchStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#end = [
      clock.every(lookMs, () => this.#lookAtAll({ cancels: true })),
      store.onWake((kind) => {
        if (kind !== 'changed') this.#lookAtAll({ cancels: kind === 'cancelled' });
      }),
    ];
  }

  /** Workers that wait. */
  get size(): number {
    return this.#polls.size;
  }

  /**
   * Waits for work. A poll of the same worker that waits already is answered with nothing. Rejects with `unavailable`
   * when too many wait, or the coordinator ends.
   * @param gone tells that nobody waits for the answer any more
   */
  wait(
    { id, epoch, free, waitMs }: WorkerRef & { readonly free: number; readonly waitMs: number },
    gone: AbortSignal,
  ): Promise<ClaimOutcome> {
    if (this.#isClosed) throw refuseStopping();
    if (this.#polls.size >= mostPolls) throw refuseFull();
    this.#polls.get(id)?.answer(nothing);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        poll.isOver = true;
        giveUp();
        gone.removeEventListener('abort', leave);
        if (this.#polls.get(id) === poll) this.#polls.delete(id);
      };
      const poll: Poll = {
        id,
        epoch,
        free,
        isFresh: true,
        isAsked: false,
        isDue: waitMs === 0,
        isOver: false,
        answer: (outcome) => {
          end();
          resolve(outcome);
        },
        refuse: (reason) => {
          end();
          reject(reason);
        },
      };
      const leave = (): void => poll.answer(nothing);
      const giveUp = this.#clock.after(waitMs, () => {
        poll.isDue = true;
        if (!poll.isFresh && !poll.isAsked) leave();
      });
      gone.addEventListener('abort', leave);
      this.#polls.set(id, poll);
      if (gone.aborted) leave();
      else this.#wake();
    });
  }

  /** Gives back what did not reach its worker; what cannot be given back comes back by itself after its time. */
  async handBack(holds: readonly TaskHold[]): Promise<void> {
    if (holds.length > 0) await this.#store.handBack(holds).catch(() => {});
  }

  /** Answers all that wait with nothing, so that they ask anew; elsewhere, when the coordinator ends. */
  sendAway(): void {
    for (const poll of [...this.#polls.values()]) poll.answer(nothing);
  }

  close(): void {
    this.#isClosed = true;
    for (const end of this.#end) end();
    this.sendAway();
  }

  #lookAtAll({ cancels }: { readonly cancels: boolean }): void {
    if (this.#polls.size === 0) return;
    this.#looksForCancels ||= cancels;
    for (const poll of this.#polls.values()) poll.isFresh = true;
    this.#wake();
  }

  #wake(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // What comes in the same turn goes with it.
    this.#clock.soon(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (let polls = this.#takeFresh(); polls.length > 0; polls = this.#takeFresh()) {
      await this.#serve(polls);
    }
    this.#isBusy = false;
  }

  /** Those that asked longest ago come first. */
  #takeFresh(): Poll[] {
    const fresh: Poll[] = [];
    for (const poll of this.#polls.values()) {
      if (fresh.length === together) break;
      if (!poll.isFresh) continue;
      poll.isFresh = false;
      poll.isAsked = true;
      fresh.push(poll);
    }
    return fresh;
  }

  async #serve(polls: readonly Poll[]): Promise<void> {
    try {
      const room = polls.filter(({ free }) => free > 0);
      if (room.length > 0) {
        const claimed = await this.#store.claim(room.map(({ id, epoch, free }) => ({ id, epoch, free })));
        await this.handBack(room.flatMap((poll) => deliver(poll, claimed.get(poll.id) ?? [])));
      }
      await this.#tellCancels(polls.filter(({ isOver }) => !isOver));
    } catch (thrown) {
      for (const poll of polls) if (!poll.isOver) poll.refuse(thrown);
    }
    for (const poll of polls) {
      poll.isAsked = false;
      if (poll.isDue && !poll.isOver) poll.answer(nothing);
    }
  }

  async #tellCancels(polls: readonly Poll[]): Promise<void> {
    if (!this.#looksForCancels || polls.length === 0) return;
    this.#looksForCancels = [...this.#polls.values()].some(({ isFresh }) => isFresh);
    const cancels = await this.#store.findCancels(polls.map(({ id, epoch }) => ({ id, epoch })));
    for (const poll of polls) {
      const cancel = cancels.get(poll.id) ?? [];
      if (cancel.length > 0 && !poll.isOver) poll.answer({ tasks: [], cancel });
    }
  }
}

/** @returns what nobody waits for any more */
function deliver(poll: Poll, tasks: readonly ClaimedTask[]): readonly TaskHold[] {
  if (tasks.length === 0) return [];
  if (poll.isOver) return tasks;
  poll.answer({ tasks, cancel: [] });
  return [];
}
