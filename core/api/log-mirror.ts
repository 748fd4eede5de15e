import { LruCache } from '../base/lru-cache.ts';
import path from 'node:path';
import type { Clock, Dispose } from '../base/clock.ts';
import { getErrorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { TaskFiles } from '../run/remote/task-files.ts';

/** A log that a client reads. */
export interface LogRefreshRequest {
  /** Absolute path, in the folder of its attempt or item. */
  readonly file: string;
  /** Whether a worker writes or has written it. */
  readonly isRemote: boolean;
  /** Whether it is complete. */
  readonly complete: boolean;
}

/** Maximum age of a growing log in milliseconds; each refresh lists the bucket. */
const refreshIntervalMs = 500;
/** Maximum number of folders that are remembered as complete. */
const maxRemembered = 10_000;

/** Fetches logs of workers from the bucket while clients read them; they are then read like local logs. */
export class LogMirror {
  readonly #clock: Pick<Clock, 'every' | 'monotonic'>;
  readonly #logger: Logger;
  readonly #files: () => Promise<Pick<TaskFiles, 'mirrorLogs'>>;
  /** Whether logs of workers are stored in a bucket and not in the run directories. */
  readonly #isAway: boolean;
  /** By folder: time of the last refresh or the one in progress. */
  readonly #refreshes = new LruCache<string, { readonly at: number; readonly done: Promise<void> }>(
    maxRemembered,
  );
  readonly #completeFolders = new LruCache<string, true>(maxRemembered);
  #hasFailed = false;

  constructor(
    clock: Pick<Clock, 'every' | 'monotonic'>,
    logger: Logger,
    files: () => Promise<Pick<TaskFiles, 'mirrorLogs'>>,
    isAway: boolean,
  ) {
    this.#clock = clock;
    this.#logger = logger;
    this.#files = files;
    this.#isAway = isAway;
  }

  /** Resolves when the log is recently refreshed. Never rejects: the local part can be read in any case. */
  async refresh({ file, isRemote, complete }: LogRefreshRequest): Promise<void> {
    const folder = path.dirname(file);
    if (!isRemote || !this.#isAway || this.#completeFolders.get(folder)) return;
    // A copy of a growing log may lack its end.
    const key = `${complete ? 'whole' : 'growing'} ${folder}`;
    const now = this.#clock.monotonic();
    const known = this.#refreshes.get(key);
    if (known !== undefined && now - known.at < refreshIntervalMs) return await known.done;
    const done = this.#fetchLogs(folder, complete);
    this.#refreshes.set(key, { at: now, done });
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
    if (!this.#isAway) return { isComplete, stop: () => {} };
    let isFetched = false;
    const refreshIfRemote = async (): Promise<void> => {
      if (!isRemote()) return;
      const complete = isComplete();
      await this.refresh({ file, isRemote: true, complete });
      isFetched ||= complete;
    };
    void refreshIfRemote();
    const stop = this.#clock.every(refreshIntervalMs, () => void refreshIfRemote());
    return { isComplete: () => (isRemote() ? isFetched : isComplete()), stop };
  }

  async #fetchLogs(folder: string, complete: boolean): Promise<void> {
    try {
      await (await this.#files()).mirrorLogs(folder);
      this.#hasFailed = false;
      if (!complete) return;
      this.#completeFolders.set(folder, true);
    } catch (error) {
      const message = getErrorMessage(error);
      if (!this.#hasFailed) this.#logger.warn('Cannot fetch logs from workers', { folder, message });
      this.#hasFailed = true;
    }
  }
}
