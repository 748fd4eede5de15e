import type { GraphModel } from '../build-graph.ts';
import { cardSize, type Direction } from './layout-input.ts';
import { linkSteps, listLayers } from './list-layers.ts';

/** Space of a card along and across the direction of the graph, including gaps, in pixels. */
const pitch = {
  RIGHT: { along: cardSize.width + 48, across: cardSize.height + 16 },
  DOWN: { along: cardSize.height + 44, across: cardSize.width + 16 },
} as const;
/** Left to right is the convention; top to bottom must be clearly more legible. */
const advantage = 1.2;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Chooses the direction in which the whole graph is shown larger in a view of the specified size.
 * @param atLeast minimum factor by which top to bottom must be larger
 */
export function chooseDirection(graph: GraphModel, view: Size, atLeast = advantage): Direction {
  const layers = countLayers(graph);
  const length = layers.length;
  const breadth = Math.max(1, ...layers);
  const right = scaleOf({ width: length * pitch.RIGHT.along, height: breadth * pitch.RIGHT.across }, view);
  const down = scaleOf({ width: breadth * pitch.DOWN.across, height: length * pitch.DOWN.along }, view);
  return down > right * atLeast ? 'DOWN' : 'RIGHT';
}

const scaleOf = (size: Size, view: Size): number =>
  Math.min(1, view.width / size.width, view.height / size.height);

/** Counts the steps in each layer; a step is one layer after its last dependency. */
function countLayers(graph: GraphModel): number[] {
  const all = graph.steps.map((_, index) => index);
  return listLayers(all, linkSteps(graph)).map(({ length }) => length);
}
