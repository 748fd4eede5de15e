import { IndexedLog } from './indexed-log.ts';
import type { LogState } from './log-source.ts';

/** An LRU cache of log indexes. */
export class LogFiles {
  readonly #capacity: number;
  /** In order of last use. */
  readonly #logs = new Map<string, IndexedLog>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the index of a file in its present state; a new one when the file was replaced or truncated. */
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

  /** Evicts the oldest indexes. A log that is being read stays until then, even beyond the capacity. */
  #evict(): void {
    for (const [file, log] of this.#logs) {
      if (this.#logs.size <= this.#capacity) return;
      if (!log.busy) this.#logs.delete(file);
    }
  }
}
