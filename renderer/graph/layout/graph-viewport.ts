import { getViewportForBounds, type Viewport } from 'reactflow';
import type { GraphLayout } from './compute-layout.ts';
import { cardSize } from './layout-input.ts';

export const zoomRange = { min: 0.02, max: 1.75 } as const;
/** Room is left for the toolbar in the corner. */
const room = { top: 24, left: 28, right: 28, bottom: 56 } as const;
const padding = {
  top: `${room.top}px`,
  left: `${room.left}px`,
  right: `${room.right}px`,
  bottom: `${room.bottom}px`,
} as const;
/** Nothing is enlarged only because there is room. */
const fitZoom = 1;

/**
 * The view in which the whole graph is seen. Computed from the layout and not from what is drawn, which in a
 * large graph is only what is in sight.
 */
export function viewportForAll(layout: GraphLayout, frame: HTMLElement): Viewport {
  const { clientWidth, clientHeight } = frame;
  return getViewportForBounds(boundsOf(layout), clientWidth, clientHeight, zoomRange.min, fitZoom, padding);
}

/** What of a frame is there for the graph. */
export const roomIn = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(1, clientWidth - room.left - room.right),
  height: Math.max(1, clientHeight - room.top - room.bottom),
});

function boundsOf({ places, lane }: GraphLayout) {
  const cards = Array.from(places.values(), ({ x, y }) => ({ x, y, ...cardSize }));
  const boxes = lane ? [...cards, lane] : cards;
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
