import type { Point } from './compute-layout.ts';

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Returns the node that an arrow key moves to: the nearest one in that direction, where sideways distance
 * counts double, so that a row or column is followed first.
 * @param key name of the key; other keys return nothing
 */
export function findNearestNode(
  positions: ReadonlyMap<string, Point>,
  from: string,
  key: string,
): string | undefined {
  const direction = directions[key];
  const origin = positions.get(from);
  if (!direction || !origin) return undefined;
  let best: string | undefined;
  let bestCost = Infinity;
  for (const [id, position] of positions) {
    const ahead = (position.x - origin.x) * direction.x + (position.y - origin.y) * direction.y;
    if (id === from || ahead <= 0) continue;
    const aside =
      Math.abs((position.x - origin.x) * direction.y) + Math.abs((position.y - origin.y) * direction.x);
    const cost = ahead + 2 * aside;
    if (cost < bestCost) [best, bestCost] = [id, cost];
  }
  return best;
}
