import { getViewportForBounds, type Viewport } from 'reactflow';
import type { GraphLayout } from './compute-layout.ts';
import { cardSize } from './layout-input.ts';

export const zoomRange = { min: 0.02, max: 1.75 } as const;
/** Leaves room for the toolbar in the corner. */
const room = { top: 24, left: 28, right: 28, bottom: 56 } as const;
const padding = {
  top: `${room.top}px`,
  left: `${room.left}px`,
  right: `${room.right}px`,
  bottom: `${room.bottom}px`,
} as const;
/** Never zooms in beyond 100 %. */
const fitZoom = 1;

/**
 * Returns the viewport that shows the whole graph. It is computed from the layout, because a large graph is
 * only partly rendered.
 */
export function viewportForAll(layout: GraphLayout, frame: HTMLElement): Viewport {
  const { clientWidth, clientHeight } = frame;
  return getViewportForBounds(boundsOf(layout), clientWidth, clientHeight, zoomRange.min, fitZoom, padding);
}

/** Returns the part of a frame available to the graph. */
export const availableSize = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(1, clientWidth - room.left - room.right),
  height: Math.max(1, clientHeight - room.top - room.bottom),
});

function boundsOf({ positions, lane }: GraphLayout) {
  const cards = Array.from(positions.values(), ({ x, y }) => ({ x, y, ...cardSize }));
  const boxes = lane ? [...cards, lane] : cards;
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
