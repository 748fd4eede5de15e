import type { Point } from './compute-layout.ts';

/** A part of a graph with the positions of its steps, by index. */
export interface Block {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly points: ReadonlyMap<number, Point>;
}

/** Target aspect ratio of the whole. */
const shape = 1.8;

/** Arranges blocks in rows from the top left, in order, largest first. */
export function packBlocks(
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
