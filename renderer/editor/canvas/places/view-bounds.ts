import { getViewportForBounds, type Viewport } from 'reactflow';
import { cardSize } from '../../../graph/layout/layout-input.ts';
import { zoomRange } from '../../../graph/layout/graph-viewport.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import type { HandlerLane } from './handler-lane.ts';

/** Room for the toolbar below. */
const padding = { top: '28px', left: '28px', right: '40px', bottom: '60px' } as const;
const fitZoom = 1;

/** The view in which cards, and the lane when given, are seen whole and not enlarged. */
export function viewOf(places: Iterable<Point>, lane: HandlerLane | undefined, frame: HTMLElement): Viewport {
  const boxes = [...Array.from(places, ({ x, y }) => ({ x, y, ...cardSize })), ...(lane ? [lane] : [])];
  const edge = (pick: (box: Point & { width: number; height: number }) => number, isLeast: boolean): number =>
    boxes.reduce(
      (best, box) => (isLeast ? Math.min(best, pick(box)) : Math.max(best, pick(box))),
      pick(boxes[0]!),
    );
  if (boxes.length === 0) return { x: frame.clientWidth / 2, y: frame.clientHeight / 2, zoom: 1 };
  const [left, top] = [edge(({ x }) => x, true), edge(({ y }) => y, true)];
  const bounds = {
    x: left,
    y: top,
    width: edge(({ x, width }) => x + width, false) - left,
    height: edge(({ y, height }) => y + height, false) - top,
  };
  return getViewportForBounds(bounds, frame.clientWidth, frame.clientHeight, zoomRange.min, fitZoom, padding);
}
