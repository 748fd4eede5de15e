import { markShared } from './shared-answers.ts';

/** How many lists are kept: of the pages that people have open, and programs ask for again and again. */
const mostLists = 8;

/** A list, and until when it holds if nothing that it was made of changes. */
export interface MadeList<List> {
  readonly list: List;
  /** Epoch milliseconds; absent when it depends on more than can be told. */
  readonly until?: number | undefined;
}

interface KeptList {
  readonly sources: readonly unknown[];
  readonly from: number;
  readonly until: number;
  readonly list: object;
}

/** Lists as they were last made: as long as nothing has changed, everybody who asks for the same is given the same one. */
export class KeptLists {
  readonly #kept = new Map<string, KeptList>();

  /**
   * The list that was made before, if it still holds, else a new one, which nobody may change then.
   * @param key names the operation with its input
   * @param sources all that it is made of, asked before: each the same value as long as it has not changed
   * @param now epoch milliseconds
   */
  answer<List extends object>(
    key: string,
    sources: readonly unknown[],
    now: number,
    make: () => MadeList<List>,
  ): List {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept !== undefined && holds(kept, sources, now)) {
      this.#kept.set(key, kept);
      return kept.list as List;
    }
    const { list, until } = make();
    if (until !== undefined) this.#keep(key, { sources, from: now, until, list });
    return list;
  }

  #keep(key: string, kept: KeptList): void {
    this.#kept.set(key, kept);
    markShared(kept.list);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostLists && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Time may have been set back. */
const holds = ({ sources, from, until }: KeptList, now: readonly unknown[], at: number): boolean =>
  from <= at && at < until && sources.every((source, index) => source === now[index]);
