import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type Dispatch,
  type RefObject,
  type SetStateAction,
} from 'react';
import type { Clock } from '../../../core/base/clock.ts';
import {
  type GraphLayout,
  computeLayout,
  type Direction,
  type Point,
  cardSize,
} from '../../graph/compute-layout.ts';
import type { GraphModel } from '../../graph/build-graph.ts';
import { quickLayout, chooseDirection } from '../../graph/quick-layout.ts';
import { systemClock } from '../../base/clock.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { CanvasGraph } from './canvas-graph.ts';
import type { CanvasStore } from './canvas-store.ts';
import type { SubWorkflowFolds } from './use-folds.ts';
import {
  readDirection,
  readLayout,
  toLayoutView,
  transferExpandedBounds,
  discardMoves,
  useExpandedBounds,
} from './layout-view.ts';
import { transferPositions, layOutNewSteps, type Positions } from './free-positions.ts';
import type { LayoutFile } from './layout-file.ts';
import type { ExpandedBounds } from './expanded-bounds.ts';

type Laid = Omit<GraphLayout, 'lane'>;

interface InitialLayoutPorts {
  readonly clock: Clock;
  /** How long the canvas may stay empty while the better layout is computed; no limit when undefined. */
  readonly timeoutMs: number | undefined;
  /** Computed in a worker, in 0.1 to 1 s. */
  readonly thorough: () => Promise<Laid>;
  /** Computed synchronously. */
  readonly quick: () => Laid;
  readonly show: (layout: Laid) => void;
  /** Whether the user has not interacted with the canvas yet. */
  readonly hasNoInteraction: () => boolean;
}

/**
 * Lays out a graph without saved positions. It uses the thorough layout, as auto-layout does. If that takes
 * long, the quick layout is shown first and replaced later, unless the user has started to work with it.
 */
export function computeInitialLayout(ports: InitialLayoutPorts): void {
  const { clock, timeoutMs, thorough, quick, show, hasNoInteraction } = ports;
  let isShown = false;
  const showQuick = (): void => {
    isShown = true;
    show(quick());
  };
  const cancel = timeoutMs === undefined ? undefined : clock.after(timeoutMs, showQuick);
  thorough().then(
    (layout) => {
      cancel?.();
      if (!isShown || hasNoInteraction()) show(layout);
    },
    () => {
      cancel?.();
      if (!isShown) showQuick();
    },
  );
}

/** Watches for a press or wheel event. The listeners are removed after the first one, or after some seconds. */
function detectInteraction(clock: Clock): () => boolean {
  const listening = new AbortController();
  const options = { capture: true, passive: true, signal: listening.signal };
  let isTouched = false;
  const end = (): void => {
    isTouched = true;
    listening.abort();
  };
  for (const event of ['pointerdown', 'wheel', 'keydown']) globalThis.addEventListener(event, end, options);
  clock.after(5000, end);
  return () => isTouched;
}

/**
 * Up to this number of steps, the thorough layout is awaited without a limit: starting the worker takes longer
 * than the layout.
 */
const maxBlockingNodes = 40;
/** Largest number of steps for the thorough layout; above, it takes from half a second to several seconds. */
const maxElkNodes = 300;

/**
 * Computes the layout that the user asked for, the best one possible within the time limit of a key press (ux
 * 3.5).
 */
export async function relayout(graph: GraphModel, direction: Direction): Promise<Omit<GraphLayout, 'lane'>> {
  // The quick layout gives every step the size of a card.
  const isThorough = graph.steps.length <= maxElkNodes || graph.steps.some(({ size }) => size !== undefined);
  if (isThorough) return computeLayout({ ...graph, handlers: [] }, direction);
  return { positions: quickLayout(graph, direction), routes: new Map() };
}

/** Corner points of lines from the layout; valid while neither end has moved. */
export type Routes = ReadonlyMap<string, readonly Point[]>;

export interface CardPositions {
  /** Undefined until the cards have their first positions. */
  readonly direction: Direction | undefined;
  readonly routes: Routes;
  /** Counts the requested layouts; the view is fitted after each. */
  readonly layouts: number;
  /** Sets positions of cards and saves them. */
  readonly move: (positions: Positions) => void;
  /** Lays out all cards. */
  readonly layOut: (direction?: Direction) => void;
  /** Saves the folded and expanded parts and the positions. */
  readonly keep: () => void;
}

interface LayoutState {
  readonly direction: Direction | undefined;
  readonly routes: Routes;
  readonly layouts: number;
  /** Whether the user asked for it. */
  readonly isAsked: boolean;
}

const noRoutes: Routes = new Map();
/** How long the canvas of a few dozen steps may stay empty for the thorough layout. */
const timeoutMs = 250;

const emptyLayout: LayoutState = { direction: undefined, routes: noRoutes, layouts: 0, isAsked: false };

