import { getViewportForBounds, type Viewport } from 'reactflow';
import type { GraphLayout } from './compute-layout.ts';
import { cardSize } from './layout-input.ts';

export const zoomRange = { min: 0.02, max: 1.75 } as const;
/** Room is left for the toolbar in the corner. */
const padding = { top: '24px', left: '28px', right: '28px', bottom: '56px' } as const;
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

function boundsOf({ places, lane }: GraphLayout) {
  const cards = Array.from(places.values(), ({ x, y }) => ({ x, y, ...cardSize }));
  const boxes = lane ? [...cards, lane] : cards;
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
