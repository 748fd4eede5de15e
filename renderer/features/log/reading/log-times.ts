import type { Dispose } from '../../../../core/base/clock.ts';
import { Listeners } from '../../../../core/base/listeners.ts';
import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { systemClock } from '../../../app/clock.ts';
import type { LogRef } from './log-line-cache.ts';
import type { TimeMarks } from '../rows/line-rows.ts';

/** The known timestamps of a log. A new object for every change. */
export interface LogTimesSnapshot extends TimeMarks {
  /** Epoch milliseconds; absent until known. */
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** Interval between two requests while the log grows. */
const askEveryMs = 500;

/** Timestamps of log lines. They are loaded only on demand, and again where the log has grown. */
export class LogTimes {
  readonly #bridge: Bridge;
  readonly #address: LogRef;
  readonly #listeners = new Listeners();
  #snapshot: LogTimesSnapshot = {
    at: [],
    stdout: [],
    stderr: [],
    startedAt: undefined,
    finishedAt: undefined,
  };
  #next = 0;
  #isAsking = false;
  #isOutdated = false;
  #askedAt = -Infinity;
  #stopTimer: Dispose = () => {};

  constructor(bridge: Bridge, address: LogRef) {
    const { name, dagRunId, step, section, attempt, item } = address;
    this.#bridge = bridge;
    this.#address = {
      ...{ name, dagRunId, step },
      ...(section && { section }),
      ...(attempt !== undefined && { attempt }),
      ...(item !== undefined && { item }),
    };
  }

  readonly subscribe = this.#listeners.add;

  readonly read = (): LogTimesSnapshot => this.#snapshot;

  /** Loads more timestamps if there may be any. */
  refresh(): void {
    this.#isOutdated = true;
    const wait = this.#askedAt + askEveryMs - systemClock.monotonic();
    if (this.#isAsking) return;
    this.#stopTimer();
    if (wait <= 0) void this.#ask();
    else this.#stopTimer = systemClock.after(wait, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#isOutdated = false;
    this.#askedAt = systemClock.monotonic();
    try {
      let more = true;
      while (more) {
        const reply = await this.#bridge.call('logs.times', { ...this.#address, after: this.#next });
        this.#next = reply.next;
        this.#take(reply);
        more = reply.more;
      }
    } catch {
      // Errors are reported by the log itself.
    } finally {
      this.#isAsking = false;
    }
    if (this.#isOutdated) this.refresh();
  }

  #take(reply: TimeMarks & { readonly startedAt: string; readonly finishedAt?: string | undefined }): void {
    const { at, stdout, stderr } = this.#snapshot;
    this.#snapshot = {
      at: [...at, ...reply.at],
      stdout: [...stdout, ...reply.stdout],
      stderr: [...stderr, ...reply.stderr],
      startedAt: Date.parse(reply.startedAt),
      finishedAt: reply.finishedAt === undefined ? undefined : Date.parse(reply.finishedAt),
    };
    this.#listeners.notify();
  }
}