interface CardPositionsOptions {
  readonly graph: CanvasGraph;
  readonly folds: SubWorkflowFolds;
  readonly file: LayoutFile;
  readonly store: CanvasStore;
  /** Size of the canvas; undefined until measured. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/**
 * Manages card positions: from the side file, otherwise from a layout. After that, new steps are placed next to
 * their neighbors and nothing else moves until a layout is requested.
 */
export function useCardPositions({ graph, folds, file, store, size }: CardPositionsOptions): CardPositions {
  const [layout, setLayout] = useState<LayoutState>(emptyLayout);
  const newest = useRef<Newest>({ graph, direction: layout.direction });
  const keep = useCallback(() => {
    const { graph: drawn, direction } = newest.current;
    file.keep(toLayoutView(drawn, store.getState(), direction));
  }, [file, store]);
  const layOut = useCallback(
    (requested?: Direction) => {
      const drawn = newest.current.graph;
      const direction = requested ?? newest.current.direction ?? 'RIGHT';
      relayout(withSizes(drawn, store.getState().rooms), direction).then(
        ({ positions, routes }) => {
          store.setState((state) => ({
            positions: new Map([...state.positions, ...positions]),
            rooms: takeAsMade(state.rooms),
          }));
          newest.current.direction = direction;
          setLayout(({ layouts }) => ({ direction, routes, layouts: layouts + 1, isAsked: true }));
        },
        (failure: unknown) => showToast('error', `Could not lay out the graph: ${String(failure)}`),
      );
    },
    [store],
  );
  const begin = useFirstLayout(store, newest, setLayout);
  useLayoutEffect(() => {
    const before = newest.current.graph;
    newest.current.graph = graph;
    if (layout.direction) positionChanges(store, { before, graph, direction: layout.direction });
  }, [graph, layout, store]);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || file.saved === undefined || !size) return;
    isBegun.current = true;
    const direction = readDirection(file.saved) ?? chooseDirection(graph, size);
    const { positions, ...savedLayout } = readLayout(file.saved);
    // If no step has a saved position, all steps are laid out.
    const isKnown = graph.steps.length === 0 || graph.steps.some(({ id }) => positions.has(id));
    if (!isKnown && graph.steps.length <= maxElkNodes) return begin(graph, direction);
    newest.current.direction = direction;
    store.setState({
      ...savedLayout,
      positions: isKnown
        ? layOutNewSteps(graph, positions, direction, savedLayout.rooms)
        : quickLayout(graph, direction),
    });
    // The positions must be in the store before the first paint.
    // oxlint-disable-next-line react/set-state-in-effect -- the side file has just been loaded
    setLayout({ direction, routes: noRoutes, layouts: 1, isAsked: false });
  }, [file, graph, begin, size, store]);
  const move = useMove(store, keep);
  useEffect(() => {
    // A requested layout is saved like manual positions; the initial layout is recomputed next time.
    if (layout.isAsked) keep();
  }, [layout, keep]);
  useExpandedBounds(store, { graph, folds, direction: layout.direction }, keep);
  return { ...layout, move, layOut, keep };
}

interface Newest {
  graph: CanvasGraph;
  direction: Direction | undefined;
}

/** Lays out a graph that has no saved positions. */
function useFirstLayout(
  store: CanvasStore,
  newest: RefObject<Newest>,
  setLayout: Dispatch<SetStateAction<LayoutState>>,
) {
  return useCallback(
    (first: CanvasGraph, direction: Direction) => {
      const isTouched = detectInteraction(systemClock);
      let shown: Positions | undefined;
      computeInitialLayout({
        clock: systemClock,
        timeoutMs: first.steps.length <= maxBlockingNodes ? undefined : timeoutMs,
        thorough: () => relayout(withSizes(first, new Map()), direction),
        quick: () => ({ positions: quickLayout(first, direction), routes: noRoutes }),
        hasNoInteraction: () => !isTouched() && store.getState().positions === shown,
        show({ positions, routes }) {
          shown = layOutNewSteps(newest.current.graph, positions, direction);
          newest.current.direction = direction;
          store.setState({ positions: shown });
          setLayout(({ layouts }) => ({ direction, routes, layouts: layouts + 1, isAsked: false }));
        },
      });
    },
    [store, newest, setLayout],
  );
}

function useMove(store: CanvasStore, keep: () => void): CardPositions['move'] {
  return useCallback(
    (moved) => {
      store.setState(({ positions, rooms }) => ({
        positions: new Map([...positions, ...moved]),
        rooms: discardMoves(rooms, moved.keys()),
      }));
      keep();
    },
    [keep, store],
  );
}

/** Adds the sizes of nodes larger than a card, for the layout. */
const withSizes = (graph: CanvasGraph, rooms: ExpandedBounds): GraphModel => ({
  ...graph,
  steps: graph.steps.map((node) => {
    const room = rooms.get(node.id);
    return room ? { ...node, size: { width: room.width, height: room.height } } : node;
  }),
  handlers: [],
});

/** After a layout, everything beyond a room has already moved by the room's extra size. */
const takeAsMade = (rooms: ExpandedBounds): ExpandedBounds =>
  new Map(
    Array.from(rooms, ([id, room]) => [
      id,
      {
        ...room,
        right: Math.max(0, room.width - cardSize.width),
        down: Math.max(0, room.height - cardSize.height),
      },
    ]),
  );

interface Change {
  readonly before: CanvasGraph;
  readonly graph: CanvasGraph;
  readonly direction: Direction;
}

function positionChanges(store: CanvasStore, { before, graph, direction }: Change): void {
  const { positions, rooms } = store.getState();
  const carried = transferPositions(before, graph, positions);
  const next = layOutNewSteps(graph, carried, direction, rooms);
  if (next === positions) return;
  if (carried === positions) store.setState({ positions: next });
  else store.setState((state) => ({ ...transferExpandedBounds(before, graph, state), positions: next }));
}
