import { useMemo, useState, useEffect, useRef, memo } from 'react';
import {
  useReactFlow,
  type Connection,
  type FinalConnectionState,
  type OnConnectStartParams,
  useConnection,
  EdgeLabelRenderer,
  Position,
  getSmoothStepPath,
  type EdgeProps,
} from 'reactflow';
import { Plus } from 'lucide-react';
import type { Dispose } from '../../../core/base/clock.ts';
import type { OutlineDocument } from '../../../core/edit/outline.ts';
import { systemClock } from '../../base/clock.ts';
import { cardSize, type Point } from '../../graph/compute-layout.ts';
import graphStyles from '../../graph/graph.module.css';
import { roundedPath, routeBackwards } from '../../graph/graph-geometry.ts';
import { useCanvasStore, type CanvasStore, useCanvasState } from './canvas-store.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import type { Routes } from './card-positions.ts';
import { reuseLines, toLines, type Line as FlowLine, type Line as LineType } from './flow-elements.ts';
import { useCanvasActions } from './canvas-actions.ts';
import { listInvalidTargets } from './connect-picker.tsx';
import { checkConnection } from '../../../core/edit/steps/check-connection.ts';
import styles from './canvas.module.css';

/** Time for the pointer to move from a line to its button, which is in another layer. */
const graceMs = 200;

const leaving = new WeakMap<CanvasStore, Dispose>();

/** Tracks the line under the pointer. */
export function useHoveredLine() {
  const store = useCanvasStore();
  return useMemo(() => {
    const stay = (): void => leaving.get(store)?.();
    return {
      enter(id: string): void {
        stay();
        store.setState({ hotEdge: id });
      },
      leave(): void {
        stay();
        leaving.set(
          store,
          systemClock.after(graceMs, () => store.setState({ hotEdge: undefined })),
        );
      },
    };
  }, [store]);
}

interface Drawn {
  readonly graph: CanvasGraph;
  readonly routes: Routes;
  readonly folded: ReadonlySet<string>;
}

/**
 * Returns the React Flow edges. The list is reused while no edge changes, because React Flow re-indexes a new
 * list.
 */
export function useLines(graph: CanvasGraph, routes: Routes, folded: ReadonlySet<string>): FlowLine[] {
  const now: Drawn = { graph, routes, folded };
  const [lineState, setLineState] = useState(() => ({ ...now, lines: toLines(graph, routes, folded) }));
  if (isDrawnEqual(lineState, now)) return lineState.lines;
  const lines = reuseLines(lineState.lines, toLines(graph, routes, folded));
  setLineState({ ...now, lines });
  return lines;
}

/** Folding depends on the steps, everything else on the edges; typing leaves the edges unchanged. */
const isDrawnEqual = (before: Drawn, now: Drawn): boolean =>
  before.routes === now.routes &&
  before.folded === now.folded &&
  (now.folded.size === 0 ? before.graph.edges === now.graph.edges : before.graph === now.graph);

type Pair = Pick<Connection, 'source' | 'target'>;

/** Draws a connection from one step to another by dragging. */
export function useConnectionDrag(graph: CanvasGraph, document: OutlineDocument) {
  const store = useCanvasStore();
  const actions = useCanvasActions();
  const { screenToFlowPosition } = useReactFlow();
  return useMemo(() => {
    const check = ({ source, target }: Pair) => {
      const [from, to] = [graph.byId.get(source), graph.byId.get(target)];
      return from && to && checkConnection(document, from.ref, to.ref);
    };
    return {
      isValidConnection: (pair: Pair) => check(pair) === undefined,
      onConnectStart(_event: unknown, { nodeId, handleType }: OnConnectStartParams) {
        if (nodeId === null || handleType === null) return;
        store.setState({
          notice: undefined,
          drawing: { end: handleType, invalidTargets: listInvalidTargets(graph, nodeId, handleType) },
        });
      },
      onConnect({ source, target }: Pair) {
        const [from, to] = [graph.byId.get(source), graph.byId.get(target)];
        if (from && to) actions.connect({ source: from.ref, target: to.ref });
      },
      onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState) {
        store.setState({ drawing: undefined });
        const { fromNode, toNode, isValid, fromHandle } = state;
        if (!fromNode || isValid === true) return;
        const isFromSource = fromHandle?.type === 'source';
        if (toNode) {
          const [source, target] = isFromSource ? [fromNode.id, toNode.id] : [toNode.id, fromNode.id];
          const error = source === target ? undefined : check({ source, target });
          // The reason was shown at the pointer; the notice only adds the way out.
          if (error) void actions.suggestOffer(error);
          return;
        }
        const at = getPoint(event);
        const { x, y } = screenToFlowPosition(at);
        const ref = graph.byId.get(fromNode.id)?.ref;
        const dropPosition = { x: isFromSource ? x : x - cardSize.width, y: y - cardSize.height / 2 };
        if (ref)
          store.setState({
            overlay: {
              kind: 'picker',
              target: { at, position: dropPosition, ...(isFromSource ? { after: ref } : { before: ref }) },
            },
          });
      },
    };
  }, [graph, document, store, actions, screenToFlowPosition]);
}

