import { IndexedLog } from './indexed-log.ts';
import type { LogState } from './log-source.ts';

/** The indexes of the logs read last, at most so many of them. */
export class LogFiles {
  readonly #capacity: number;
  /** In the order of last use. */
  readonly #logs = new Map<string, IndexedLog>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The index of a file in its present state; begun anew when the file was replaced or cut short. */
  get(file: string, state: LogState): IndexedLog {
    const known = this.#logs.get(file);
    this.#logs.delete(file);
    const current = known && known.identity === state.identity && known.index.size <= state.size;
    if (!current) known?.stop();
    const log = current ? known : new IndexedLog(file, state.identity);
    this.#logs.set(file, log);
    this.#evict();
    return log;
  }

  get size(): number {
    return this.#logs.size;
  }

  clear(): void {
    for (const log of this.#logs.values()) log.stop();
    this.#logs.clear();
  }

  /** A log that is being read is somebody's; it may stay beyond the capacity until that is done. */
  #evict(): void {
    for (const [file, log] of this.#logs) {
      if (this.#logs.size <= this.#capacity) return;
      if (!log.busy) this.#logs.delete(file);
    }
  }
}
