import type { GraphModel } from '../build-graph.ts';
import { cardSize, type Direction } from './layout-input.ts';
import { linkSteps, listLayers } from './list-layers.ts';

/** Room a card takes along and across the direction of the graph, gaps included, pixels. */
const pitch = {
  RIGHT: { along: cardSize.width + 48, across: cardSize.height + 16 },
  DOWN: { along: cardSize.height + 44, across: cardSize.width + 16 },
} as const;
/** Left to right is what people expect; the other way has to be clearly more legible. */
const advantage = 1.2;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The direction in which the whole graph is seen larger in a view of the given size.
 * @param atLeast so many times larger it has to be from top to bottom to be drawn so
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

/** How many steps stand in each layer, where a step stands one layer after the last it depends on. */
function countLayers(graph: GraphModel): number[] {
  const all = graph.steps.map((_, index) => index);
  return listLayers(all, linkSteps(graph)).map(({ length }) => length);
}
