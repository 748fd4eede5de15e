import type { Clock, Dispose } from '../../base/clock.ts';
import type {
  HeartbeatReply,
  ClaimedTask,
  DispatchStore,
  TaskLease,
  WorkerRef,
} from '../../store/types/dispatch.ts';
import { AppError } from '../../base/errors.ts';
import { CoalescedTask } from '../../base/turns.ts';

/** Result for a waiting worker: tasks, tasks to cancel, or neither. */
export interface ClaimOutcome {
  readonly tasks: readonly ClaimedTask[];
  readonly cancel: HeartbeatReply['cancel'];
}

interface Poll extends WorkerRef {
  readonly free: number;
  /** The store has not been queried for it since the last change. */
  isPending: boolean;
  /** A query is in progress for it. */
  isInProgress: boolean;
  /** Its waiting time has ended: it is answered after the current query. */
  isExpired: boolean;
  /** Whether the poll was answered or the client has disconnected. */
  isDone: boolean;
  respond(outcome: ClaimOutcome): void;
  reject(reason: unknown): void;
}

/** Polling interval for tasks. */
const pollIntervalMs = 1000;
/** Maximum number of workers per statement. */
const maxBatchSize = 256;
/** Maximum number of waiting workers per coordinator. */
const maxPolls = 20_000;

const noTasks: ClaimOutcome = { tasks: [], cancel: [] };

/**
 * Workers waiting for tasks. All of them are served by one statement at a time: when a worker arrives, when the store
 * reports a change, and every second.
 */
export class ClaimService {
  readonly #store: DispatchStore;
  readonly #clock: Clock;
  readonly #polls = new Map<string, Poll>();
  readonly #end: readonly Dispose[];
  readonly #work: CoalescedTask;
  #shouldCheckCancels = false;
  #isClosed = false;

  constructor(store: DispatchStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#work = new CoalescedTask(clock, () => this.#serveAll());
    this.#end = [
      clock.every(pollIntervalMs, () => this.#checkAll({ cancels: true })),
      store.onWake((kind) => {
        if (kind !== 'changed') this.#checkAll({ cancels: kind === 'cancelled' });
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
    disconnected: AbortSignal,
  ): Promise<ClaimOutcome> {
    if (this.#isClosed) throw stoppingError();
    if (this.#polls.size >= maxPolls) throw overloadedError();
    this.#polls.get(id)?.respond(noTasks);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        poll.isDone = true;
        abort();
        disconnected.removeEventListener('abort', leave);
        if (this.#polls.get(id) === poll) this.#polls.delete(id);
      };
      const poll: Poll = {
        id,
        epoch,
        free,
        isPending: true,
        isInProgress: false,
        isExpired: waitMs === 0,
        isDone: false,
        respond: (outcome) => {
          end();
          resolve(outcome);
        },
        reject: (reason) => {
          end();
          reject(reason);
        },
      };
      const leave = (): void => poll.respond(noTasks);
      const abort = this.#clock.after(waitMs, () => {
        poll.isExpired = true;
        if (!poll.isPending && !poll.isInProgress) leave();
      });
      disconnected.addEventListener('abort', leave);
      this.#polls.set(id, poll);
      if (disconnected.aborted) leave();
      else this.#work.requestSoon();
    });
  }

  /**
   * Returns tasks that were not delivered to their worker. If this fails, they are reclaimed after the activation
   * timeout.
   */
  async release(leases: readonly TaskLease[]): Promise<void> {
    if (leases.length > 0) await this.#store.release(leases).catch(() => {});
  }

  /** Answers all polls with nothing, so that workers poll again; after a shutdown, at another coordinator. */
  endPolls(): void {
    for (const poll of [...this.#polls.values()]) poll.respond(noTasks);
  }

  close(): void {
    this.#isClosed = true;
    for (const end of this.#end) end();
    this.endPolls();
  }

  #checkAll({ cancels }: { readonly cancels: boolean }): void {
    if (this.#polls.size === 0) return;
    this.#shouldCheckCancels ||= cancels;
    for (const poll of this.#polls.values()) poll.isPending = true;
    this.#work.requestSoon();
  }

  async #serveAll(): Promise<void> {
    for (let polls = this.#takePending(); polls.length > 0; polls = this.#takePending()) {
      await this.#serve(polls);
    }
  }

  /** Returns the polls to query for, those that have waited longest first. */
  #takePending(): Poll[] {
    const pending: Poll[] = [];
    for (const poll of this.#polls.values()) {
      if (pending.length === maxBatchSize) break;
      if (!poll.isPending) continue;
      poll.isPending = false;
      poll.isInProgress = true;
      pending.push(poll);
    }
    return pending;
  }

  async #serve(polls: readonly Poll[]): Promise<void> {
    try {
      const available = polls.filter(({ free }) => free > 0);
      if (available.length > 0) {
        const claimed = await this.#store.claim(
          available.map(({ id, epoch, free }) => ({ id, epoch, free })),
        );
        await this.release(available.flatMap((poll) => deliver(poll, claimed.get(poll.id) ?? [])));
      }
      await this.#sendCancels(polls.filter(({ isDone }) => !isDone));
    } catch (error) {
      for (const poll of polls) if (!poll.isDone) poll.reject(error);
    }
    for (const poll of polls) {
      poll.isInProgress = false;
      if (poll.isExpired && !poll.isDone) poll.respond(noTasks);
    }
  }

  async #sendCancels(polls: readonly Poll[]): Promise<void> {
    if (!this.#shouldCheckCancels || polls.length === 0) return;
    this.#shouldCheckCancels = [...this.#polls.values()].some(({ isPending }) => isPending);
    const cancels = await this.#store.findCancels(polls.map(({ id, epoch }) => ({ id, epoch })));
    for (const poll of polls) {
      const cancel = cancels.get(poll.id) ?? [];
      if (cancel.length > 0 && !poll.isDone) poll.respond({ tasks: [], cancel });
    }
  }
}

/** @returns the tasks that could not be delivered */
function deliver(poll: Poll, tasks: readonly ClaimedTask[]): readonly TaskLease[] {
  if (tasks.length === 0) return [];
  if (poll.isDone) return tasks;
  poll.respond({ tasks, cancel: [] });
  return [];
}

/** Seconds after which a rejected worker may retry. */
const retryAfter = 1;

/** Returns the error of an overloaded coordinator. */
export const overloadedError = (): AppError =>
  new AppError(
    'unavailable',
    'The coordinator is overloaded. Use another coordinator, or retry in a second.',
    { details: { retryAfter } },
  );

/** Returns the error of a coordinator that is closing. */
const stoppingError = (): AppError =>
  new AppError('unavailable', 'The coordinator is stopping. Use another coordinator, or retry in a second.', {
    details: { retryAfter },
  });
