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
import { systemClock } from '../../../app/clock.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { chooseDirection } from '../../../graph/layout/choose-direction.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import { cardSize, type Direction } from '../../../graph/layout/layout-input.ts';
import type { GraphModel } from '../../../graph/build-graph.ts';
import { layOutQuickly } from '../../../graph/layout/quick-layout.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import type { CanvasStore } from '../state/canvas-store.ts';
import type { Folds } from '../sub-workflow/use-folds.ts';
import { readDirection, readLayout, toLayoutView } from './layout-view.ts';
import { layOutFirst, watchForTouch } from './first-layout.ts';
import { layOutAnew, mostThorough, mostWaitedFor } from './lay-out-anew.ts';
import { carryPlaces, placeMissing, type Places } from './place-steps.ts';
import type { LayoutFile } from './use-layout-file.ts';
import type { Rooms } from './rooms.ts';
import { carryRooms, forgetMoves, useRooms } from './use-rooms.ts';

/** Corners of lines as the layout has drawn them; they hold as long as both ends stand where they did. */
export type Routes = ReadonlyMap<string, readonly Point[]>;

export interface CanvasPlaces {
  /** Undefined until the cards have their first places. */
  readonly direction: Direction | undefined;
  readonly routes: Routes;
  /** Counts the layouts that were asked for, each of which is to be seen whole. */
  readonly layouts: number;
  /** Gives cards places and keeps them. */
  readonly move: (places: Places) => void;
  /** Lays everything out anew. */
  readonly layOut: (direction?: Direction) => void;
  /** Keeps what is folded, open and placed as it is now. */
  readonly keep: () => void;
}

interface Laid {
  readonly direction: Direction | undefined;
  readonly routes: Routes;
  readonly layouts: number;
  /** Whether somebody wanted it. */
  readonly isAsked: boolean;
}

const noRoutes: Routes = new Map();
/** How long the canvas of some dozens of steps stays empty for a good layout. */
const patienceMs = 250;

const nothingLaid: Laid = { direction: undefined, routes: noRoutes, layouts: 0, isAsked: false };

interface PlacesParts {
  readonly graph: CanvasGraph;
  readonly folds: Folds;
  readonly file: LayoutFile;
  readonly store: CanvasStore;
  /** Of the canvas; undefined until it is known. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/**
 * Places of the cards: those of the side file, else a layout; from then on new steps are put beside their neighbours
 * and nothing else is moved, until a layout is asked for.
 */
export function usePlaces({ graph, folds, file, store, size }: PlacesParts): CanvasPlaces {
  const [laid, setLaid] = useState<Laid>(nothingLaid);
  const newest = useRef<Newest>({ graph, direction: laid.direction });
  const keep = useCallback(() => {
    const { graph: drawn, direction } = newest.current;
    file.keep(toLayoutView(drawn, store.getState(), direction));
  }, [file, store]);
  const layOut = useCallback(
    (wanted?: Direction) => {
      const drawn = newest.current.graph;
      const direction = wanted ?? newest.current.direction ?? 'RIGHT';
      layOutAnew(withSizes(drawn, store.getState().rooms), direction).then(
        ({ places, routes }) => {
          store.setState((state) => ({
            places: new Map([...state.places, ...places]),
            rooms: takeAsMade(state.rooms),
          }));
          newest.current.direction = direction;
          setLaid(({ layouts }) => ({ direction, routes, layouts: layouts + 1, isAsked: true }));
        },
        (failure: unknown) => showToast('error', `Could not lay out the graph: ${String(failure)}`),
      );
    },
    [store],
  );
  const begin = useFirstLayout(store, newest, setLaid);
  useLayoutEffect(() => {
    const before = newest.current.graph;
    newest.current.graph = graph;
    if (laid.direction) placeChanges(store, { before, graph, direction: laid.direction });
  }, [graph, laid, store]);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || file.saved === undefined || !size) return;
    isBegun.current = true;
    const direction = readDirection(file.saved) ?? chooseDirection(graph, size);
    const { places, ...kept } = readLayout(file.saved);
    // Where nothing is known of any step, all of them are laid out.
    const isKnown = graph.steps.length === 0 || graph.steps.some(({ id }) => places.has(id));
    if (!isKnown && graph.steps.length <= mostThorough) return begin(graph, direction);
    newest.current.direction = direction;
    store.setState({
      ...kept,
      places: isKnown ? placeMissing(graph, places, direction, kept.rooms) : layOutQuickly(graph, direction),
    });
    // The places are in the store before anything is drawn.
    // oxlint-disable-next-line react/set-state-in-effect -- what the side file holds is known only now
    setLaid({ direction, routes: noRoutes, layouts: 1, isAsked: false });
  }, [file, graph, begin, size, store]);
  const move = useMove(store, keep);
  useEffect(() => {
    // A layout that was asked for is kept like places by hand; the first one is made again.
    if (laid.isAsked) keep();
  }, [laid, keep]);
  useRooms(store, { graph, folds, direction: laid.direction }, keep);
  return { ...laid, move, layOut, keep };
}

interface Newest {
  graph: CanvasGraph;
  direction: Direction | undefined;
}

/** Lays a graph out that nobody has arranged yet. */
function useFirstLayout(
  store: CanvasStore,
  newest: RefObject<Newest>,
  setLaid: Dispatch<SetStateAction<Laid>>,
) {
  return useCallback(
    (first: CanvasGraph, direction: Direction) => {
      const isTouched = watchForTouch(systemClock);
      let shown: Places | undefined;
      layOutFirst({
        clock: systemClock,
        patienceMs: first.steps.length <= mostWaitedFor ? undefined : patienceMs,
        thorough: () => layOutAnew(withSizes(first, new Map()), direction),
        quick: () => ({ places: layOutQuickly(first, direction), routes: noRoutes }),
        isUntouched: () => !isTouched() && store.getState().places === shown,
        show({ places, routes }) {
          shown = placeMissing(newest.current.graph, places, direction);
          newest.current.direction = direction;
          store.setState({ places: shown });
          setLaid(({ layouts }) => ({ direction, routes, layouts: layouts + 1, isAsked: false }));
        },
      });
    },
    [store, newest, setLaid],
  );
}

function useMove(store: CanvasStore, keep: () => void): CanvasPlaces['move'] {
  return useCallback(
    (moved) => {
      store.setState(({ places, rooms }) => ({
        places: new Map([...places, ...moved]),
        rooms: forgetMoves(rooms, moved.keys()),
      }));
      keep();
    },
    [keep, store],
  );
}

/** Nodes that are larger than a card, for the layout. */
const withSizes = (graph: CanvasGraph, rooms: Rooms): GraphModel => ({
  ...graph,
  steps: graph.steps.map((node) => {
    const room = rooms.get(node.id);
    return room ? { ...node, size: { width: room.width, height: room.height } } : node;
  }),
  handlers: [],
});

/** After a layout all has been moved that is beyond a room, as far as this is larger than a card. */
const takeAsMade = (rooms: Rooms): Rooms =>
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

function placeChanges(store: CanvasStore, { before, graph, direction }: Change): void {
  const { places, rooms } = store.getState();
  const carried = carryPlaces(before, graph, places);
  const next = placeMissing(graph, carried, direction, rooms);
  if (next === places) return;
  if (carried === places) store.setState({ places: next });
  else store.setState((state) => ({ ...carryRooms(before, graph, state), places: next }));
}
