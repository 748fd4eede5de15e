import type { Clock, Dispose } from '../../../base/clock.ts';
import type { HeartbeatReply, ClaimedTask, DispatchStore, TaskLease, WorkerRef } from '../../ports.ts';
import { overloadedError, stoppingError } from './overloaded-error.ts';

/** Result for a waiting worker: tasks, tasks to cancel, or neither. */
export interface ClaimOutcome {
  readonly tasks: readonly ClaimedTask[];
  readonly cancel: HeartbeatReply['cancel'];
}

interface Poll extends WorkerRef {
  readonly free: number;
  /** The store has not been queried for it since the last change. */
  isFresh: boolean;
  /** A query is in progress for it. */
  isAsked: boolean;
  /** Its waiting time has ended: it is answered after the current query. */
  isDue: boolean;
  /** Whether the poll was answered or the client has disconnected. */
  isOver: boolean;
  answer(outcome: ClaimOutcome): void;
  refuse(reason: unknown): void;
}

/** Polling interval for tasks. */
const pollIntervalMs = 1000;
/** Maximum number of workers per statement. */
const together = 256;
/** Maximum number of waiting workers per coordinator. */
const maxPolls = 20_000;

const nothing: ClaimOutcome = { tasks: [], cancel: [] };

/**
 * Workers waiting for tasks. All of them are served by one statement at a time: when a worker arrives, when the store
 * reports a change, and every second.
 */
export class ClaimService {
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
      clock.every(pollIntervalMs, () => this.#lookAtAll({ cancels: true })),
      store.onWake((kind) => {
        if (kind !== 'changed') this.#lookAtAll({ cancels: kind === 'cancelled' });
      }),
    ];
  }

  /** Number of waiting workers. */
  get size(): number {
    return this.#polls.size;
  }

  /**
   * Waits for tasks. An earlier poll of the same worker gets an empty response. Rejects with `unavailable` if too many
   * workers wait, or the coordinator is closing.
   * @param disconnected signals that the client has disconnected
   */
  wait(
    { id, epoch, free, waitMs }: WorkerRef & { readonly free: number; readonly waitMs: number },
    gone: AbortSignal,
  ): Promise<ClaimOutcome> {
    if (this.#isClosed) throw stoppingError();
    if (this.#polls.size >= maxPolls) throw overloadedError();
    this.#polls.get(id)?.answer(nothing);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        poll.isOver = true;
        abort();
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
      const abort = this.#clock.after(waitMs, () => {
        poll.isDue = true;
        if (!poll.isFresh && !poll.isAsked) leave();
      });
      gone.addEventListener('abort', leave);
      this.#polls.set(id, poll);
      if (gone.aborted) leave();
      else this.#wake();
    });
  }

  /**
   * Returns tasks that were not delivered to their worker. If this fails, they are reclaimed after the activation
   * timeout.
   */
  async release(holds: readonly TaskLease[]): Promise<void> {
    if (holds.length > 0) await this.#store.release(holds).catch(() => {});
  }

  /** Answers all polls with nothing, so that workers poll again; after a shutdown, at another coordinator. */
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
    // Polls of the same event loop turn are handled together.
    this.#clock.soon(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (let polls = this.#takeFresh(); polls.length > 0; polls = this.#takeFresh()) {
      await this.#serve(polls);
    }
    this.#isBusy = false;
  }

  /** Returns the polls to query for, those that have waited longest first. */
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
        await this.release(room.flatMap((poll) => deliver(poll, claimed.get(poll.id) ?? [])));
      }
      await this.#sendCancels(polls.filter(({ isOver }) => !isOver));
    } catch (error) {
      for (const poll of polls) if (!poll.isOver) poll.refuse(error);
    }
    for (const poll of polls) {
      poll.isAsked = false;
      if (poll.isDue && !poll.isOver) poll.answer(nothing);
    }
  }

  async #sendCancels(polls: readonly Poll[]): Promise<void> {
    if (!this.#looksForCancels || polls.length === 0) return;
    this.#looksForCancels = [...this.#polls.values()].some(({ isFresh }) => isFresh);
    const cancels = await this.#store.findCancels(polls.map(({ id, epoch }) => ({ id, epoch })));
    for (const poll of polls) {
      const cancel = cancels.get(poll.id) ?? [];
      if (cancel.length > 0 && !poll.isOver) poll.answer({ tasks: [], cancel });
    }
  }
}

/** @returns the tasks that could not be delivered */
function deliver(poll: Poll, tasks: readonly ClaimedTask[]): readonly TaskLease[] {
  if (tasks.length === 0) return [];
  if (poll.isOver) return tasks;
  poll.answer({ tasks, cancel: [] });
  return [];
}
