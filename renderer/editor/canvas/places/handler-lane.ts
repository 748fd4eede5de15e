import { handlerNames, type HandlerName } from '../../../../core/model/workflow/handler-name.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import { cardSize } from '../../../graph/layout/layout-input.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { boxesOfSteps, type Positions } from './place-steps.ts';
import type { ExpandedBounds } from './expanded-bounds.ts';

/** The lane of the handlers, with room for buttons that add missing ones. */
export interface HandlerLane extends Point {
  readonly width: number;
  readonly height: number;
  readonly positions: Positions;
  readonly missing: readonly HandlerName[];
}

const noExpandedBounds: ExpandedBounds = new Map();
const laneGap = 56;
const padding = 14;
const head = 40;
const cardGap = 16;
/** Room for the title and five buttons, in pixels. */
const minWidth = 470;

/** Places the handlers in a row below all steps. */
export function layOutHandlerLane(
  graph: CanvasGraph,
  positions: Positions,
  rooms: ExpandedBounds = noExpandedBounds,
): HandlerLane {
  const boxes = boxesOfSteps(graph, positions, rooms);
  const x = boxes.reduce((min, box) => Math.min(min, box.x), boxes[0]?.x ?? 0);
  const first = boxes[0] ? boxes[0].y + boxes[0].height : cardSize.height;
  const y = boxes.reduce((max, box) => Math.max(max, box.y + box.height), first) + laneGap;
  const count = graph.handlers.length;
  return {
    x,
    y,
    width: Math.max(minWidth, count * (cardSize.width + cardGap) - cardGap + 2 * padding),
    height: count === 0 ? head + 4 : head + cardSize.height + padding,
    positions: new Map(
      graph.handlers.map(({ id }, index) => [
        id,
        { x: x + padding + index * (cardSize.width + cardGap), y: y + head },
      ]),
    ),
    missing: handlerNames.filter((name) => !graph.byId.has(`handler:${name}`)),
  };
}
