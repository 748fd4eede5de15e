import { createContext, useContext } from 'react';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { StepLook } from './step-look.ts';

interface GraphState {
  readonly looks: ReadonlyMap<string, StepLook>;
  readonly selected: string | undefined;
}

/** The changing part of one graph. Each card and each line listens to its own piece of it only. */
export type GraphStore = StoreApi<GraphState>;

export const createGraphStore = (): GraphStore =>
  createStore(() => ({ looks: new Map(), selected: undefined }));

const GraphStoreContext = createContext<GraphStore | undefined>(undefined);
export const GraphStoreProvider = GraphStoreContext.Provider;

/** A piece of the graph's state, inside the canvas. */
export function useGraphState<Piece>(select: (state: GraphState) => Piece): Piece {
  const store = useContext(GraphStoreContext);
  if (!store) throw new Error('useGraphState is used outside GraphStoreProvider');
  return useStore(store, select);
}
