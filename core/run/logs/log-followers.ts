import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toErrorBody, type ErrorBody } from '../../base/errors.ts';
import type { LogExtent, LogText } from '../../contract/logs.ts';
import type { StreamObserver } from '../../contract/transport.ts';
import { LogFollower, pollIntervalMs, TextFollower, type FollowedText } from './follow-text.ts';
import { statLog, type LogState } from './log-source.ts';

/** A text to follow, and whether its writer is done. */
export type TextSelection = Omit<FollowedText, 'poll'>;

interface Follower {
  start(): void;
  stop(): void;
}

/** All followers of logs. Followers of the same log share the polling of its file. */
export class LogFollowers {
  readonly #clock: Clock;
  readonly #measure: (file: string, complete: boolean) => Promise<LogExtent>;
  readonly #extents: SharedPolls<LogExtent>;
  readonly #states: SharedPolls<LogState | undefined>;
  readonly #endings = new Map<Follower, (error?: ErrorBody) => void>();

  /** @param measure returns the extent of a log */
  constructor(clock: Clock, measure: (file: string, complete: boolean) => Promise<LogExtent>) {
    this.#clock = clock;
    this.#measure = measure;
    this.#extents = new SharedPolls(clock, pollIntervalMs, measure);
    this.#states = new SharedPolls(clock, pollIntervalMs, statLog);
  }

  /** Reports the extent of a log. */
  follow(file: string, isComplete: () => boolean, observer: StreamObserver<LogExtent>): Dispose {
    const poll = firstThenShared(
      (complete) => this.#measure(file, complete),
      (complete) => this.#extents.poll(file, complete),
    );
    return this.#start(observer, {
      open: (target) => new LogFollower({ isComplete, poll }, target, this.#clock),
      leave: () => this.#extents.forget(file),
    });
  }

  /** Delivers the lines of a log. */
  followText(selection: TextSelection, observer: StreamObserver<LogText>): Dispose {
    const { file } = selection;
    const poll = firstThenShared(
      () => statLog(file),
      (complete) => this.#states.poll(file, complete),
    );
    return this.#start(observer, {
      open: (target) => new TextFollower({ ...selection, poll }, target, this.#clock),
      leave: () => this.#states.forget(file),
    });
  }

  /** Ends all followers with `unavailable`. */
  close(): void {
    const reason = toErrorBody(new AppError('unavailable', 'The engine is stopping.'));
    for (const [follower, end] of [...this.#endings]) {
      follower.stop();
      end(reason);
    }
  }

  #start<Item>(
    observer: StreamObserver<Item>,
    { open, leave }: { open: (target: StreamObserver<Item>) => Follower; leave: Dispose },
  ): Dispose {
    const release = (): void => {
      this.#endings.delete(follower);
      leave();
    };
    const end = (error?: ErrorBody): void => {
      release();
      observer.end(error);
    };
    const follower = open({
      item: (item) => observer.item(item),
      end,
      position: (id) => observer.position?.(id),
      ...(observer.drained && { drained: () => observer.drained?.() }),
    });
    this.#endings.set(follower, end);
    follower.start();
    return () => {
      follower.stop();
      release();
    };
  }
}

/**
 * Returns polling whose first poll is not shared, because a new follower may already have seen more than the shared
 * state of a moment ago.
 */
function firstThenShared<Seen>(
  first: (complete: boolean) => Promise<Seen>,
  shared: (complete: boolean) => Promise<Seen>,
): (complete: boolean) => Promise<Seen> {
  let isFirst = true;
  return (complete) => {
    if (!isFirst) return shared(complete);
    isFirst = false;
    return first(complete);
  };
}

interface PollEntry<Result> {
  /** When the poll started, on the monotonic clock. */
  readonly at: number;
  readonly result: Promise<Result>;
}

/** Polls logs, shared by all followers of the same log: a recent result is reused. */
export class SharedPolls<Result> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #coalesceMs: number;
  readonly #poll: (file: string, complete: boolean) => Promise<Result>;
  readonly #entries = new Map<string, PollEntry<Result>>();

  /** @param coalesceMs most age of a reused result */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    coalesceMs: number,
    poll: (file: string, complete: boolean) => Promise<Result>,
  ) {
    this.#clock = clock;
    this.#coalesceMs = coalesceMs;
    this.#poll = poll;
  }

  /** Returns the state of a log; with `complete`, as seen after its writer was done. */
  poll(file: string, complete: boolean): Promise<Result> {
    const key = `${complete ? 'complete' : 'written'} ${file}`;
    const now = this.#clock.monotonic();
    const known = this.#entries.get(key);
    if (known && now - known.at < this.#coalesceMs) return known.result;
    const result = this.#poll(file, complete);
    this.#entries.set(key, { at: now, result });
    return result;
  }

  /** Clears the result for a log that has no followers any more. */
  forget(file: string): void {
    this.#entries.delete(`complete ${file}`);
    this.#entries.delete(`written ${file}`);
  }
}
