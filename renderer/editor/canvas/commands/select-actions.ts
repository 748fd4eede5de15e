import type { Point } from '../../../graph/layout/compute-layout.ts';
import { cardSize } from '../../../graph/layout/layout-input.ts';
import { findNearestNode } from '../../../graph/layout/nearest-node.ts';
import { findNeighbourhood, type Depth, type Way } from '../model/neighbourhood.ts';
import { layOutLane } from '../places/handler-lane.ts';
import { arrange, type Arrangement } from '../places/arrange.ts';
import type { ReadPorts } from './canvas-ports.ts';
import type { ViewActions } from './view-actions.ts';

/** Canvas actions that change the selection and the positions of cards. */
export interface SelectActions {
  all(): void;
  /** Moves the focus to the nearest card in the direction of an arrow key. */
  step(key: string): void;
  /** Adds all upstream or downstream steps to the selection. */
  extend(way: Way): void;
  /** Dims all nodes out of reach of the selected steps; without a depth, clears the dimming. */
  highlight(way: Way, depth: Depth): void;
  clearHighlight(): void;
  /** Moves the selected cards by one step in the direction of an arrow key. */
  nudge(key: string): void;
  /** Starts placement: the next click moves the selected cards there. */
  beginPlacing(): void;
  /** Moves the selected cards so that the center of the last one is at a point of the canvas. */
  placeAt(point: Point): void;
  arrange(how: Arrangement): void;
}

/** Pixels per arrow key press: half the distance of the background dots. */
const nudgeBy = 10;
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function createSelectActions(read: ReadPorts, view: ViewActions): SelectActions {
  const selectIds = (ids: Iterable<string>): void => {
    const { graph, select } = read();
    select([...ids].map((id) => graph.byId.get(id)?.ref).filter((ref) => ref !== undefined));
  };
  const selected = (): ReadonlySet<string> => read().store.getState().selected;
  return {
    all: () => selectIds(read().graph.steps.map(({ id }) => id)),
    step(key) {
      const { store, graph } = read();
      const { current, places, rooms } = store.getState();
      const drawn = new Map(
        graph.steps.flatMap(({ id }) => {
          const place = places.get(id);
          return place ? [[id, place] as const] : [];
        }),
      );
      for (const [id, place] of layOutLane(graph, places, rooms).places) drawn.set(id, place);
      const from = current !== undefined && drawn.has(current) ? current : undefined;
      const next = from === undefined ? graph.steps[0]?.id : findNearestNode(drawn, from, key);
      if (next === undefined) return;
      selectIds([next]);
      view.focusCard(next);
    },
    extend: (way) => selectIds(findNeighbourhood(read().graph, selected(), way)),
    highlight(way, depth) {
      const { store, graph } = read();
      if (selected().size > 0)
        store.setState({ highlighted: findNeighbourhood(graph, selected(), way, depth) });
    },
    clearHighlight: () => read().store.setState({ highlighted: undefined }),
    nudge(key) {
      const [x, y] = arrows[key] ?? [0, 0];
      moveSelected(read, { x: x * nudgeBy, y: y * nudgeBy });
    },
    beginPlacing() {
      if (read().selection.some(({ section }) => section === 'step'))
        read().store.setState({ isPlacing: true, notice: undefined });
    },
    placeAt({ x, y }) {
      const { store, selection } = read();
      const last = [...selected()].flatMap((id) => store.getState().places.get(id) ?? []).at(-1);
      store.setState({ isPlacing: false });
      if (last)
        moveSelected(read, { x: x - cardSize.width / 2 - last.x, y: y - cardSize.height / 2 - last.y });
      // Runs after React Flow's own handler, which clears the selection on a click on the canvas.
      requestAnimationFrame(() => {
        read().select(selection);
        const { current } = store.getState();
        if (current !== undefined) view.focusCard(current);
      });
    },
    arrange(how) {
      const { store, places } = read();
      places.move(arrange(store.getState().places, [...selected()], how));
    },
  };
}

/** Moves the cards of the selected steps and announces the move to screen readers. */
function moveSelected(read: ReadPorts, { x, y }: Point): void {
  const { store, places, graph } = read();
  const { places: known, selected } = store.getState();
  const moved = [...selected].flatMap((id) => {
    const place = known.get(id);
    return place ? [[id, { x: place.x + x, y: place.y + y }] as const] : [];
  });
  if (moved.length === 0) return;
  places.move(new Map(moved));
  store.setState({
    said: describeMove(
      moved.map(([id]) => graph.byId.get(id)?.name ?? ''),
      moved[0]![1],
    ),
  });
}

/** Returns a text such as `fetch moved to 120 across, 40 down`. */
function describeMove(names: readonly string[], to: Point): string {
  const what = names.length === 1 ? names[0]! : `${names.length} steps`;
  return `${what} moved to x ${Math.round(to.x)}, y ${Math.round(to.y)}`;
}
