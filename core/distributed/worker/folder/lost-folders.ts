import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';

const dayMs = 86_400_000;

/** Files of tasks that were taken away from this worker: nobody else has them, so they are kept for a while. */
export class LostFolders {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #keepMs: number;

  /** @param keepDays 0: they go at once */
  constructor(folder: string, clock: Clock, keepDays: number) {
    this.#folder = folder;
    this.#clock = clock;
    this.#keepMs = keepDays * dayMs;
  }

  /** Keeps the folder of a task. Never rejects: what cannot be moved goes with the next prune of the worker's folder. */
  async keep(taskFolder: string): Promise<void> {
    try {
      if (this.#keepMs === 0) return await rm(taskFolder, { recursive: true, force: true });
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const target = path.join(this.#folder, path.basename(taskFolder));
      await rename(taskFolder, target);
      const now = this.#clock.now() / 1000;
      await utimes(target, now, now);
    } catch {
      // It has none, since nothing of it was begun; or the disk is full or read-only, which others tell of.
    }
  }

  /** Removes what is older than it need be. Never rejects. */
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
