import type { Point } from '../../../graph/layout/compute-layout.ts';
import { cardSize } from '../../../graph/layout/layout-input.ts';
import { findNearestNode } from '../../../graph/layout/nearest-node.ts';
import { findNeighbourhood, type NeighbourDepth, type LineDirection } from '../model/neighbourhood.ts';
import { layOutHandlerLane } from '../places/handler-lane.ts';
import { alignCards, type CardAlignment } from '../places/arrange.ts';
import type { GetCanvasPorts } from './canvas-ports.ts';
import type { ViewActions } from './view-actions.ts';

/** Canvas actions that change the selection and the positions of cards. */
export interface SelectActions {
  all(): void;
  /** Moves the focus to the nearest card in the direction of an arrow key. */
  step(key: string): void;
  /** Adds all upstream or downstream steps to the selection. */
  extend(direction: LineDirection): void;
  /** Dims all nodes out of reach of the selected steps; without a depth, clears the dimming. */
  highlight(direction: LineDirection, depth: NeighbourDepth): void;
  clearHighlight(): void;
  /** Moves the selected cards by one step in the direction of an arrow key. */
  nudge(key: string): void;
  /** Starts placement: the next click moves the selected cards there. */
  startPlacing(): void;
  /** Moves the selected cards so that the center of the last one is at a point of the canvas. */
  placeAt(point: Point): void;
  alignCards(how: CardAlignment): void;
}

/** Pixels per arrow key press: half the distance of the background dots. */
const nudgeBy = 10;
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function createSelectActions(read: GetCanvasPorts, view: ViewActions): SelectActions {
  const selectIds = (ids: Iterable<string>): void => {
    const { graph, select } = read();
    select([...ids].map((id) => graph.byId.get(id)?.ref).filter((ref) => ref !== undefined));
  };
  const selected = (): ReadonlySet<string> => read().store.getState().selected;
  return {
    all: () => selectIds(read().graph.steps.map(({ id }) => id)),
    step(key) {
      const { store, graph } = read();
      const { current, positions, rooms } = store.getState();
      const drawn = new Map(
        graph.steps.flatMap(({ id }) => {
          const position = positions.get(id);
          return position ? [[id, position] as const] : [];
        }),
      );
      for (const [id, position] of layOutHandlerLane(graph, positions, rooms).positions)
        drawn.set(id, position);
      const from = current !== undefined && drawn.has(current) ? current : undefined;
      const next = from === undefined ? graph.steps[0]?.id : findNearestNode(drawn, from, key);
      if (next === undefined) return;
      selectIds([next]);
      view.focusCard(next);
    },
    extend: (direction) => selectIds(findNeighbourhood(read().graph, selected(), direction)),
    highlight(direction, depth) {
      const { store, graph } = read();
      if (selected().size > 0)
        store.setState({ highlighted: findNeighbourhood(graph, selected(), direction, depth) });
    },
    clearHighlight: () => read().store.setState({ highlighted: undefined }),
    nudge(key) {
      const [x, y] = arrows[key] ?? [0, 0];
      moveSelected(read, { x: x * nudgeBy, y: y * nudgeBy });
    },
    startPlacing() {
      if (read().selection.some(({ section }) => section === 'step'))
        read().store.setState({ isPlacing: true, notice: undefined });
    },
    placeAt({ x, y }) {
      const { store, selection } = read();
      const last = [...selected()].flatMap((id) => store.getState().positions.get(id) ?? []).at(-1);
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
    alignCards(how) {
      const { store, positions } = read();
      positions.move(alignCards(store.getState().positions, [...selected()], how));
    },
  };
}

/** Moves the cards of the selected steps and announces the move to screen readers. */
function moveSelected(read: GetCanvasPorts, { x, y }: Point): void {
  const { store, positions, graph } = read();
  const { positions: known, selected } = store.getState();
  const moved = [...selected].flatMap((id) => {
    const position = known.get(id);
    return position ? [[id, { x: position.x + x, y: position.y + y }] as const] : [];
  });
  if (moved.length === 0) return;
  positions.move(new Map(moved));
  store.setState({
    said: moveAnnouncement(
      moved.map(([id]) => graph.byId.get(id)?.name ?? ''),
      moved[0]![1],
    ),
  });
}

/** Returns a text such as `fetch moved to 120 across, 40 down`. */
function moveAnnouncement(names: readonly string[], to: Point): string {
  const what = names.length === 1 ? names[0]! : `${names.length} steps`;
  return `${what} moved to x ${Math.round(to.x)}, y ${Math.round(to.y)}`;
}
