import type { GraphModel } from '../build-graph.ts';
import type { Point } from './compute-layout.ts';
import { cardSize, type Direction } from './layout-input.ts';
import { linkSteps, listLayers, type Links } from './list-layers.ts';
import { packBlocks, type Block } from './pack-blocks.ts';
import { spreadPositions } from './spread.ts';

/** Gap between two cards, as in the thorough layout (layout-input.ts). */
const gap = { along: 48, across: 16, parts: 32 } as const;
/** Number of passes that reorder layers by their neighbors. */
const sweeps = 4;

/**
 * Lays out the steps of a graph in nearly linear time: 2,000 steps take some milliseconds, where the thorough
 * layout takes seconds. Steps are layered by longest path and ordered as in the file, then reordered to reduce
 * crossings; unconnected parts are placed next to each other. The layout is deterministic.
 */
export function quickLayout(
  { steps, edges }: Pick<GraphModel, 'steps' | 'edges'>,
  direction: Direction,
): ReadonlyMap<string, Point> {
  const ids = steps.map(({ id }) => id);
  const links = linkSteps({ steps, edges });
  const blocks = listComponents(links).map((component) => layOutComponent(component, links, direction));
  const positions = new Map<string, Point>();
  packBlocks(blocks, gap.parts, (index, point) => positions.set(ids[index]!, point));
  // In file order, regardless of the placement order.
  return new Map(ids.map((id) => [id, positions.get(id)!]));
}

/** Returns the connected components, with steps in file order. */
function listComponents({ sources, targets }: Links): readonly (readonly number[])[] {
  const components: number[][] = [];
  const isSeen = new Uint8Array(sources.length);
  for (let first = 0; first < sources.length; first += 1) {
    if (isSeen[first]) continue;
    isSeen[first] = 1;
    const component = [first];
    // The list grows during the iteration.
    for (const one of component)
      for (const next of [...sources[one]!, ...targets[one]!])
        if (!isSeen[next]) {
          isSeen[next] = 1;
          component.push(next);
        }
    components.push(component.sort((a, b) => a - b));
  }
  return components;
}

function layOutComponent(component: readonly number[], links: Links, direction: Direction): Block {
  const layers = listLayers(component, links);
  for (let sweep = 0; sweep < sweeps; sweep += 1) orderLayers(layers, links, sweep % 2 === 0);
  const across = spreadLayers(layers, links, direction);
  const isRight = direction === 'RIGHT';
  const step = (isRight ? cardSize.width : cardSize.height) + gap.along;
  const points = new Map<number, Point>();
  layers.forEach((layer, depth) => {
    for (const one of layer) {
      const [along, aside] = [depth * step, Math.round(across.get(one)!)];
      points.set(one, isRight ? { x: along, y: aside } : { x: aside, y: along });
    }
  });
  return toBlock(points);
}

function toBlock(points: ReadonlyMap<number, Point>): Block {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points.values()) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + cardSize.width);
    bottom = Math.max(bottom, y + cardSize.height);
  }
  return { left, top, width: right - left, height: bottom - top, points };
}

/** Orders each layer by the positions of its neighbors in the previous (or next) layers. */
function orderLayers(layers: number[][], { sources, targets }: Links, isForwards: boolean): void {
  const rank = new Map<number, number>();
  for (const layer of layers) layer.forEach((one, index) => rank.set(one, index / layer.length));
  for (const layer of isForwards ? layers : layers.toReversed()) {
    const options = new Map(
      layer.map((one) => [one, meanOf((isForwards ? sources : targets)[one]!, rank) ?? rank.get(one)!]),
    );
    layer.sort((a, b) => options.get(a)! - options.get(b)!);
    layer.forEach((one, index) => rank.set(one, index / layer.length));
  }
}

function meanOf(ones: readonly number[], values: ReadonlyMap<number, number>): number | undefined {
  if (ones.length === 0) return undefined;
  let sum = 0;
  for (const one of ones) sum += values.get(one)!;
  return sum / ones.length;
}

/** Places the cards of each layer across the direction, as close to their neighbors as the order allows. */
function spreadLayers(
  layers: readonly (readonly number[])[],
  { sources, targets }: Links,
  direction: Direction,
): ReadonlyMap<number, number> {
  const pitch = (direction === 'RIGHT' ? cardSize.height : cardSize.width) + gap.across;
  const at = new Map<number, number>();
  for (const layer of layers)
    layer.forEach((one, index) => at.set(one, (index - (layer.length - 1) / 2) * pitch));
  // Both ways at once: layers that only follow the previous one would drift away from it step by step.
  for (let sweep = 0; sweep < sweeps; sweep += 1)
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const requests = layer.map((one) => meanOf([...sources[one]!, ...targets[one]!], at) ?? at.get(one)!);
      spreadPositions(requests, pitch).forEach((position, index) => at.set(layer[index]!, position));
    }
  return at;
}
