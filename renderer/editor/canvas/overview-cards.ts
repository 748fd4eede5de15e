import { type Edge, type Node, useReactFlow, useStore, useStoreApi } from 'reactflow';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Point, Direction } from '../../graph/compute-layout.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import { useCanvasState } from './canvas-store.ts';

/** Returns an SVG path of the boxes of the nodes. */
export const drawBoxes = (nodes: readonly Node[]): string =>
  nodes
    .map(({ position, width = 0, height = 0 }) => {
      const [x, y] = [Math.round(position.x), Math.round(position.y)];
      return `M${x} ${y}h${width}v${height}h${-width}z`;
    })
    .join('');

/**
 * Returns an SVG path of the lines between nodes, with one bend each. Lines to nodes that are not drawn are
 * omitted.
 */
export function drawLines(nodes: readonly Node[], lines: readonly Edge[], direction: Direction): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return lines
    .map(({ source, target }) => {
      const [from, to] = [byId.get(source), byId.get(target)];
      return from && to ? drawLine(from, to, direction) : '';
    })
    .join('');
}

function drawLine(from: Node, to: Node, direction: Direction): string {
  const [start, , bend, end] = bendLine(from, to, direction);
  return direction === 'RIGHT'
    ? `M${start.x} ${start.y}H${bend.x}V${bend.y}H${end.x}`
    : `M${start.x} ${start.y}V${bend.y}H${bend.x}V${end.y}`;
}

/** Returns the corner points of a line. */
function bendLine(from: Node, to: Node, direction: Direction): readonly [Point, Point, Point, Point] {
  const begin = getMiddle(from);
  const end = getMiddle(to);
  if (direction === 'RIGHT') {
    const [left, right] = [Math.round(from.position.x + (from.width ?? 0)), Math.round(to.position.x)];
    const middle = Math.round((left + right) / 2);
    return [
      { x: left, y: begin.y },
      { x: middle, y: begin.y },
      { x: middle, y: end.y },
      { x: right, y: end.y },
    ];
  }
  const [top, bottom] = [Math.round(from.position.y + (from.height ?? 0)), Math.round(to.position.y)];
  const middle = Math.round((top + bottom) / 2);
  return [
    { x: begin.x, y: top },
    { x: begin.x, y: middle },
    { x: end.x, y: middle },
    { x: end.x, y: bottom },
  ];
}

interface OverviewScene {
  readonly cards: readonly Node[];
  readonly lines: readonly Edge[];
  readonly direction: Direction;
}

/** Returns the line nearest to a point of the canvas, if it is within reach. */
export function findLineAt(
  { cards, lines, direction }: OverviewScene,
  at: Point,
  reach: number,
): Edge | undefined {
  const byId = new Map(cards.map((node) => [node.id, node]));
  let best: Edge | undefined;
  let min = reach;
  for (const line of lines) {
    const [from, to] = [byId.get(line.source), byId.get(line.target)];
    if (!from || !to) continue;
    const corners = bendLine(from, to, direction);
    for (let leg = 1; leg < corners.length; leg += 1) {
      const away = distanceToLeg(at, corners[leg - 1]!, corners[leg]!);
      if (away <= min) [best, min] = [line, away];
    }
  }
  return best;
}

/** Segments are horizontal or vertical. */
function distanceToLeg({ x, y }: Point, from: Point, to: Point): number {
  const across = Math.max(Math.min(from.x, to.x) - x, 0, x - Math.max(from.x, to.x));
  const down = Math.max(Math.min(from.y, to.y) - y, 0, y - Math.max(from.y, to.y));
  return Math.hypot(across, down);
}

const getMiddle = ({ position, width = 0, height = 0 }: Node) => ({
  x: Math.round(position.x + width / 2),
  y: Math.round(position.y + height / 2),
});

/** Returns the topmost node at a point of the canvas. */
export const findNodeAt = (
  nodes: readonly Node[],
  { x, y }: { readonly x: number; readonly y: number },
): Node | undefined =>
  nodes.findLast(
    ({ type, position, width = 0, height = 0 }) =>
      type === 'step' &&
      x >= position.x &&
      y >= position.y &&
      x <= position.x + width &&
      y <= position.y + height,
  );

/** Returns the steps and handlers that intersect a box. */
export const findNodesIn = (
  nodes: readonly Node[],
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): readonly Node[] =>
  nodes.filter(
    ({ type, position, width = 0, height = 0 }) =>
      type === 'step' &&
      position.x < box.x + box.width &&
      position.y < box.y + box.height &&
      position.x + width > box.x &&
      position.y + height > box.y,
  );