function getPoint(event: MouseEvent | TouchEvent) {
  const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event;
  return { x: clientX, y: clientY };
}

interface ConnectionHintProps {
  readonly graph: CanvasGraph;
  readonly document: OutlineDocument;
}

/** Hint at the pointer while a connection is drawn: why the step below cannot be its other end. */
export function ConnectionHint({ graph, document }: ConnectionHintProps) {
  const pair = useConnection((connection) => {
    if (!connection.inProgress || !connection.toNode) return undefined;
    const [from, to] = [connection.fromNode.id, connection.toNode.id];
    return JSON.stringify(connection.fromHandle.type === 'source' ? [from, to] : [to, from]);
  });
  const box = useRef<HTMLParagraphElement>(null);
  const reason =
    pair === undefined ? undefined : explain(graph, document, JSON.parse(pair) as [string, string]);
  useEffect(() => {
    const follow = ({ clientX, clientY }: PointerEvent | MouseEvent): void => {
      if (box.current) box.current.style.transform = `translate(${clientX + 14}px, ${clientY + 16}px)`;
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, []);
  return (
    <p ref={box} role="status" className={styles.hint} hidden={reason === undefined}>
      {reason}
    </p>
  );
}

function explain(
  graph: CanvasGraph,
  document: OutlineDocument,
  [from, to]: readonly [string, string],
): string | undefined {
  const [source, target] = [graph.byId.get(from), graph.byId.get(to)];
  return source && target && checkConnection(document, source.ref, target.ref)?.reason;
}

const cornerRadius = 10;
/** Largest distance between the end of a route and the end of the line, in pixels. */
const tolerance = 3;

/** The line from a step to a step that depends on it. */
export const Line = memo(function Line(props: EdgeProps<LineType>) {
  const { id, source, target, data } = props;
  const isHot = useCanvasState((state) => state.hotEdge === id);
  const isSelected = useCanvasState((state) => state.selectedEdge === id);
  const isNew = useCanvasState(({ added }) => added === target);
  const dimmed = useCanvasState(
    ({ highlighted }) => highlighted !== undefined && !(highlighted.has(source) && highlighted.has(target)),
  );
  const { path, middle } = drawPath(props);
  return (
    <>
      <path
        className={`${graphStyles.edge} ${styles.line}`}
        d={path}
        data-new={isNew || undefined}
        data-hot={isHot || undefined}
        data-selected={isSelected || undefined}
        data-dimmed={dimmed || undefined}
        data-flow={data?.isInCycle === true ? 'broken' : undefined}
        markerEnd={`url(#arrow-${isHot || isSelected ? 'hot' : data?.isInCycle === true ? 'broken' : 'idle'})`}
      />
      <path className={`react-flow__edge-interaction ${styles.hold}`} d={path} />
      {(isHot || isSelected) && data && <InsertButton id={id} data={data} at={middle} />}
    </>
  );
});

interface DrawnPath {
  readonly path: string;
  readonly middle: Point;
}

function drawPath(props: EdgeProps<LineType>): DrawnPath {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data } = props;
  const route = data?.route;
  if (route && isNear(route[0], sourceX, sourceY) && isNear(route.at(-1), targetX, targetY))
    return { path: roundedPath(route), middle: getMiddle(route) };
  const detour = routeBackwards(
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
    sourcePosition === Position.Right ? 'RIGHT' : 'DOWN',
  );
  if (detour) return { path: roundedPath(detour), middle: getMiddle(detour) };
  const [path, x, y] = getSmoothStepPath({
    ...{ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition },
    borderRadius: cornerRadius,
  });
  return { path, middle: { x, y } };
}

const isNear = (point: Point | undefined, x: number, y: number): boolean =>
  point !== undefined && Math.abs(point.x - x) <= tolerance && Math.abs(point.y - y) <= tolerance;

/** Returns the midpoint of a route. */
function getMiddle(route: readonly Point[]): Point {
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
        style={{
          transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px) scale(var(--grow-button, 1))`,
        }}
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
