import { createContext, useContext, useCallback, useLayoutEffect, useMemo, type RefObject } from 'react';
import type { ReactFlowInstance } from 'reactflow';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { NodeRef, EditRejection } from '../../../core/edit/text-change.ts';
import type { Point } from '../../graph/compute-layout.ts';
import { nodeId } from '../../graph/build-graph.ts';
import type { EditorCommands } from '../run/editor-commands.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import type { CardPositions } from './card-positions.ts';
import type { Positions } from './free-positions.ts';
import type { ExpandedBounds } from './expanded-bounds.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import type { SubWorkflowFolds } from './use-folds.ts';

/** Two steps of which the second depends on the first. */
export interface EdgeRef {
  readonly source: NodeRef;
  readonly target: NodeRef;
}

/** Where a step chosen from the picker is inserted. */
export interface PickerTarget {
  /** Position in window pixels. */
  readonly at: Point;
  /** The step to insert it after. */
  readonly after?: NodeRef;
  /** The step to insert it before. */
  readonly before?: NodeRef;
  readonly edge?: EdgeRef;
  /** Position of its card on the canvas. */
  readonly position?: Point;
  /** The event whose handler it becomes. */
  readonly handler?: string;
}

/** The overlay above the canvas. */
export type CanvasOverlay =
  | { readonly kind: 'picker'; readonly target: PickerTarget }
  | { readonly kind: 'connect'; readonly from: NodeRef; readonly at: Point }
  | { readonly kind: 'menu'; readonly subject: MenuTarget; readonly at: Point }
  | { readonly kind: 'keys' };

export type MenuTarget =
  | { readonly kind: 'node'; readonly ref: NodeRef }
  | { readonly kind: 'edge'; readonly edge: EdgeRef }
  | { readonly kind: 'pane'; readonly position: Point };

interface CanvasState {
  readonly positions: Positions;
  /** Ids of the selected nodes. */
  readonly selected: ReadonlySet<string>;
  /** The node in the tab order. */
  readonly current: string | undefined;
  readonly selectedEdge: string | undefined;
  /** The line under the pointer, or the line that a dragged step would be dropped on. */
  readonly hotEdge: string | undefined;
  /** Position of the card that a dragged new step would get; undefined outside the empty canvas. */
  readonly dropPosition: Point | undefined;
  /** The step that was added last, whose connections are highlighted as they appear. */
  readonly added: string | undefined;
  /** Set while a connection is drawn: the end where it started, and the nodes that cannot be its other end. */
  readonly drawing:
    | { readonly end: 'source' | 'target'; readonly invalidTargets: ReadonlySet<string> }
    | undefined;
  /** Nodes that are not dimmed; undefined when no node is dimmed. */
  readonly highlighted: ReadonlySet<string> | undefined;
  /** Parallel groups drawn as one card, by the name of their first step. */
  readonly folded: ReadonlySet<string>;
  /** Steps with their sub-workflow drawn in place, by path (resolve-folds.ts). */
  readonly open: ReadonlySet<string>;
  /** Sizes of the expanded sub-workflows of the drawn workflow. */
  readonly rooms: ExpandedBounds;
  readonly renaming: string | undefined;
  /** Why an edit was not made, and an alternative. */
  readonly notice: EditRejection | undefined;
  readonly isSearching: boolean;
  /** The user has moved the view or edited; after that only a layout fits the view. */
  readonly isViewChosen: boolean;
  /** The selected cards move to the next click position. */
  readonly isMoving: boolean;
  /** The last announcement for screen readers. */
  readonly said: string;
  readonly overlay: CanvasOverlay | undefined;
}

export type CanvasStore = StoreApi<CanvasState>;

export const createCanvasStore = (): CanvasStore =>
  createStore(() => ({
    positions: new Map<string, Point>(),
    selected: new Set<string>(),
    current: undefined,
    selectedEdge: undefined,
    hotEdge: undefined,
    dropPosition: undefined,
    added: undefined,
    drawing: undefined,
    isViewChosen: false,
    highlighted: undefined,
    folded: new Set<string>(),
    open: new Set<string>(),
    rooms: new Map(),
    renaming: undefined,
    notice: undefined,
    isSearching: false,
    isMoving: false,
    said: '',
    overlay: undefined,
  }));

const StoreContext = createContext<CanvasStore | undefined>(undefined);
export const CanvasStoreProvider = StoreContext.Provider;

/** Returns the store of the canvas from context. */
export function useCanvasStore(): CanvasStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error('useCanvasStore is used outside CanvasStoreProvider');
  return store;
}

/** Selects a part of the canvas state; rerenders only when that part changes. */
export const useCanvasState = <Piece>(select: (state: CanvasState) => Piece): Piece =>
  useStore(useCanvasStore(), select);

export interface CanvasSelection {
  readonly refs: readonly NodeRef[];
  readonly ids: ReadonlySet<string>;
  readonly select: (refs: readonly NodeRef[]) => void;
}

/** The selected nodes of the drawn workflow, from the session's selection that all views share. */
export function useCanvasSelection(graph: CanvasGraph): CanvasSelection {
  const session = useEditorSession();
  const store = useCanvasStore();
  const refs = useSessionView((view) => view.selection);
  const ids = useMemo(() => new Set(refs.map(({ section, name }) => nodeId(section, name))), [refs]);
  const select = useCallback((nodes: readonly NodeRef[]) => session.select(nodes, 'canvas'), [session]);
  const first = graph.steps[0]?.id ?? graph.handlers[0]?.id;
  useLayoutEffect(() => {
    const { current } = store.getState();
    const last = refs.at(-1);
    const chosen = last && nodeId(last.section, last.name);
    const isThere = current !== undefined && graph.byId.has(current);
    store.setState({
      selected: ids,
      current:
        chosen !== undefined && graph.byId.has(chosen) && !ids.has(current ?? '')
          ? chosen
          : isThere
            ? current
            : first,
    });
  }, [store, ids, refs, graph, first]);
  return { refs, ids, select };
}

/** Current dependencies of the canvas actions. */
export interface CanvasPorts {
  readonly store: CanvasStore;
  readonly session: EditorSession;
  /** Document index of the drawn workflow; undefined for the main one. */
  readonly document: number | undefined;
  readonly graph: CanvasGraph;
  readonly positions: CardPositions;
  /** How steps that run sub-workflows are drawn. */
  readonly folds: SubWorkflowFolds;
  readonly flow: ReactFlowInstance;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly page: EditorCommands;
  readonly selection: readonly NodeRef[];
  readonly select: (refs: readonly NodeRef[]) => void;
}

export type GetCanvasPorts = () => CanvasPorts;

/** Holds the latest ports for actions that are created once. */
export function createPortsRef(first: CanvasPorts) {
  let newest = first;
  return {
    read: (): CanvasPorts => newest,
    take(ports: CanvasPorts): void {
      newest = ports;
    },
  };
}
