import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { Dispose } from '../../core/base/clock.ts';
import type { StepAppearance } from './step-card.tsx';

const nothing: ReadonlyMap<string, StepAppearance> = new Map();

/**
 * The changing state of one graph. Each card and line subscribes only to its own nodes, so that the cost of an
 * event depends on what has changed, not on the size of the graph.
 */
export class GraphStore {
  #appearances = nothing;
  #selected: string | undefined;
  readonly #listeners = new Map<string, Set<() => void>>();

  get appearances(): ReadonlyMap<string, StepAppearance> {
    return this.#appearances;
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  /** Updates the looks; identical objects count as unchanged. */
  show(appearances: ReadonlyMap<string, StepAppearance>): void {
    const before = this.#appearances;
    this.#appearances = appearances;
    for (const id of this.#listeners.keys()) if (before.get(id) !== appearances.get(id)) this.#notify(id);
  }

  select(id: string | undefined): void {
    const before = this.#selected;
    if (before === id) return;
    this.#selected = id;
    for (const one of [before, id]) if (one !== undefined) this.#notify(one);
  }

  /** Subscribes to some nodes until disposed. */
  subscribe(ids: readonly string[], listener: () => void): Dispose {
    for (const id of ids) {
      const known = this.#listeners.get(id);
      if (known) known.add(listener);
      else this.#listeners.set(id, new Set([listener]));
    }
    return () => {
      for (const id of ids) {
        const known = this.#listeners.get(id);
        known?.delete(listener);
        if (known?.size === 0) this.#listeners.delete(id);
      }
    };
  }

  #notify(id: string): void {
    for (const listener of [...(this.#listeners.get(id) ?? [])]) listener();
  }
}

const GraphStoreContext = createContext<GraphStore | undefined>(undefined);
export const GraphStoreProvider = GraphStoreContext.Provider;

/**
 * Returns state of one or two nodes, inside the canvas.
 * @param read returns the same value for the same state
 */
export function useNodeState<Piece>(
  read: (store: GraphStore) => Piece,
  first: string,
  second = first,
): Piece {
  const store = useContext(GraphStoreContext);
  if (!store) throw new Error('useNodeState is used outside GraphStoreProvider');
  const subscribe = useCallback(
    (listener: () => void) => store.subscribe(first === second ? [first] : [first, second], listener),
    [store, first, second],
  );
  return useSyncExternalStore(subscribe, () => read(store));
}
