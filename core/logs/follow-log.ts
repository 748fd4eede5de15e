import type { Clock, Dispose } from '../base/clock.ts';
import { toAppError, toErrorBody } from '../base/errors.ts';
import type { StreamObserver } from '../contract/transport/bridge.ts';
import type { LogExtent } from '../contract/runs/logs.ts';

/** Polling interval of a followed log, in milliseconds. */
export const pollIntervalMs = 100;

/** How to poll a log. */
export interface FollowedLog {
  /** Whether its writer is done; called before each poll, so that the last poll sees everything. */
  readonly isComplete: () => boolean;
  readonly look: (complete: boolean) => Promise<LogExtent>;
}

/** Reports the extent of a log, at once and with each change, until it is complete. */
export class LogFollower {
  readonly #log: FollowedLog;
  readonly #observer: StreamObserver<LogExtent>;
  readonly #clock: Clock;
  #stopTimer: Dispose = () => {};
  #last: LogExtent | undefined;
  #looking = false;
  #stopped = false;

  constructor(log: FollowedLog, observer: StreamObserver<LogExtent>, clock: Clock) {
    this.#log = log;
    this.#observer = observer;
    this.#clock = clock;
  }

  start(): void {
    this.#stopTimer = this.#clock.every(pollIntervalMs, () => void this.#look());
    void this.#look();
  }

  /** Stops without notifying the observer. */
  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#stopped) return;
    this.#looking = true;
    try {
      const complete = this.#log.isComplete();
      this.#notify(await this.#log.look(complete));
    } catch (error) {
      if (this.#stopped) return;
      this.stop();
      this.#observer.end(toErrorBody(toAppError(error)));
    } finally {
      this.#looking = false;
    }
  }

  #notify(extent: LogExtent): void {
    if (this.#stopped) return;
    if (!this.#last || differ(this.#last, extent)) this.#observer.item(extent);
    this.#last = extent;
    if (!extent.complete || extent.estimated) return;
    this.stop();
    this.#observer.end();
  }
}

const differ = (left: LogExtent, right: LogExtent): boolean =>
  left.size !== right.size ||
  left.totalLines !== right.totalLines ||
  left.complete !== right.complete ||
  left.estimated !== right.estimated ||
  left.binary !== right.binary;
