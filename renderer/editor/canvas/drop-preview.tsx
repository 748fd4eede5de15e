import { getSmoothStepPath, Position, useStore } from 'reactflow';
import { cardSize, type Direction, type Point } from '../../graph/compute-layout.ts';
import type { CanvasGraph, CanvasNode } from './canvas-graph.ts';
import { useCanvasState } from './canvas-store.ts';
import { listGroups } from './flow-elements.ts';
import { getNodeBox } from './expanded-bounds.ts';
import styles from './canvas.module.css';

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
