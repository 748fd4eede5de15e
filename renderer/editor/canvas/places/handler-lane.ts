import { handlerNames, type HandlerName } from '../../../../core/model/handler-name.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import { cardSize } from '../../../graph/layout/layout-input.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import type { Places } from './place-steps.ts';

/** The strip of the handlers, with room for buttons that add those which are missing. */
export interface HandlerLane extends Point {
  readonly width: number;
  readonly height: number;
  readonly places: Places;
  readonly missing: readonly HandlerName[];
}

const laneGap = 56;
const padding = 14;
const head = 40;
const cardGap = 16;
/** For the title and five buttons. */
const leastWidth = 470;

/** Puts the handlers in a row below all steps. */
export function layOutLane(graph: CanvasGraph, places: Places): HandlerLane {
  const spots = graph.steps.map(({ id }) => places.get(id)).filter((spot) => spot !== undefined);
  const x = spots.reduce((least, spot) => Math.min(least, spot.x), spots[0]?.x ?? 0);
  const lowest = spots.reduce((most, spot) => Math.max(most, spot.y), spots[0]?.y ?? 0);
  const y = lowest + cardSize.height + laneGap;
  const count = graph.handlers.length;
  return {
    x,
    y,
    width: Math.max(leastWidth, count * (cardSize.width + cardGap) - cardGap + 2 * padding),
    height: count === 0 ? head + 4 : head + cardSize.height + padding,
    places: new Map(
      graph.handlers.map(({ id }, index) => [
        id,
        { x: x + padding + index * (cardSize.width + cardGap), y: y + head },
      ]),
    ),
    missing: handlerNames.filter((name) => !graph.byId.has(`handler:${name}`)),
  };
}
