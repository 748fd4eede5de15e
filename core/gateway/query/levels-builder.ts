import type { Condition, Level, OrderTerm } from './query.ts';

interface Draft {
  readonly path: readonly string[];
  readonly conditions: Condition[];
  order: readonly OrderTerm[];
  limit?: number;
  offset?: number;
}

/** Collects what the parameters of a request say of each level of the tree of embedded resources. */
export class LevelsBuilder {
  readonly #root: Draft = { path: [], conditions: [], order: [] };
  readonly #embedded = new Map<string, Draft>();

  addCondition(path: readonly string[], condition: Condition): void {
    this.#at(path).conditions.push(condition);
  }

  /** The first order of a level counts. */
  addOrder(path: readonly string[], terms: readonly OrderTerm[]): void {
    const level = this.#at(path);
    if (level.order.length === 0) level.order = terms;
  }

  /** The last limit of a level counts. */
  setLimit(path: readonly string[], limit: number | undefined): void {
    if (limit !== undefined) this.#at(path).limit = limit;
  }

  /** The last offset of a level counts. */
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
