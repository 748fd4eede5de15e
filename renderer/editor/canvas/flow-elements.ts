import type { Edge, Node } from 'reactflow';
import { cardSize, type Direction, type Point } from '../../graph/compute-layout.ts';
import { handleSidesFor } from '../../graph/build-graph.ts';
import type { CanvasGraph, CanvasNode } from './canvas-graph.ts';
import type { HandlerLane, Positions } from './free-positions.ts';
import type { Routes } from './card-positions.ts';
import { getNodeBox, type Box, type ExpandedBounds, type Size } from './expanded-bounds.ts';
import type { EdgeRef } from './canvas-store.ts';
import type { Fold } from './resolve-folds.ts';
import type { SubWorkflowFolds } from './use-folds.ts';
import type { GroupData } from './lane.tsx';

/** Parallel steps in a sequential workflow. */
export interface ParallelGroup {
  /** Name of its first step, which identifies it. */
  readonly key: string;
  readonly members: readonly CanvasNode[];
}

export function listGroups({ steps }: Pick<CanvasGraph, 'steps'>): readonly ParallelGroup[] {
  const groups = Map.groupBy(
    steps.filter(({ group }) => group !== undefined),
    ({ group }) => group,
  );
  return Array.from(groups.values(), (members) => ({ key: members[0]!.name, members }));
}

/** Returns the id of the node that represents a folded group. */
export const foldedGroupId = (key: string): string => `folded ${key}`;

/** Returns the steps hidden in folded groups, each with the id of the group's node. */
function findFolded(graph: CanvasGraph, folded: ReadonlySet<string>): ReadonlyMap<string, string> {
  const hidden = new Map<string, string>();
  if (folded.size === 0) return hidden;
  for (const { key, members } of listGroups(graph))
    if (folded.has(key)) for (const { id } of members) hidden.set(id, foldedGroupId(key));
  return hidden;
}

/** Data of a card in React Flow. */
export interface CardData extends Record<string, unknown> {
  readonly node: CanvasNode;
  readonly total: number;
  readonly direction: Direction;
  /** Set for a step that runs another workflow. */
  readonly fold: Fold | undefined;
}

export type Card = Node<CardData>;

export interface LineData extends Record<string, unknown> {
  readonly edge: EdgeRef;
  readonly route: readonly Point[] | undefined;
  readonly isInCycle: boolean;
}

export type Line = Edge<LineData>;

export const laneId = 'lane';

interface DrawnBounds {
  readonly positions: Positions;
  readonly rooms: ExpandedBounds;
}

interface Drawing extends DrawnBounds {
  readonly graph: CanvasGraph;
  readonly lane: HandlerLane;
  readonly direction: Direction;
  readonly selected: ReadonlySet<string>;
  /** Keys of the groups that are folded. */
  readonly folded: ReadonlySet<string>;
  readonly folds: SubWorkflowFolds;
}

/** Returns the React Flow nodes; unchanged nodes keep their object identity from `before`. */
export function toCards(drawing: Drawing, before: readonly Node[]): Node[] {
  const { graph, positions, lane, folded } = drawing;
  if (graph.total === 0) return [];
  const old = new Map(before.map((node) => [node.id, node]));
  const hidden = findFolded(graph, folded);
  const steps = graph.steps.flatMap((node) => {
    const cardPosition = positions.get(node.id);
    return cardPosition && !hidden.has(node.id) ? [toCard(drawing, node, cardPosition, old)] : [];
  });
  const handlers = graph.handlers.map((node) => toCard(drawing, node, lane.positions.get(node.id)!, old));
  return [toLane(lane, old.get(laneId)), ...toGroups(drawing, old), ...steps, ...handlers];
}

function toCard(
  drawing: Drawing,
  node: CanvasNode,
  cardPosition: Point,
  old: ReadonlyMap<string, Node>,
): Node {
  const { graph, direction, selected, folds, rooms } = drawing;
  const known = old.get(node.id) as Card | undefined;
  const isSelected = selected.has(node.id);
  const { x, y, width, height } = getNodeBox(node.id, cardPosition, rooms);
  const next: CardData = { node, total: graph.total, direction, fold: folds.get(node.id) };
  const data = known && isSameData(known.data, next) ? known.data : next;
  const isSamePosition = known?.position.x === x && known.position.y === y;
  const isSameSize = known?.width === width && known.height === height;
  if (known?.data === data && known.selected === isSelected && isSamePosition && isSameSize) return known;
  return {
    ...known,
    id: node.id,
    type: 'step',
    position: { x, y },
    ...{ width, height },
    handles: handlesFor(direction, { width, height }),
    selected: isSelected,
    draggable: node.section === 'step',
    connectable: node.section === 'step',
    data,
  };
}

const isSameData = (a: CardData, b: CardData): boolean =>
  a.node === b.node && a.total === b.total && a.direction === b.direction && a.fold === b.fold;

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

/** Padding around the cards of a group, with its title at the top. */
const groupPadding = { side: 12, top: 24, bottom: 12 } as const;

/**
 * Returns the boxes behind parallel steps of a sequential workflow; a folded group takes the place of its
 * steps.
 */
