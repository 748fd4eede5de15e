import type { GraphModel } from './build-graph.ts';
import { cardSize, type Direction, type Point } from './compute-layout.ts';

/** Id of the trigger card among the nodes of a graph. */
export const triggerId = 'trigger';

/** Size of the trigger card in pixels at 100%. */
export const triggerSize = { width: 232, height: 76 } as const;

const gap = 48;
/** With more first steps, lines to all of them would be a bundle. */
const maxTargets = 12;

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface TriggerPlace {
  readonly box: Box;
  /** Ids of the steps that a line leads to: those without dependencies in the first layer. */
  readonly targets: readonly string[];
}

/** Above the text of an empty canvas, whose center is the origin. */
const emptyPlace: TriggerPlace = {
  box: { x: -triggerSize.width / 2, y: -210, ...triggerSize },
  targets: [],
};

/** Places the trigger card before the first layer of the steps. */
export function placeTrigger(
  { steps, edges }: Pick<GraphModel, 'steps' | 'edges'>,
  positions: ReadonlyMap<string, Point>,
  direction: Direction,
): TriggerPlace {
  const isRight = direction === 'RIGHT';
  const [along, across] = isRight ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const [length, breadth] = isRight ? (['width', 'height'] as const) : (['height', 'width'] as const);
  const placed = steps.flatMap(({ id }) => {
    const position = positions.get(id);
    return position ? [{ id, position }] : [];
  });
  if (placed.length === 0) return emptyPlace;
  const start = placed.reduce((least, { position }) => Math.min(least, position[along]), Infinity);
  const waiting = new Set(edges.map(({ target }) => target));
  const layer = placed.filter(({ position }) => position[along] < start + cardSize[length] / 2);
  const first = layer.filter(({ id }) => !waiting.has(id));
  const middles = (first.length > 0 ? first : layer).map(
    ({ position }) => position[across] + cardSize[breadth] / 2,
  );
  const middle = (Math.min(...middles) + Math.max(...middles)) / 2;
  const [from, aside] = [start - gap - triggerSize[length], middle - triggerSize[breadth] / 2];
  return {
    box: { ...(isRight ? { x: from, y: aside } : { x: aside, y: from }), ...triggerSize },
    targets: first.length > maxTargets ? [] : first.map(({ id }) => id),
  };
}
