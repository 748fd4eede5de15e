import { createContext, useContext } from 'react';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { NodeRef, Refusal } from '../../../../core/edit/edit-result.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import type { Places } from '../places/place-steps.ts';
import type { Rooms } from '../places/rooms.ts';

/** Two steps of which the second waits for the first. */
export interface EdgeRef {
  readonly source: NodeRef;
  readonly target: NodeRef;
}

/** Where a step that is chosen from the picker goes. */
export interface PickerTarget {
  /** Pixels of the window. */
  readonly at: Point;
  /** The step it comes behind. */
  readonly after?: NodeRef;
  /** The step it comes before. */
  readonly before?: NodeRef;
  readonly edge?: EdgeRef;
  /** Where its card is to stand, on the canvas. */
  readonly place?: Point;
  /** The turn of a run that it is to be the handler of. */
  readonly handler?: string;
}

/** What is open above the canvas. */
export type CanvasOverlay =
  | { readonly kind: 'picker'; readonly target: PickerTarget }
  | { readonly kind: 'connect'; readonly from: NodeRef; readonly at: Point }
  | { readonly kind: 'menu'; readonly subject: MenuSubject; readonly at: Point }
  | { readonly kind: 'keys' };

export type MenuSubject =
  | { readonly kind: 'node'; readonly ref: NodeRef }
  | { readonly kind: 'edge'; readonly edge: EdgeRef }
  | { readonly kind: 'pane'; readonly place: Point };

interface CanvasState {
  readonly places: Places;
  /** Ids of the selected nodes. */
  readonly selected: ReadonlySet<string>;
  /** The node that Tab comes to. */
  readonly current: string | undefined;
  readonly selectedEdge: string | undefined;
  /** The line under the pointer, or the one that a dragged step would be put on. */
  readonly hotEdge: string | undefined;
  /** While a line is being drawn: which end it was begun at, and which nodes cannot be its other end. */
  readonly drawing: { readonly end: 'source' | 'target'; readonly refused: ReadonlySet<string> } | undefined;
  /** Nodes to be seen clearly while the others are dimmed; all when undefined. */
  readonly lit: ReadonlySet<string> | undefined;
  /** Parallel groups that are drawn as one card, by the names of their first steps. */
  readonly folded: ReadonlySet<string>;
  /** Steps whose sub-workflow is drawn in place, by their paths (sub-workflow/resolve-folds.ts). */
  readonly open: ReadonlySet<string>;
  /** What those of the drawn workflow take. */
  readonly rooms: Rooms;
  readonly renaming: string | undefined;
  /** Why something was not done, and what may be done instead. */
  readonly notice: Refusal | undefined;
  readonly isSearching: boolean;
  /** The user has moved the view, or edited: only a layout shows everything by itself from now on. */
  readonly isViewChosen: boolean;
  /** The selected cards wait for a click on the place that they are to stand at. */
  readonly isPlacing: boolean;
  /** What was done to the view last, for screen readers. */
  readonly said: string;
  readonly overlay: CanvasOverlay | undefined;
}

export type CanvasStore = StoreApi<CanvasState>;

export const createCanvasStore = (): CanvasStore =>
  createStore(() => ({
    places: new Map<string, Point>(),
    selected: new Set<string>(),
    current: undefined,
    selectedEdge: undefined,
    hotEdge: undefined,
    drawing: undefined,
    isViewChosen: false,
    lit: undefined,
    folded: new Set<string>(),
    open: new Set<string>(),
    rooms: new Map(),
    renaming: undefined,
    notice: undefined,
    isSearching: false,
    isPlacing: false,
    said: '',
    overlay: undefined,
  }));

const StoreContext = createContext<CanvasStore | undefined>(undefined);
export const CanvasStoreProvider = StoreContext.Provider;

/** The changing part of the canvas, for what is drawn on it. */
export function useCanvasStore(): CanvasStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error('useCanvasStore is used outside CanvasStoreProvider');
  return store;
}

/** A piece of it; rendered again only when that piece is another. */
export const useCanvasState = <Piece>(select: (state: CanvasState) => Piece): Piece =>
  useStore(useCanvasStore(), select);
