import { useMemo } from 'react';
import { useReactFlow, getSmoothStepPath, Position, useStore } from 'reactflow';
import { centeredCard, type Point, cardSize, type Direction } from '../../graph/compute-layout.ts';
import type { Snippet } from './snippets.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { CanvasGraph, CanvasNode } from './canvas-graph.ts';
import { useCanvasStore, useCanvasState } from './canvas-store.ts';
import { listGroups } from './flow-elements.ts';
import { getNodeBox } from './expanded-bounds.ts';
import styles from './canvas.module.css';

/** Pixels a pointer must move before a press becomes a drag. */
const threshold = 5;

/** A drop target for snippets. */
export interface SnippetTarget {
  /**
   * Called when the pointer is at this window position with a snippet.
   * @returns the effect of dropping it
   */
  over(at: Point): string | undefined;
  drop(snippet: Snippet, at: Point): void;
  /** Called when the drag has ended or moved elsewhere. */
  leave(): void;
}

interface Drag {
  readonly snippet: Snippet;
  readonly target: SnippetTarget;
  /** Displays the snippet during the drag, and the effect of dropping it; undefined ends the display. */
  readonly show: (dragged: { readonly at: Point; readonly words: string | undefined } | undefined) => void;
}

/**
 * Follows the pointer after a press on a snippet; Escape cancels. It uses pointer events, because HTML drag and
 * drop reports the element under the pointer late and incompletely, and does not support touch.
 * @returns a function that cancels the drag
 */
export function dragSnippet(press: React.PointerEvent, { snippet, target, show }: Drag): void {
  if (press.button !== 0) return;
  const start = { x: press.clientX, y: press.clientY };
  let isDragged = false;
  const onMove = (event: PointerEvent): void => {
    const at = { x: event.clientX, y: event.clientY };
    if (!isDragged && Math.hypot(at.x - start.x, at.y - start.y) < threshold) return;
    if (!isDragged) getSelection()?.removeAllRanges();
    isDragged = true;
    show({ at, words: target.over(at) });
  };
  const end = (): void => {
    show(undefined);
    target.leave();
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', end);
    window.removeEventListener('keydown', onKey, true);
  };
  const onUp = (event: PointerEvent): void => {
    if (isDragged) {
      swallowClick();
      target.drop(snippet, { x: event.clientX, y: event.clientY });
    }
    end();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    end();
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', end);
  window.addEventListener('keydown', onKey, true);
}

/** Suppresses the click that the browser fires when a drag ends on the element where it began. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  requestAnimationFrame(() => window.removeEventListener('click', swallow, true));
}

/**
 * Accepts snippets dropped on the canvas: on a line, the step is inserted between its ends; elsewhere it is the
 * last one of a sequential workflow, or has no connections.
 */
export function useSnippetTarget(graph: CanvasGraph, actions: CanvasActions): SnippetTarget {
  const store = useCanvasStore();
  const { screenToFlowPosition } = useReactFlow();
  return useMemo(() => {
    const getEnds = (lineId: string | undefined) => {
      const line = lineId === undefined ? undefined : graph.edges.find(({ id }) => id === lineId);
      const [source, target] = [graph.byId.get(line?.source ?? ''), graph.byId.get(line?.target ?? '')];
      return source && target ? { source, target } : undefined;
    };
    const sources = listDropSources(graph).map(({ name }) => name);
    return {
      over(at) {
        const hotEdge = findLine(at);
        const ends = getEnds(hotEdge);
        const isFree = !ends && isOnCanvas(at);
        store.setState({
          hotEdge,
          dropPosition: isFree ? centeredCard(screenToFlowPosition(at)) : undefined,
        });
        if (ends) return `between ${ends.source.name} and ${ends.target.name}`;
        return isFree && sources.length > 0 ? `after ${sources.join(', ')}` : undefined;
      },
      leave: () => store.setState({ hotEdge: undefined, dropPosition: undefined }),
      drop(snippet, at) {
        if (!isOnCanvas(at)) return;
        const ends = getEnds(findLine(at));
        if (ends)
          return void actions.add(snippet, { edge: { source: ends.source.ref, target: ends.target.ref } });
        void actions.add(snippet, { position: centeredCard(screenToFlowPosition(at)) });
      },
    };
  }, [graph, actions, store, screenToFlowPosition]);
}

const isOnCanvas = ({ x, y }: Point): boolean =>
  document.elementFromPoint(x, y)?.closest('[data-canvas]') !== null;

/** Returns the line at a point of the window. */
export function findLine({ x, y }: Point): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const line = element.closest<SVGElement>('.react-flow__edge');
    if (line) return line.dataset['id'];
  }
  return undefined;
}

/**
 * Returns the steps that a step dropped on the empty canvas will depend on: in a sequential workflow, where it is
 * the last one, those before it; otherwise none.
 */
export function listDropSources(graph: CanvasGraph): readonly CanvasNode[] {
  const last = graph.steps.at(-1);
  if (graph.type !== 'chain' || last === undefined) return [];
  return listGroups(graph).find(({ members }) => members.includes(last))?.members ?? [last];
}

interface DropPreviewProps {
  readonly graph: CanvasGraph;
  readonly direction: Direction;
}

/** While a new step is dragged over the empty canvas: where its card will be, and its connections. */
export function DropPreview({ graph, direction }: DropPreviewProps) {
  const card = useCanvasState(({ dropPosition }) => dropPosition);
  const positions = useCanvasState((state) => state.positions);
  const rooms = useCanvasState((state) => state.rooms);
  const [x, y, zoom] = useStore(({ transform }) => transform);
  if (card === undefined) return null;
  const target = handlesOf({ ...card, ...cardSize }, direction).target;
  const paths = listDropSources(graph).flatMap((node) => {
    const position = positions.get(node.id);
    if (!position) return [];
    const { source } = handlesOf(getNodeBox(node.id, position, rooms), direction);
    return [{ id: node.id, path: previewPath(source, target, direction) }];
  });
  return (
    <svg className={styles.dropPreview} aria-hidden="true">
      <g transform={`translate(${x} ${y}) scale(${zoom})`}>
        {paths.map(({ id, path }) => (
          <path key={id} d={path} />
        ))}
        <rect x={card.x} y={card.y} width={cardSize.width} height={cardSize.height} rx={8} />
      </g>
    </svg>
  );
}

const handlesOf = (
  box: Point & { readonly width: number; readonly height: number },
  direction: Direction,
): { readonly source: Point; readonly target: Point } => {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  return direction === 'RIGHT'
    ? { source: { x: box.x + box.width, y: middle.y }, target: { x: box.x, y: middle.y } }
    : { source: { x: middle.x, y: box.y + box.height }, target: { x: middle.x, y: box.y } };
};

function previewPath(source: Point, target: Point, direction: Direction): string {
  const [path] = getSmoothStepPath({
    ...{ sourceX: source.x, sourceY: source.y, targetX: target.x, targetY: target.y },
    sourcePosition: direction === 'RIGHT' ? Position.Right : Position.Bottom,
    targetPosition: direction === 'RIGHT' ? Position.Left : Position.Top,
    borderRadius: 10,
  });
  return path;
}
