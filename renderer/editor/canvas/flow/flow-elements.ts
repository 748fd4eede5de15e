import { Position, type Edge, type Node } from 'reactflow';
import { cardSize, type Direction } from '../../../graph/layout/layout-input.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import type { CanvasGraph, CanvasNode } from '../model/canvas-graph.ts';
import { findFolded, foldedId, listGroups } from '../model/parallel-groups.ts';
import type { HandlerLane } from '../places/handler-lane.ts';
import type { Places } from '../places/place-steps.ts';
import type { Routes } from '../places/use-places.ts';
import type { EdgeRef } from '../state/canvas-store.ts';
import type { GroupData } from './parallel-group.tsx';

/** What React Flow carries for a card. */
export interface CardData extends Record<string, unknown> {
  readonly node: CanvasNode;
  readonly total: number;
  readonly direction: Direction;
}

export type Card = Node<CardData>;

export interface LineData extends Record<string, unknown> {
  readonly edge: EdgeRef;
  readonly route: readonly Point[] | undefined;
}

export type Line = Edge<LineData>;

export const laneId = 'lane';

interface Drawing {
  readonly graph: CanvasGraph;
  readonly places: Places;
  readonly lane: HandlerLane;
  readonly direction: Direction;
  readonly selected: ReadonlySet<string>;
  /** Keys of the groups that are folded. */
  readonly folded: ReadonlySet<string>;
}

/** React Flow's nodes; those that have not changed are the objects of `before`. */
export function toCards(drawing: Drawing, before: readonly Node[]): Node[] {
  const { graph, places, lane, direction, selected, folded } = drawing;
  const old = new Map(before.map((node) => [node.id, node]));
  const toCard = (node: CanvasNode, position: Point): Node => {
    const known = old.get(node.id) as Card | undefined;
    const isSelected = selected.has(node.id);
    if (
      known &&
      isSameCard(known, { node, position, direction, isSelected }) &&
      known.data.total === graph.total
    )
      return known;
    const data: CardData =
      known?.data.node === node && known.data.total === graph.total && known.data.direction === direction
        ? known.data
        : { node, total: graph.total, direction };
    return {
      ...known,
      id: node.id,
      type: 'step',
      position,
      ...cardSize,
      handles: handlesFor(direction),
      selected: isSelected,
      draggable: node.section === 'step',
      connectable: node.section === 'step',
      data,
    };
  };
  const hidden = findFolded(graph, folded);
  const steps = graph.steps.flatMap((node) => {
    const place = places.get(node.id);
    return place && !hidden.has(node.id) ? [toCard(node, place)] : [];
  });
  const handlers = graph.handlers.map((node) => toCard(node, lane.places.get(node.id)!));
  if (graph.total === 0) return [];
  return [toLane(lane, old.get(laneId)), ...toGroups(drawing, old), ...steps, ...handlers];
}

function isSameCard(
  known: Card,
  wanted: {
    readonly node: CanvasNode;
    readonly position: Point;
    readonly direction: Direction;
    readonly isSelected: boolean;
  },
): boolean {
  const { node, position, direction, isSelected } = wanted;
  return (
    known.data.node === node &&
    known.data.direction === direction &&
    known.selected === isSelected &&
    known.position.x === position.x &&
    known.position.y === position.y
  );
}

function toLane(lane: HandlerLane, known: Node | undefined): Node {
  const { x, y, width, height } = lane;
  const data = known?.data as { readonly missing?: readonly string[] } | undefined;
  const isSame = known?.width === width && known.position.x === x && known.position.y === y;
  if (known && isSame && known.height === height && data?.missing?.join() === lane.missing.join())
    return known;
  return {
    id: laneId,
    type: 'lane',
    position: { x, y },
    width,
    height,
    data: { missing: lane.missing },
    zIndex: -1,
    draggable: false,
    selectable: false,
    connectable: false,
  };
}

/** Room around the cards of a group, with its title above. */
const groupPadding = { side: 12, top: 24, bottom: 12 } as const;

