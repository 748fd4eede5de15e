import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';

const dayMs = 86_400_000;

/** Files of reclaimed tasks. They exist nowhere else, so they are retained for a while. */
export class OrphanedWorkDirs {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #keepMs: number;

  /** @param keepDays 0 deletes them immediately */
  constructor(folder: string, clock: Clock, keepDays: number) {
    this.#folder = folder;
    this.#clock = clock;
    this.#keepMs = keepDays * dayMs;
  }

  /**
   * Retains a task directory. Never rejects: if it cannot be moved, the next cleanup of the worker's directory deletes
   * it.
   */
  async keep(taskFolder: string): Promise<void> {
    try {
      if (this.#keepMs === 0) return await rm(taskFolder, { recursive: true, force: true });
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const target = path.join(this.#folder, path.basename(taskFolder));
      await rename(taskFolder, target);
      const now = this.#clock.now() / 1000;
      await utimes(target, now, now);
    } catch {
      // The directory does not exist, because the task did not start; or the disk is full or read-only, which is
      // reported elsewhere.
    }
  }

  /** Deletes expired files. Never rejects. */
  async prune(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const folder = path.join(this.#folder, name);
      const known = await stat(folder).catch(() => undefined);
      if (known !== undefined && this.#clock.now() - known.mtimeMs > this.#keepMs)
        await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  }
}