/** Below this zoom a card is drawn as a plain box. */
export const overviewZoom = 0.22;
/** Up to this number of cards, each card is rendered individually at any zoom. */
export const maxIndividualCards = 150;

const noLines: Edge[] = [];
/** Hit distance of a line, in window pixels. */
const reach = 7;

interface Drawn {
  readonly cards: Node[];
  readonly lines: Edge[];
  readonly graph: CanvasGraph;
  readonly direction: Direction;
  /** Undefined until React Flow has a viewport. */
  readonly initialZoom: number | undefined;
  readonly select: (refs: readonly NodeRef[]) => void;
}

/**
 * Decides which cards and lines are rendered individually. A large zoomed-out graph is drawn as an image, with
 * only the selected, hovered and focused cards and lines on top.
 */
export function useOverviewCards({ cards, lines, graph, direction, initialZoom, select }: Drawn) {
  const isAfar = useStore(
    ({ panZoom, transform }) => (panZoom ? transform[2] : (initialZoom ?? 1)) < overviewZoom,
  );
  const isFar = isAfar && cards.length > maxIndividualCards;
  const current = useCanvasState((state) => state.current);
  const renaming = useCanvasState((state) => state.renaming);
  const selectedLine = useCanvasState((state) => state.selectedEdge);
  const [hovered, setHovered] = useState<string>();
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const onPaneMouseMove = useCallback(
    ({ clientX, clientY }: React.MouseEvent) => {
      const at = screenToFlowPosition({ x: clientX, y: clientY });
      const card = findNodeAt(cards, at)?.id;
      setHovered(card ?? findLineAt({ cards, lines, direction }, at, reach / getZoom())?.id);
    },
    [cards, lines, direction, screenToFlowPosition, getZoom],
  );
  // A line is rendered individually only between individually rendered cards.
  const individualLines = useMemo(
    () => lines.filter(({ id }) => id === hovered || id === selectedLine),
    [lines, hovered, selectedLine],
  );
  const selectIds = useCallback(
    (ids: readonly string[]) => select(ids.flatMap((id) => graph.byId.get(id)?.ref ?? [])),
    [graph, select],
  );
  useMarquee(isFar ? cards : undefined, selectIds);
  const individualCards = useMemo(() => {
    const isIndividual = ({ id, type, selected, zIndex }: Node): boolean =>
      type === 'lane' ||
      // A folded group.
      (type === 'sideBySide' && zIndex === 0) ||
      selected === true ||
      id === current ||
      id === hovered ||
      id === renaming ||
      individualLines.some(({ source, target }) => id === source || id === target);
    return cards.length > maxIndividualCards ? cards.filter(isIndividual) : undefined;
  }, [cards, current, hovered, renaming, individualLines]);
  useLeavingCards(individualCards);
  const elements = useMemo(
    () =>
      isFar && individualCards
        ? { nodes: individualCards, edges: individualLines, onPaneMouseMove }
        : { nodes: cards, edges: lines },
    [isFar, individualCards, individualLines, cards, lines, onPaneMouseMove],
  );
  return { isFar, elements };
}

/**
 * Removes the cards in the same render in which the view zooms out. React Flow updates its viewport first and
 * would otherwise mount every card in view, only to remove it again.
 */
function useLeavingCards(individualCards: Node[] | undefined): void {
  const flow = useStoreApi();
  useEffect(() => {
    if (!individualCards) return;
    return flow.subscribe(({ transform, setNodes, setEdges }, before) => {
      if (transform[2] >= overviewZoom || before.transform[2] < overviewZoom) return;
      setNodes(individualCards);
      setEdges(noLines);
    });
  }, [individualCards, flow]);
}

/** Selects by box while the cards are an image, which React Flow does not know. */
function useMarquee(cards: readonly Node[] | undefined, select: (ids: readonly string[]) => void): void {
  const flow = useStoreApi();
  useEffect(() => {
    if (!cards) return;
    let ids: readonly string[] = [];
    return flow.subscribe(({ userSelectionRect, userSelectionActive, transform }, before) => {
      if (userSelectionActive && userSelectionRect) {
        const [left, top, zoom] = transform;
        const { x, y, width, height } = userSelectionRect;
        const box = { x: (x - left) / zoom, y: (y - top) / zoom, width: width / zoom, height: height / zoom };
        ids = findNodesIn(cards, box).map(({ id }) => id);
      } else if (before.userSelectionActive && !userSelectionActive) {
        // After React Flow has set its own selection.
        queueMicrotask(() => select(ids));
      }
    });
  }, [cards, flow, select]);
}