/** Boxes behind steps of a chain that run at the same time; a folded one stands where its first steps would. */
function toGroups(drawing: Drawing, old: ReadonlyMap<string, Node>): Node[] {
  const { graph, places, direction, folded } = drawing;
  return listGroups(graph).map(({ key, members }) => {
    const isFolded = folded.has(key);
    const box = isFolded ? boxOf(members, places) : around(boxOf(members, places));
    const { x, y } = box;
    const { width, height } = isFolded ? cardSize : box;
    const id = isFolded ? foldedId(key) : `group ${key}`;
    const names = members.map(({ name }) => name);
    const known = old.get(id) as Node<GroupData> | undefined;
    const isSame = known?.position.x === x && known.position.y === y && known.width === width;
    const isAlike = known?.data.direction === direction && known.data.names.join('\n') === names.join('\n');
    if (known && isSame && isAlike && known.height === height) return known;
    const data: GroupData = { key, names, direction, isFolded };
    return {
      ...{ id, type: 'sideBySide', position: { x, y }, width, height, data, zIndex: isFolded ? 0 : -1 },
      ...{ draggable: false, selectable: false, connectable: false },
      ...(isFolded && { handles: handlesFor(direction) }),
    };
  });
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

function boxOf(members: readonly CanvasNode[], places: Places): Box {
  const spots = members.map(({ id }) => places.get(id)).filter((spot) => spot !== undefined);
  const [x, y] = [Math.min(...spots.map((spot) => spot.x)), Math.min(...spots.map((spot) => spot.y))];
  return {
    ...{ x, y },
    width: Math.max(...spots.map((spot) => spot.x)) - x + cardSize.width,
    height: Math.max(...spots.map((spot) => spot.y)) - y + cardSize.height,
  };
}

const around = ({ x, y, width, height }: Box): Box => ({
  x: x - groupPadding.side,
  y: y - groupPadding.top,
  width: width + 2 * groupPadding.side,
  height: height + groupPadding.top + groupPadding.bottom,
});

export const sidesFor = (direction: Direction) =>
  direction === 'RIGHT'
    ? { target: Position.Left, source: Position.Right }
    : { target: Position.Top, source: Position.Bottom };

/** Where lines begin and end; known beforehand, so that a card outside the view need not be drawn to have lines. */
function handlesFor(direction: Direction): NonNullable<Node['handles']> {
  const { target, source } = sidesFor(direction);
  const { width, height } = cardSize;
  const isRight = direction === 'RIGHT';
  const size = { width: 1, height: 1 };
  return [
    { type: 'target', position: target, x: isRight ? 0 : width / 2, y: isRight ? height / 2 : 0, ...size },
    {
      type: 'source',
      position: source,
      x: isRight ? width : width / 2,
      y: isRight ? height / 2 : height,
      ...size,
    },
  ];
}

/** Above so many lines only those of the current step come in the order of Tab. */
const mostTabbed = 150;

/**
 * React Flow's edges, with names like `fetch to check`. Lines of steps in a folded group are those of the group, each
 * once.
 */
export function toLines(graph: CanvasGraph, routes: Routes, folded: ReadonlySet<string>): Line[] {
  const focusable = graph.edges.length <= mostTabbed;
  const hidden = findFolded(graph, folded);
  const bundles = new Map<string, Line>();
  const lines = graph.edges.flatMap(({ id, source, target }): Line[] => {
    const ends = { source: hidden.get(source) ?? source, target: hidden.get(target) ?? target };
    if (ends.source !== source || ends.target !== target) {
      const bundle = `${ends.source}\n${ends.target}`;
      bundles.set(bundle, {
        id: bundle,
        ...ends,
        type: 'step',
        focusable: false,
        ariaLabel: 'Connection of a group',
      });
      return [];
    }
    const edge = { source: graph.byId.get(source)!.ref, target: graph.byId.get(target)!.ref };
    return [
      {
        ...{ id, source, target, type: 'step', focusable },
        ariaLabel: `${edge.source.name} to ${edge.target.name}`,
        domAttributes: { 'aria-roledescription': 'connection' },
        data: { edge, route: routes.get(id) },
      },
    ];
  });
  return [...lines, ...bundles.values()];
}

/** The lines with the objects of those before for what has not changed; all of those when nothing has. */
export function reuseLines(before: Line[], lines: Line[]): Line[] {
  const old = new Map(before.map((line) => [line.id, line]));
  const reused = lines.map((line) => {
    const known = old.get(line.id);
    return known && isSameLine(known, line) ? known : line;
  });
  return reused.length === before.length && reused.every((line, index) => line === before[index])
    ? before
    : reused;
}

const isSameLine = (left: Line, right: Line): boolean =>
  left.source === right.source &&
  left.target === right.target &&
  left.focusable === right.focusable &&
  left.data?.route === right.data?.route &&
  left.data?.edge.source.name === right.data?.edge.source.name &&
  left.data?.edge.target.name === right.data?.edge.target.name;
