import { type Point, cardSize } from '../../graph/compute-layout.ts';
import { findNearestNode } from '../../graph/graph-geometry.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import { type Positions, layOutHandlerLane } from './free-positions.ts';
import type { GetCanvasPorts } from './canvas-store.ts';
import type { ViewActions } from './view-actions.ts';

/** Distance in steps; `Infinity` for no limit. */
type NeighbourDepth = number;

/** Direction along the lines. */
type LineDirection = 'up' | 'down' | 'both';

/** Returns the nodes within reach of some nodes along the lines, including these nodes. */
export function findNeighbourhood(
  { edges }: Pick<CanvasGraph, 'edges'>,
  from: Iterable<string>,
  direction: LineDirection,
  depth: NeighbourDepth = Infinity,
): ReadonlySet<string> {
  const start = [...from];
  const neighbours = new Set(start);
  for (const each of direction === 'both' ? (['up', 'down'] as const) : [direction]) {
    const next = new Map<string, string[]>();
    for (const { source, target } of edges) {
      const [near, far] = each === 'down' ? [source, target] : [target, source];
      const known = next.get(near);
      if (known) known.push(far);
      else next.set(near, [far]);
    }
    let frontier = start;
    const seen = new Set(start);
    for (let step = 0; step < depth && frontier.length > 0; step += 1) {
      frontier = frontier.flatMap((id) => next.get(id) ?? []).filter((id) => !seen.has(id) && seen.add(id));
      for (const id of frontier) neighbours.add(id);
    }
  }
  return neighbours;
}

/** Ways to align several cards. */
type CardAlignment = 'left' | 'top' | 'columns' | 'rows';

/**
 * Returns new positions of cards: aligned with the first card, or with equal distances between the outermost
 * ones.
 */
export function alignCards(positions: Positions, ids: readonly string[], how: CardAlignment): Positions {
  const chosen = ids.map((id) => ({ id, position: positions.get(id) })).filter(hasPosition);
  const axis = how === 'left' || how === 'columns' ? 'x' : 'y';
  const sorted = chosen.toSorted((a, b) => a.position[axis] - b.position[axis]);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return new Map();
  const step = (last.position[axis] - first.position[axis]) / Math.max(1, sorted.length - 1);
  const isAligned = how === 'left' || how === 'top';
  return new Map(
    sorted.map(({ id, position }, index) => [
      id,
      { ...position, [axis]: Math.round(first.position[axis] + (isAligned ? 0 : index * step)) },
    ]),
  );
}

const hasPosition = (one: {
  readonly id: string;
  readonly position: Point | undefined;
}): one is { readonly id: string; readonly position: Point } => one.position !== undefined;

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
  startMoving(): void;
  /** Moves the selected cards so that the center of the last one is at a point of the canvas. */
  moveTo(point: Point): void;
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
    startMoving() {
      if (read().selection.some(({ section }) => section === 'step'))
        read().store.setState({ isMoving: true, notice: undefined });
    },
    moveTo({ x, y }) {
      const { store, selection } = read();
      const last = [...selected()].flatMap((id) => store.getState().positions.get(id) ?? []).at(-1);
      store.setState({ isMoving: false });
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

/** Returns a text such as `fetch moved to x 120, y 40`. */
function moveAnnouncement(names: readonly string[], to: Point): string {
  const what = names.length === 1 ? names[0]! : `${names.length} steps`;
  return `${what} moved to x ${Math.round(to.x)}, y ${Math.round(to.y)}`;
}
