import type { RunDetailView } from '../../contract/runs/run-views.ts';
import { markCached } from './shared-answers.ts';

/** Maximum number of steps in all cached views, about two kilobytes each. */
const maxSteps = 10_000;

interface CachedRun {
  readonly version: string;
  readonly view: RunDetailView;
}

/**
 * Cache of views of recently requested runs: for a run without changes, every caller gets the same object.
 * `lastEventId` is that of the time when the view was built, after which the run had no events.
 */
export class RunDetailCache {
  readonly #cached = new Map<number, CachedRun>();
  #steps = 0;

  /**
   * Returns the cached view of a run; undefined if it must be built.
   * @param key key of the run
   * @param version identifies the state of the view
   */
  find(key: number, version: string): RunDetailView | undefined {
    const cached = this.#cached.get(key);
    if (cached === undefined) return undefined;
    this.#forget(key);
    if (cached.version !== version) return undefined;
    this.#add(key, cached);
    return cached.view;
  }

  /** Caches a view, which must not be changed. Its version must be read before it is built. */
  set(key: number, version: string, view: RunDetailView): void {
    if (countNodes(view) > maxSteps) return;
    this.#forget(key);
    this.#add(key, { version, view });
    markCached(view);
    for (const oldest of this.#cached.keys()) {
      if (this.#steps <= maxSteps) return;
      this.#forget(oldest);
    }
  }

  #add(key: number, cached: CachedRun): void {
    this.#cached.set(key, cached);
    this.#steps += countNodes(cached.view);
  }

  #forget(key: number): void {
    const cached = this.#cached.get(key);
    if (cached === undefined) return;
    this.#cached.delete(key);
    this.#steps -= countNodes(cached.view);
  }
}

const countNodes = ({ steps, handlers }: RunDetailView): number => 1 + steps.length + handlers.length;
