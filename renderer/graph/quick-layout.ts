import type { GraphModel } from './build-graph.ts';
import { type Point, cardSize, type Direction } from './compute-layout.ts';

/** Dependencies and dependents of each step, by index. */
interface Links {
  readonly sources: readonly (readonly number[])[];
  readonly targets: readonly (readonly number[])[];
}

/** Collects the links of the steps; self-references are omitted. */
function linkSteps({ steps, edges }: Pick<GraphModel, 'steps' | 'edges'>): Links {
  const number = new Map(steps.map(({ id }, index) => [id, index]));
  const count = steps.length;
  const sources = Array.from({ length: count }, (): number[] => []);
  const targets = Array.from({ length: count }, (): number[] => []);
  for (const edge of edges) {
    const [source, target] = [number.get(edge.source), number.get(edge.target)];
    if (source === undefined || target === undefined || source === target) continue;
    sources[target]!.push(source);
    targets[source]!.push(target);
  }
  return { sources, targets };
}

/**
 * Groups steps into layers by the longest path to them, each layer in the specified order. In a cycle, the edges
 * back to its first step are ignored.
 */
function listLayers(component: readonly number[], { sources, targets }: Links): number[][] {
  const depth = new Map<number, number>();
  const waits = new Map(component.map((one) => [one, sources[one]!.length]));
  const ready = component.filter((one) => waits.get(one) === 0);
  let next = 0;
  const settle = (one: number): void => {
    const nodeDepth = sources[one]!.reduce((max, source) => Math.max(max, (depth.get(source) ?? -1) + 1), 0);
    depth.set(one, nodeDepth);
    for (const target of targets[one]!) {
      const remaining = waits.get(target)! - 1;
      waits.set(target, remaining);
      if (remaining === 0 && !depth.has(target)) ready.push(target);
    }
  };
  while (depth.size < component.length) {
    for (const one of ready.splice(0)) if (!depth.has(one)) settle(one);
    if (ready.length > 0 || depth.size === component.length) continue;
    while (depth.has(component[next]!)) next += 1;
    ready.push(component[next]!);
  }
  const layers: number[][] = [];
  for (const one of component) (layers[depth.get(one)!] ??= []).push(one);
  return layers.filter((layer) => layer.length > 0);
}

/** A part of a graph with the positions of its steps, by index. */
interface Block {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly points: ReadonlyMap<number, Point>;
}

/** Target aspect ratio of the whole. */
const shape = 1.8;

/** Arranges blocks in rows from the top left, in order, largest first. */
function packBlocks(
  blocks: readonly Block[],
  gap: number,
  setPosition: (index: number, point: Point) => void,
): void {
  const area = blocks.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const widest = blocks.reduce((max, { width }) => Math.max(max, width), 0);
  const limit = Math.max(widest, Math.sqrt(area * shape));
  let [x, y, rowHeight] = [0, 0, 0];
  for (const { left, top, width, height, points } of blocks.toSorted(
    (a, b) => b.points.size - a.points.size,
  )) {
    if (x > 0 && x + width > limit) [x, y, rowHeight] = [0, y + rowHeight + gap, 0];
    for (const [index, point] of points) setPosition(index, { x: x + point.x - left, y: y + point.y - top });
    x += width + gap;
    rowHeight = Math.max(rowHeight, height);
  }
}

/**
 * Returns positions in a row as close as possible to the requested ones, in the same order and at least a pitch
 * apart: requested positions that are too close become a run of neighbors around their mean.
 */
export function spreadPositions(requests: readonly number[], pitch: number): readonly number[] {
  // After subtracting the pitches, the positions only have to increase; runs that do not are merged to their
  // mean.
  const runs: { sum: number; count: number }[] = [];
  requests.forEach((options, index) => {
    let run = { sum: options - index * pitch, count: 1 };
    for (let last = runs.at(-1); last && last.sum / last.count >= run.sum / run.count; last = runs.at(-1)) {
      run = { sum: last.sum + run.sum, count: last.count + run.count };
      runs.pop();
    }
    runs.push(run);
  });
  const means = runs.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return means.map((center, index) => center + index * pitch);
}

/** Gap between two cards, as in the thorough layout (compute-layout.ts). */
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
      layer.map((one) => [one, mean((isForwards ? sources : targets)[one]!, rank) ?? rank.get(one)!]),
    );
    layer.sort((a, b) => options.get(a)! - options.get(b)!);
    layer.forEach((one, index) => rank.set(one, index / layer.length));
  }
}

function mean(ones: readonly number[], values: ReadonlyMap<number, number>): number | undefined {
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
      const requests = layer.map((one) => mean([...sources[one]!, ...targets[one]!], at) ?? at.get(one)!);
      spreadPositions(requests, pitch).forEach((position, index) => at.set(layer[index]!, position));
    }
  return at;
}

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
  const right = getScale({ width: length * pitch.RIGHT.along, height: breadth * pitch.RIGHT.across }, view);
  const down = getScale({ width: breadth * pitch.DOWN.across, height: length * pitch.DOWN.along }, view);
  return down > right * atLeast ? 'DOWN' : 'RIGHT';
}

const getScale = (size: Size, view: Size): number =>
  Math.min(1, view.width / size.width, view.height / size.height);

/** Counts the steps in each layer; a step is one layer after its last dependency. */
function countLayers(graph: GraphModel): number[] {
  const all = graph.steps.map((_, index) => index);
  return listLayers(all, linkSteps(graph)).map(({ length }) => length);
}
