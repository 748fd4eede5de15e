import { useCallback, useEffect, useMemo, useState } from 'react';
import { useReactFlow, useStore, useStoreApi, type Edge, type Node } from 'reactflow';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { useCanvasState } from '../state/canvas-store.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import { findLineAt, findNodeAt, findNodesIn } from './draw-shapes.ts';

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
  const ownLines = useMemo(
    () => lines.filter(({ id }) => id === hovered || id === selectedLine),
    [lines, hovered, selectedLine],
  );
  const selectIds = useCallback(
    (ids: readonly string[]) => select(ids.flatMap((id) => graph.byId.get(id)?.ref ?? [])),
    [graph, select],
  );
  useMarquee(isFar ? cards : undefined, selectIds);
  const own = useMemo(() => {
    const isOwn = ({ id, type, selected, zIndex }: Node): boolean =>
      type === 'lane' ||
      // A folded group.
      (type === 'sideBySide' && zIndex === 0) ||
      selected === true ||
      id === current ||
      id === hovered ||
      id === renaming ||
      ownLines.some(({ source, target }) => id === source || id === target);
    return cards.length > maxIndividualCards ? cards.filter(isOwn) : undefined;
  }, [cards, current, hovered, renaming, ownLines]);
  useLeavingCards(own);
  const elements = useMemo(
    () => (isFar && own ? { nodes: own, edges: ownLines, onPaneMouseMove } : { nodes: cards, edges: lines }),
    [isFar, own, ownLines, cards, lines, onPaneMouseMove],
  );
  return { isFar, elements };
}

/**
 * Removes the cards in the same render in which the view zooms out. React Flow updates its viewport first and
 * would otherwise mount every card in view, only to remove it again.
 */
function useLeavingCards(own: Node[] | undefined): void {
  const flow = useStoreApi();
  useEffect(() => {
    if (!own) return;
    return flow.subscribe(({ transform, setNodes, setEdges }, before) => {
      if (transform[2] >= overviewZoom || before.transform[2] < overviewZoom) return;
      setNodes(own);
      setEdges(noLines);
    });
  }, [own, flow]);
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
