import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, toErrorBody, type ErrorBody } from '../base/errors.ts';
import type { LogExtent, LogText } from '../contract/runs/logs.ts';
import type { StreamObserver } from '../contract/transport/bridge.ts';
import { LogFollower, pollIntervalMs } from './follow-log.ts';
import { TextFollower, type FollowedText } from './follow-text.ts';
import { statLog, type LogState } from './log-source.ts';
import { SharedPolls } from './shared-polls.ts';

/** A text to follow, and whether its writer is done. */
export type TextSelection = Omit<FollowedText, 'look'>;

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
      (complete) => this.#extents.look(file, complete),
    );
    return this.#start(observer, {
      open: (target) => new LogFollower({ isComplete, look: poll }, target, this.#clock),
      leave: () => this.#extents.forget(file),
    });
  }

  /** Delivers the lines of a log. */
  followText(selection: TextSelection, observer: StreamObserver<LogText>): Dispose {
    const { file } = selection;
    const poll = firstThenShared(
      () => statLog(file),
      (complete) => this.#states.look(file, complete),
    );
    return this.#start(observer, {
      open: (target) => new TextFollower({ ...selection, look: poll }, target, this.#clock),
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
      place: (id) => observer.place?.(id),
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
