import type { RunDetailView } from '../../contract/runs/run-views.ts';
import { markCached } from './shared-answers.ts';

/** Maximum number of steps in all cached views, about two kilobytes each. */
const maxSteps = 10_000;

interface CachedRun {
  readonly mark: string;
  readonly view: RunDetailView;
}

/**
 * Cache of views of recently requested runs: for a run without changes, every caller gets the same object.
 * `lastEventId` is that of the time when the view was built, after which the run had no events.
 */
export class RunDetailCache {
  readonly #kept = new Map<number, CachedRun>();
  #steps = 0;

  /**
   * Returns the cached view of a run; undefined if it must be built.
   * @param key key of the run
   * @param version identifies the state of the view
   */
  find(key: number, mark: string): RunDetailView | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#forget(key);
    if (kept.mark !== mark) return undefined;
    this.#add(key, kept);
    return kept.view;
  }

  /** Caches a view, which must not be changed. Its version must be read before it is built. */
  keep(key: number, mark: string, view: RunDetailView): void {
    if (weigh(view) > maxSteps) return;
    this.#forget(key);
    this.#add(key, { mark, view });
    markCached(view);
    for (const oldest of this.#kept.keys()) {
      if (this.#steps <= maxSteps) return;
      this.#forget(oldest);
    }
  }

  #add(key: number, kept: CachedRun): void {
    this.#kept.set(key, kept);
    this.#steps += weigh(kept.view);
  }

  #forget(key: number): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#steps -= weigh(kept.view);
  }
}

const weigh = ({ steps, handlers }: RunDetailView): number => 1 + steps.length + handlers.length;
