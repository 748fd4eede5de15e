import { getViewportForBounds, type Viewport } from 'reactflow';
import { zoomRange } from '../../../graph/layout/graph-viewport.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { layOutHandlerLane } from './handler-lane.ts';
import { boxesOfSteps, type Positions } from './place-steps.ts';
import type { Box, ExpandedBounds } from './expanded-bounds.ts';

const toolbarHeight = 60;
const padding = { top: '28px', left: '28px', right: '40px', bottom: `${toolbarHeight}px` } as const;
const fitZoom = 1;

interface Placed {
  readonly positions: Positions;
  readonly rooms: ExpandedBounds;
}

/** Returns the areas of all drawn parts: the steps and the lane of the handlers. */
export function boxesOf(graph: CanvasGraph, { positions, rooms }: Placed): readonly Box[] {
  const steps = boxesOfSteps(graph, positions, rooms);
  return graph.total > 0 ? [...steps, layOutHandlerLane(graph, positions, rooms)] : steps;
}

/** The visible part of the canvas, in window pixels. */
interface Extent {
  readonly clientWidth: number;
  readonly clientHeight: number;
}

/** Returns the part of the canvas not covered by panels on the right. */
export function visibleExtent(frame: HTMLElement): Extent {
  const { clientWidth, clientHeight } = frame;
  const cover = frame.ownerDocument.querySelector('[data-cover]')?.getBoundingClientRect();
  const { left, right } = frame.getBoundingClientRect();
  const isCovered = cover !== undefined && cover.left > left && cover.left < right;
  return { clientWidth: isCovered ? cover.left - left : clientWidth, clientHeight };
}

/** Returns the viewport that shows the boxes completely, without enlarging them. */
export function viewportFor(boxes: readonly Box[], frame: Extent): Viewport {
  const edge = (pick: (box: Box) => number, isLeast: boolean): number =>
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

/** Free margin around a revealed card; at the right of a selected card is the button that adds a step. */
const margin = 40;

/** Whether more than an edge of any box is visible above the toolbar. */
export const isAnyVisible = ({ x, y, zoom }: Viewport, boxes: readonly Box[], frame: Extent): boolean =>
  boxes.some(
    (box) =>
      box.x * zoom + x < frame.clientWidth - margin &&
      (box.x + box.width) * zoom + x > margin &&
      box.y * zoom + y < frame.clientHeight - toolbarHeight - margin &&
      (box.y + box.height) * zoom + y > margin,
  );

/**
 * Returns the viewport moved as little as needed to show a box, or at least its upper left corner; undefined if
 * it is visible.
 */
export function scrollIntoView(view: Viewport, box: Box, frame: Extent): Viewport | undefined {
  const { zoom } = view;
  const moveOn = (at: number, length: number, room: number): number => {
    const end = at + length - room;
    if (at >= 0 && end <= 0) return 0;
    // A box larger than the viewport is shown from its start.
    return at < 0 || length > room - 2 * margin ? margin - at : -margin - end;
  };
  const x = moveOn(box.x * zoom + view.x, box.width * zoom, frame.clientWidth);
  const y = moveOn(box.y * zoom + view.y, box.height * zoom, frame.clientHeight);
  return x === 0 && y === 0 ? undefined : { x: view.x + x, y: view.y + y, zoom };
}
