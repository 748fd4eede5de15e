import path from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { TaskFiles } from '../../distributed/files-port.ts';

/** A log that a client reads. */
export interface LookedAt {
  /** Absolute path, in the folder of its attempt or item. */
  readonly file: string;
  /** Whether a worker writes or has written it. */
  readonly isRemote: boolean;
  /** Whether it is complete. */
  readonly complete: boolean;
}

export interface LogMirrorParts {
  readonly clock: Pick<Clock, 'every' | 'monotonic'>;
  readonly logger: Logger;
  files(): Promise<Pick<TaskFiles, 'mirrorLogs'>>;
  /** Whether logs of workers are stored in a bucket and not in the run directories. */
  readonly isAway: boolean;
}

/** Maximum age of a growing log in milliseconds; each refresh lists the bucket. */
const momentMs = 500;
/** Maximum number of folders that are remembered as complete. */
const mostRemembered = 10_000;

/** Fetches logs of workers from the bucket while clients read them; they are then read like local logs. */
export class LogMirror {
  readonly #parts: LogMirrorParts;
  /** By folder: time of the last refresh or the one in progress. */
  readonly #looks = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  readonly #whole = new Set<string>();
  #hasFailed = false;

  constructor(parts: LogMirrorParts) {
    this.#parts = parts;
  }

  /** Resolves when the log is recently refreshed. Never rejects: the local part can be read in any case. */
  async refresh({ file, isRemote, complete }: LookedAt): Promise<void> {
    const folder = path.dirname(file);
    if (!isRemote || !this.#parts.isAway || this.#whole.has(folder)) return;
    // A copy of a growing log may lack its end.
    const key = `${complete ? 'whole' : 'growing'} ${folder}`;
    const now = this.#parts.clock.monotonic();
    const known = this.#looks.get(key);
    if (known !== undefined && now - known.at < momentMs) return await known.done;
    const done = this.#bring(folder, complete);
    this.#looks.delete(key);
    this.#looks.set(key, { at: now, done });
    forgetOldest(this.#looks);
    await done;
  }

  /**
   * Refreshes a log repeatedly while it is followed.
   * @param isRemote whether a worker writes it now
   * @param isComplete whether it is complete
   */
  watch(
    file: string,
    { isRemote, isComplete }: { readonly isRemote: () => boolean; readonly isComplete: () => boolean },
  ): { /** Whether it is complete and fully fetched. */ isComplete(): boolean; readonly stop: Dispose } {
    if (!this.#parts.isAway) return { isComplete, stop: () => {} };
    let isHere = false;
    const look = async (): Promise<void> => {
      if (!isRemote()) return;
      const complete = isComplete();
      await this.refresh({ file, isRemote: true, complete });
      isHere ||= complete;
    };
    void look();
    const stop = this.#parts.clock.every(momentMs, () => void look());
    return { isComplete: () => (isRemote() ? isHere : isComplete()), stop };
  }

  async #bring(folder: string, complete: boolean): Promise<void> {
    try {
      await (await this.#parts.files()).mirrorLogs(folder);
      this.#hasFailed = false;
      if (!complete) return;
      this.#whole.add(folder);
      forgetOldest(this.#whole);
    } catch (thrown) {
      const message = messageOf(thrown);
      if (!this.#hasFailed) this.#parts.logger.warn('Cannot fetch logs from workers', { folder, message });
      this.#hasFailed = true;
    }
  }
}

function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size <= mostRemembered) return;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}
