import type { GraphModel } from '../build-graph.ts';
import type { Point } from './compute-layout.ts';
import { cardSize, type Direction } from './layout-input.ts';
import { linkSteps, listLayers, type Links } from './list-layers.ts';
import { packBlocks, type Block } from './pack-blocks.ts';
import { spread } from './spread.ts';

/** Room between two cards, as the thorough layout has it (layout-input.ts). */
const gap = { along: 48, across: 16, parts: 32 } as const;
/** Times the cards of a layer are put in the order of their neighbours. */
const sweeps = 4;

/**
 * Places for the steps of a graph in time that grows with its size alone: 2,000 steps take some milliseconds where the
 * thorough layout takes seconds. Layers by the longest way to a step, in them the order of the file, changed to what
 * crosses less; parts that no line connects stand beside each other. The same graph always gets the same places.
 */
export function layOutQuickly(
  { steps, edges }: Pick<GraphModel, 'steps' | 'edges'>,
  direction: Direction,
): ReadonlyMap<string, Point> {
  const ids = steps.map(({ id }) => id);
  const links = linkSteps({ steps, edges });
  const blocks = listParts(links).map((part) => layOutPart(part, links, direction));
  const places = new Map<string, Point>();
  packBlocks(blocks, gap.parts, (index, point) => places.set(ids[index]!, point));
  // In the order of the file, whatever was placed first.
  return new Map(ids.map((id) => [id, places.get(id)!]));
}

/** The connected parts, each with its steps in the order of the file. */
function listParts({ sources, targets }: Links): readonly (readonly number[])[] {
  const parts: number[][] = [];
  const isSeen = new Uint8Array(sources.length);
  for (let first = 0; first < sources.length; first += 1) {
    if (isSeen[first]) continue;
    isSeen[first] = 1;
    const part = [first];
    // The list grows while it is walked.
    for (const one of part)
      for (const next of [...sources[one]!, ...targets[one]!])
        if (!isSeen[next]) {
          isSeen[next] = 1;
          part.push(next);
        }
    parts.push(part.sort((a, b) => a - b));
  }
  return parts;
}

function layOutPart(part: readonly number[], links: Links, direction: Direction): Block {
  const layers = listLayers(part, links);
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

/** Puts each layer in the order in which its neighbours of the layers before (or behind) stand. */
function orderLayers(layers: number[][], { sources, targets }: Links, isForwards: boolean): void {
  const rank = new Map<number, number>();
  for (const layer of layers) layer.forEach((one, index) => rank.set(one, index / layer.length));
  for (const layer of isForwards ? layers : layers.toReversed()) {
    const wish = new Map(
      layer.map((one) => [one, meanOf((isForwards ? sources : targets)[one]!, rank) ?? rank.get(one)!]),
    );
    layer.sort((a, b) => wish.get(a)! - wish.get(b)!);
    layer.forEach((one, index) => rank.set(one, index / layer.length));
  }
}

function meanOf(ones: readonly number[], values: ReadonlyMap<number, number>): number | undefined {
  if (ones.length === 0) return undefined;
  let sum = 0;
  for (const one of ones) sum += values.get(one)!;
  return sum / ones.length;
}

/** Where the cards of each layer stand across the direction: as near to their neighbours as the order allows. */
function spreadLayers(
  layers: readonly (readonly number[])[],
  { sources, targets }: Links,
  direction: Direction,
): ReadonlyMap<number, number> {
  const pitch = (direction === 'RIGHT' ? cardSize.height : cardSize.width) + gap.across;
  const at = new Map<number, number>();
  for (const layer of layers)
    layer.forEach((one, index) => at.set(one, (index - (layer.length - 1) / 2) * pitch));
  // Both ways at once: layers that only followed the one before would drift away from it step by step.
  for (let sweep = 0; sweep < sweeps; sweep += 1)
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wishes = layer.map((one) => meanOf([...sources[one]!, ...targets[one]!], at) ?? at.get(one)!);
      spread(wishes, pitch).forEach((place, index) => at.set(layer[index]!, place));
    }
  return at;
}
