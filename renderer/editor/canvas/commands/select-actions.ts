import { findNearestNode } from '../../../graph/layout/nearest-node.ts';
import { findNeighbourhood, type Depth, type Way } from '../model/neighbourhood.ts';
import { layOutLane } from '../places/handler-lane.ts';
import { arrange, type Arrangement } from '../places/arrange.ts';
import type { ReadPorts } from './canvas-ports.ts';
import type { ViewActions } from './view-actions.ts';

/** What the canvas does to the selection and to the places of cards. */
export interface SelectActions {
  all(): void;
  /** Goes to the nearest card in the direction of an arrow key. */
  step(key: string): void;
  /** Adds everything before or behind the selected steps. */
  extend(way: Way): void;
  /** Dims all but what is within reach of the selected steps; without a depth all are seen again. */
  light(way: Way, depth: Depth): void;
  unlight(): void;
  /** Moves the selected cards by an arrow key. */
  nudge(key: string): void;
  arrange(how: Arrangement): void;
}

/** Pixels of one move by key: half the distance of the dots. */
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
      const { current, places } = store.getState();
      const drawn = new Map(
        graph.steps.flatMap(({ id }) => {
          const place = places.get(id);
          return place ? [[id, place] as const] : [];
        }),
      );
      for (const [id, place] of layOutLane(graph, places).places) drawn.set(id, place);
      const from = current !== undefined && drawn.has(current) ? current : undefined;
      const next = from === undefined ? graph.steps[0]?.id : findNearestNode(drawn, from, key);
      if (next === undefined) return;
      selectIds([next]);
      view.focusCard(next);
    },
    extend: (way) => selectIds(findNeighbourhood(read().graph, selected(), way)),
    light(way, depth) {
      const { store, graph } = read();
      if (selected().size > 0) store.setState({ lit: findNeighbourhood(graph, selected(), way, depth) });
    },
    unlight: () => read().store.setState({ lit: undefined }),
    nudge(key) {
      const { store, places } = read();
      const known = store.getState().places;
      const [x, y] = arrows[key] ?? [0, 0];
      places.move(
        new Map(
          [...selected()].flatMap((id) => {
            const place = known.get(id);
            return place ? [[id, { x: place.x + x * nudgeBy, y: place.y + y * nudgeBy }] as const] : [];
          }),
        ),
      );
    },
    arrange(how) {
      const { store, places } = read();
      places.move(arrange(store.getState().places, [...selected()], how));
    },
  };
}
