import type { GraphModel } from '../build-graph.ts';
import { cardSize, type Direction } from './layout-input.ts';

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

/** The direction in which the whole graph is seen larger in a view of the given size. */
export function chooseDirection(graph: GraphModel, view: Size): Direction {
  const layers = countLayers(graph);
  const length = layers.length;
  const breadth = Math.max(1, ...layers);
  const right = scaleOf({ width: length * pitch.RIGHT.along, height: breadth * pitch.RIGHT.across }, view);
  const down = scaleOf({ width: breadth * pitch.DOWN.across, height: length * pitch.DOWN.along }, view);
  return down > right * advantage ? 'DOWN' : 'RIGHT';
}

const scaleOf = (size: Size, view: Size): number =>
  Math.min(1, view.width / size.width, view.height / size.height);

/** How many steps stand in each layer, where a step stands one layer after the last it depends on. */
function countLayers({ steps, edges }: GraphModel): number[] {
  const sources = new Map<string, string[]>();
  for (const { source, target } of edges) sources.set(target, [...(sources.get(target) ?? []), source]);
  const depths = new Map<string, number>();
  const counts: number[] = [];
  // Each round settles what depends only on settled steps; steps in a cycle, which cannot run, stay out.
  let rest = steps.map(({ id }) => id);
  for (let depth = 0; rest.length > 0; depth += 1) {
    const ready = rest.filter((id) => (sources.get(id) ?? []).every((source) => depths.has(source)));
    if (ready.length === 0) break;
    for (const id of ready) depths.set(id, depth);
    counts.push(ready.length);
    rest = rest.filter((id) => !depths.has(id));
  }
  return counts;
}
