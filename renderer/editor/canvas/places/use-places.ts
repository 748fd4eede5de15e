import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { chooseDirection } from '../../../graph/layout/choose-direction.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import { layOutQuickly } from '../../../graph/layout/quick-layout.ts';
import { nodeId } from '../../../graph/build-graph.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import type { CanvasStore } from '../state/canvas-store.ts';
import { layOutAnew, mostWaitedFor } from './lay-out-anew.ts';
import { carryPlaces, placeMissing, type Places } from './place-steps.ts';
import type { LayoutFile } from './use-layout-file.ts';

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
}

interface Laid {
  readonly direction: Direction | undefined;
  readonly routes: Routes;
  readonly layouts: number;
}

const noRoutes: Routes = new Map();

/**
 * Places of the cards: those of the side file, else a layout; from then on new steps are put beside their neighbours
 * and nothing else is moved, until a layout is asked for.
 */
export function usePlaces(
  graph: CanvasGraph,
  file: LayoutFile,
  store: CanvasStore,
  size: { readonly width: number; readonly height: number } | undefined,
): CanvasPlaces {
  const [laid, setLaid] = useState<Laid>({ direction: undefined, routes: noRoutes, layouts: 0 });
  const newest = useRef({ graph, direction: laid.direction });
  const keep = useCallback(() => {
    const { graph: drawn, direction } = newest.current;
    file.keep(toLayoutView(drawn, store.getState(), direction));
  }, [file, store]);
  const layOut = useCallback(
    (wanted?: Direction) => {
      const drawn = newest.current.graph;
      const direction = wanted ?? newest.current.direction ?? 'RIGHT';
      layOutAnew(drawn, direction).then(
        ({ places, routes }) => {
          store.setState((state) => ({ places: new Map([...state.places, ...places]) }));
          newest.current.direction = direction;
          setLaid(({ layouts }) => ({ direction, routes, layouts: layouts + 1 }));
        },
        (failure: unknown) => showToast('error', `The graph could not be laid out: ${String(failure)}`),
      );
    },
    [store],
  );
  useLayoutEffect(() => {
    const before = newest.current.graph;
    newest.current.graph = graph;
    if (laid.direction) placeChanges(store, { before, graph, direction: laid.direction });
  }, [graph, laid, store]);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || file.saved === undefined || !size) return;
    isBegun.current = true;
    const direction = readDirection(file) ?? chooseDirection(graph, size);
    const places = readPlaces(file);
    // Where nothing is known of any step, all of them are laid out.
    const isKnown = graph.steps.length === 0 || graph.steps.some(({ id }) => places.has(id));
    if (!isKnown && graph.steps.length <= mostWaitedFor) return layOut(direction);
    newest.current.direction = direction;
    store.setState({
      places: isKnown ? placeMissing(graph, places, direction) : layOutQuickly(graph, direction),
      folded: new Set(file.saved?.collapsed),
    });
    // The places are in the store before anything is drawn.
    // oxlint-disable-next-line react/set-state-in-effect -- what the side file holds is known only now
    setLaid({ direction, routes: noRoutes, layouts: 1 });
  }, [file, graph, layOut, size, store]);
  const move = useCallback(
    (moved: Places) => {
      store.setState(({ places }) => ({ places: new Map([...places, ...moved]) }));
      keep();
    },
    [keep, store],
  );
  useEffect(() => {
    // A layout that was asked for is kept like places by hand; the first one is made again.
    if (laid.layouts > 1) keep();
  }, [laid, keep]);
  return { ...laid, move, layOut };
}

interface Change {
  readonly before: CanvasGraph;
  readonly graph: CanvasGraph;
  readonly direction: Direction;
}

function placeChanges(store: CanvasStore, { before, graph, direction }: Change): void {
  const { places } = store.getState();
  const next = placeMissing(graph, carryPlaces(before, graph, places), direction);
  if (next !== places) store.setState({ places: next });
}

const readDirection = ({ saved }: LayoutFile): Direction | undefined =>
  saved?.direction && (saved.direction === 'right' ? 'RIGHT' : 'DOWN');

const readPlaces = ({ saved }: LayoutFile): Places =>
  new Map(Object.entries(saved?.nodes ?? {}).map(([name, place]) => [nodeId('step', name), place]));

function toLayoutView(
  graph: CanvasGraph,
  { places, folded }: { readonly places: Places; readonly folded: ReadonlySet<string> },
  direction: Direction | undefined,
) {
  const nodes = graph.steps.flatMap(({ id, name }) => {
    const place = places.get(id);
    return place ? [[name, { x: Math.round(place.x), y: Math.round(place.y) }] as const] : [];
  });
  return {
    direction: direction === 'DOWN' ? ('down' as const) : ('right' as const),
    nodes: Object.fromEntries(nodes),
    collapsed: [...folded],
  };
}
