import { markCached } from './shared-answers.ts';

/** Maximum number of cached lists: pages that are open or requested repeatedly. */
const maxLists = 8;

/** A list, and until when it is valid if its sources do not change. */
export interface LoadedList<List> {
  readonly list: List;
  /** Epoch milliseconds; absent if the validity is unknown. */
  readonly until?: number | undefined;
}

interface CachedList {
  readonly sources: readonly unknown[];
  readonly from: number;
  readonly until: number;
  readonly list: object;
}

/** Caches lists: as long as nothing has changed, every caller gets the same object. */
export class ListCache {
  readonly #cached = new Map<string, CachedList>();

  /**
   * Returns the cached list if it is still valid, else a new one, which must not be changed.
   * @param key identifies the operation and its input
   * @param sources everything that the list depends on, read before; each source must be the same value as long as it
   * has not changed
   * @param now epoch milliseconds
   */
  answer<List extends object>(
    key: string,
    sources: readonly unknown[],
    now: number,
    make: () => LoadedList<List>,
  ): List {
    const cached = this.#cached.get(key);
    this.#cached.delete(key);
    if (cached !== undefined && isFresh(cached, sources, now)) {
      this.#cached.set(key, cached);
      return cached.list as List;
    }
    const { list, until } = make();
    if (until !== undefined) this.#keep(key, { sources, from: now, until, list });
    return list;
  }

  #keep(key: string, cached: CachedList): void {
    this.#cached.set(key, cached);
    markCached(cached.list);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > maxLists && oldest !== undefined) this.#cached.delete(oldest);
  }
}

/** Also checks the start, because the clock may have been set back. */
const isFresh = ({ sources, from, until }: CachedList, now: readonly unknown[], at: number): boolean =>
  from <= at && at < until && sources.every((source, index) => source === now[index]);