function toGroups(drawing: Drawing, old: ReadonlyMap<string, Node>): Node[] {
  const { graph, direction, folded } = drawing;
  return listGroups(graph).map(({ key, members }) => {
    const isFolded = folded.has(key);
    const room = getBox(members, drawing);
    const box = isFolded ? foldedBox(members, room, drawing) : around(room);
    const { x, y, width, height } = box;
    const id = isFolded ? foldedGroupId(key) : `group ${key}`;
    const names = members.map(({ name }) => name);
    const known = old.get(id) as Node<GroupData> | undefined;
    const isSame = known?.position.x === x && known.position.y === y && known.width === width;
    const isAlike = known?.data.direction === direction && known.data.names.join('\n') === names.join('\n');
    if (known && isSame && isAlike && known.height === height) return known;
    const data: GroupData = { key, names, direction, isFolded };
    return {
      ...{ id, type: 'sideBySide', position: { x, y }, width, height, data, zIndex: isFolded ? 0 : -1 },
      ...{ draggable: false, selectable: false, connectable: false },
      ...(isFolded && { handles: handlesFor(direction, cardSize) }),
    };
  });
}

function getBox(members: readonly CanvasNode[], { positions, rooms }: DrawnBounds): Box {
  const boxes = members.flatMap(({ id }) => {
    const cardPosition = positions.get(id);
    return cardPosition ? [getNodeBox(id, cardPosition, rooms)] : [];
  });
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return {
    ...{ x, y },
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/**
 * Places a folded group within the area of its steps, as close as possible to its neighbors, so that lines stay
 * straight.
 */
function foldedBox(members: readonly CanvasNode[], room: Box, drawing: Drawing): Box {
  const { graph, positions, direction } = drawing;
  const [axis, extent] = direction === 'RIGHT' ? (['y', 'height'] as const) : (['x', 'width'] as const);
  const ids = new Set(members.map(({ id }) => id));
  const beside = graph.edges
    .flatMap(({ source, target }) => (ids.has(target) ? source : ids.has(source) ? target : []))
    .flatMap((id) => positions.get(id)?.[axis] ?? []);
  const last = room[axis] + room[extent] - cardSize[extent];
  const mean = beside.reduce((sum, at) => sum + at, 0) / beside.length;
  const ideal = beside.length > 0 ? mean : (room[axis] + last) / 2;
  return { ...room, ...cardSize, [axis]: Math.min(last, Math.max(room[axis], ideal)) };
}

const around = ({ x, y, width, height }: Box): Box => ({
  x: x - groupPadding.side,
  y: y - groupPadding.top,
  width: width + 2 * groupPadding.side,
  height: height + groupPadding.top + groupPadding.bottom,
});

/**
 * Positions of the handles, at the card itself or at the head of an expanded one. They are computed up front,
 * so that lines can be drawn to cards outside the viewport, which are not rendered.
 */
function handlesFor(direction: Direction, { width, height }: Size): NonNullable<Node['handles']> {
  const { target, source } = handleSidesFor(direction);
  const isRight = direction === 'RIGHT';
  const size = { width: 1, height: 1 };
  const [x, y] = [cardSize.width / 2, cardSize.height / 2];
  return [
    { type: 'target', position: target, x: isRight ? 0 : x, y: isRight ? y : 0, ...size },
    { type: 'source', position: source, x: isRight ? width : x, y: isRight ? y : height, ...size },
  ];
}

/** Above this number of lines, only the lines of the current step are in the tab order. */
const maxTabbed = 150;

/**
 * Returns the React Flow edges, with names like `fetch to check`. Lines of steps in a folded group become lines
 * of the group, without duplicates.
 */
export function toLines(graph: CanvasGraph, routes: Routes, folded: ReadonlySet<string>): Line[] {
  const focusable = graph.edges.length <= maxTabbed;
  const hidden = findFolded(graph, folded);
  const bundles = new Map<string, Line>();
  const lines = graph.edges.flatMap(({ id, source, target, isInCycle = false }): Line[] => {
    const ends = { source: hidden.get(source) ?? source, target: hidden.get(target) ?? target };
    if (ends.source !== source || ends.target !== target) {
      const bundle = `${ends.source}\n${ends.target}`;
      bundles.set(bundle, {
        id: bundle,
        ...ends,
        type: 'step',
        focusable: false,
        ariaLabel: 'Parallel group connection',
      });
      return [];
    }
    const edge = { source: graph.byId.get(source)!.ref, target: graph.byId.get(target)!.ref };
    return [
      {
        ...{ id, source, target, type: 'step', focusable },
        ariaLabel: `${edge.source.name} to ${edge.target.name}${isInCycle ? ', part of a dependency cycle' : ''}`,
        domAttributes: { 'aria-roledescription': 'connection' },
        data: { edge, route: routes.get(id), isInCycle },
      },
    ];
  });
  return [...lines, ...bundles.values()];
}

/**
 * Reuses the line objects of the previous list where nothing changed; returns that list itself if no line
 * changed.
 */
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

const isSameLine = (a: Line, b: Line): boolean =>
  a.source === b.source &&
  a.target === b.target &&
  a.focusable === b.focusable &&
  a.data?.route === b.data?.route &&
  a.data?.isInCycle === b.data?.isInCycle &&
  a.data?.edge.source.name === b.data?.edge.source.name &&
  a.data?.edge.target.name === b.data?.edge.target.name;
