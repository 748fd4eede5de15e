import { Plus } from 'lucide-react';
import { memo } from 'react';
import { EdgeLabelRenderer, getSmoothStepPath, type EdgeProps } from 'reactflow';
import graphStyles from '../../../../graph/graph.module.css';
import type { Point } from '../../../../graph/layout/compute-layout.ts';
import { roundedPath } from '../../../../graph/layout/edge-path.ts';
import { useCanvasState, useCanvasStore } from '../../state/canvas-store.ts';
import styles from '../../canvas.module.css';
import type { Line as LineType } from '../flow-elements.ts';
import { useHoveredLine } from './use-hot-line.ts';

const cornerRadius = 10;
/** Largest distance between the end of a route and the end of the line, in pixels. */
const tolerance = 3;

/** The line from a step to a step that depends on it. */
export const Line = memo(function Line(props: EdgeProps<LineType>) {
  const { id, source, target, data } = props;
  const isHot = useCanvasState((state) => state.hotEdge === id);
  const isSelected = useCanvasState((state) => state.selectedEdge === id);
  const dimmed = useCanvasState(
    ({ highlighted }) => highlighted !== undefined && !(highlighted.has(source) && highlighted.has(target)),
  );
  const { path, middle } = drawPath(props);
  return (
    <>
      <path
        className={`${graphStyles.edge} ${styles.line}`}
        d={path}
        data-hot={isHot || undefined}
        data-selected={isSelected || undefined}
        data-dimmed={dimmed || undefined}
        markerEnd={isHot || isSelected ? 'url(#arrow-hot)' : 'url(#arrow-idle)'}
      />
      <path className={`react-flow__edge-interaction ${styles.hold}`} d={path} />
      {(isHot || isSelected) && data && <InsertButton id={id} data={data} at={middle} />}
    </>
  );
});

interface Drawn {
  readonly path: string;
  readonly middle: Point;
}

function drawPath(props: EdgeProps<LineType>): Drawn {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data } = props;
  const route = data?.route;
  if (route && isNear(route[0], sourceX, sourceY) && isNear(route.at(-1), targetX, targetY))
    return { path: roundedPath(route), middle: middleOf(route) };
  const [path, x, y] = getSmoothStepPath({
    ...{ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition },
    borderRadius: cornerRadius,
  });
  return { path, middle: { x, y } };
}

const isNear = (point: Point | undefined, x: number, y: number): boolean =>
  point !== undefined && Math.abs(point.x - x) <= tolerance && Math.abs(point.y - y) <= tolerance;

/** Returns the midpoint of a route. */
function middleOf(route: readonly Point[]): Point {
  const legs = route.slice(1).map((end, index) => {
    const start = route[index]!;
    return { start, end, length: Math.hypot(end.x - start.x, end.y - start.y) };
  });
  let rest = legs.reduce((sum, { length }) => sum + length, 0) / 2;
  for (const { start, end, length } of legs) {
    if (rest <= length && length > 0) {
      const share = rest / length;
      return { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share };
    }
    rest -= length;
  }
  return route[0] ?? { x: 0, y: 0 };
}

function InsertButton({
  id,
  data,
  at,
}: {
  readonly id: string;
  readonly data: LineType['data'];
  readonly at: Point;
}) {
  const store = useCanvasStore();
  const { enter, leave } = useHoveredLine();
  if (!data) return null;
  const { edge } = data;
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        tabIndex={-1}
        className={`${styles.insert} nodrag nopan`}
        style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px) scale(var(--grow, 1))` }}
        aria-label={`Insert a step between ${edge.source.name} and ${edge.target.name}`}
        title="Insert a step here"
        onMouseEnter={() => enter(id)}
        onMouseLeave={leave}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          store.setState({
            overlay: { kind: 'picker', target: { at: { x: box.right, y: box.top }, edge } },
          });
        }}
      >
        <Plus size={14} aria-hidden="true" />
      </button>
    </EdgeLabelRenderer>
  );
}
