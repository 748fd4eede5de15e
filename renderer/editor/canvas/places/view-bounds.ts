import { getViewportForBounds, type Viewport } from 'reactflow';
import { zoomRange } from '../../../graph/layout/graph-viewport.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { layOutLane } from './handler-lane.ts';
import { boxesOfSteps, type Places } from './place-steps.ts';
import type { Box, Rooms } from './rooms.ts';

const toolbarHeight = 60;
const padding = { top: '28px', left: '28px', right: '40px', bottom: `${toolbarHeight}px` } as const;
const fitZoom = 1;

interface Placed {
  readonly places: Places;
  readonly rooms: Rooms;
}

/** All that is drawn of a workflow: its steps, and the lane of its handlers. */
export function boxesOf(graph: CanvasGraph, { places, rooms }: Placed): readonly Box[] {
  const steps = boxesOfSteps(graph, places, rooms);
  return graph.total > 0 ? [...steps, layOutLane(graph, places, rooms)] : steps;
}

/** What is seen of the canvas, pixels of the window. */
interface Extent {
  readonly clientWidth: number;
  readonly clientHeight: number;
}

/** The canvas without what lies above its right side. */
export function freeExtent(frame: HTMLElement): Extent {
  const { clientWidth, clientHeight } = frame;
  const cover = frame.ownerDocument.querySelector('[data-cover]')?.getBoundingClientRect();
  const { left, right } = frame.getBoundingClientRect();
  const isCovered = cover !== undefined && cover.left > left && cover.left < right;
  return { clientWidth: isCovered ? cover.left - left : clientWidth, clientHeight };
}

/** The view in which some boxes are seen whole and not enlarged. */
export function viewOf(boxes: readonly Box[], frame: Extent): Viewport {
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

/** Free space beside what is brought into sight: at the right of a chosen card is the button that adds a step. */
const margin = 40;

/** Whether a part of any box is seen that is more than an edge, above the toolbar. */
export const seesAny = ({ x, y, zoom }: Viewport, boxes: readonly Box[], frame: Extent): boolean =>
  boxes.some(
    (box) =>
      box.x * zoom + x < frame.clientWidth - margin &&
      (box.x + box.width) * zoom + x > margin &&
      box.y * zoom + y < frame.clientHeight - toolbarHeight - margin &&
      (box.y + box.height) * zoom + y > margin,
  );

/**
 * The view moved as little as is needed to see a box, at least its upper left corner; undefined when it is seen.
 */
export function bringInside(view: Viewport, box: Box, frame: Extent): Viewport | undefined {
  const { zoom } = view;
  const moveOn = (at: number, length: number, room: number): number => {
    const end = at + length - room;
    if (at >= 0 && end <= 0) return 0;
    // What is larger than the view is seen from its beginning on.
    return at < 0 || length > room - 2 * margin ? margin - at : -margin - end;
  };
  const x = moveOn(box.x * zoom + view.x, box.width * zoom, frame.clientWidth);
  const y = moveOn(box.y * zoom + view.y, box.height * zoom, frame.clientHeight);
  return x === 0 && y === 0 ? undefined : { x: view.x + x, y: view.y + y, zoom };
}
