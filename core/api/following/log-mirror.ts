import path from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { TaskFiles } from '../../distributed/files-port.ts';

/** A log that somebody looks at. */
export interface LookedAt {
  /** Absolute; in the folder of its attempt, or of its item. */
  readonly file: string;
  /** Whether a worker writes it, or has. */
  readonly isRemote: boolean;
  /** Whether nothing more is written to it. */
  readonly complete: boolean;
}

export interface LogMirrorParts {
  readonly clock: Pick<Clock, 'every' | 'monotonic'>;
  readonly logger: Logger;
  files(): Promise<Pick<TaskFiles, 'mirrorLogs'>>;
  /** Whether logs of workers are in a bucket, and not in the folders of the runs. */
  readonly isAway: boolean;
}

/** How old what is shown of a log that grows may be, milliseconds: each look asks the bucket for a list. */
const momentMs = 500;
/** Folders of which is remembered that they have all there will be. */
const mostRemembered = 10_000;

/** Brings logs of workers from the bucket while somebody looks at them; they are read as all others then. */
export class LogMirror {
  readonly #parts: LogMirrorParts;
  /** By folder: when it was brought last, or is being brought. */
  readonly #looks = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  readonly #whole = new Set<string>();
  #hasFailed = false;

  constructor(parts: LogMirrorParts) {
    this.#parts = parts;
  }

  /** Resolves when what there was a moment ago is here. Never rejects: what is here can be read all the same. */
  async refresh({ file, isRemote, complete }: LookedAt): Promise<void> {
    const folder = path.dirname(file);
    if (!isRemote || !this.#parts.isAway || this.#whole.has(folder)) return;
    // What was seen while it grew may not be the end of it.
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
   * Brings a log on and on while it is followed.
   * @param isRemote whether a worker has it by now
   * @param isComplete whether nothing more is written to it
   */
  watch(
    file: string,
    { isRemote, isComplete }: { readonly isRemote: () => boolean; readonly isComplete: () => boolean },
  ): { /** Whether that is so, and all of it is here. */ isComplete(): boolean; readonly stop: Dispose } {
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
