import type { Condition, Level, OrderTerm } from './query.ts';

interface Draft {
  readonly path: readonly string[];
  readonly conditions: Condition[];
  order: readonly OrderTerm[];
  limit?: number;
  offset?: number;
}

/** Collects the request parameters of each level of embedded resources. */
export class LevelsBuilder {
  readonly #root: Draft = { path: [], conditions: [], order: [] };
  readonly #embedded = new Map<string, Draft>();

  addCondition(path: readonly string[], condition: Condition): void {
    this.#at(path).conditions.push(condition);
  }

  /** Adds an order. The first order of a level wins. */
  addOrder(path: readonly string[], terms: readonly OrderTerm[]): void {
    const level = this.#at(path);
    if (level.order.length === 0) level.order = terms;
  }

  /** Sets the limit. The last limit of a level wins. */
  setLimit(path: readonly string[], limit: number | undefined): void {
    if (limit !== undefined) this.#at(path).limit = limit;
  }

  /** Sets the offset. The last offset of a level wins. */
  setOffset(path: readonly string[], offset: number): void {
    this.#at(path).offset = offset;
  }

  build(): { readonly root: Level; readonly embedded: readonly Level[] } {
    return { root: this.#root, embedded: [...this.#embedded.values()] };
  }

  #at(path: readonly string[]): Draft {
    if (path.length === 0) return this.#root;
    const key = JSON.stringify(path);
    const known = this.#embedded.get(key);
    if (known !== undefined) return known;
    const level: Draft = { path, conditions: [], order: [] };
    this.#embedded.set(key, level);
    return level;
  }
}
