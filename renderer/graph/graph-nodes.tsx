import {
  useStore,
  type ReactFlowState,
  type MiniMapNodeProps,
  Handle,
  type Position,
  type Node,
  type NodeProps,
  type Rect,
  useReactFlow,
  type Edge,
  type EdgeProps,
} from 'reactflow';
import { Hand } from 'lucide-react';
import { memo, useCallback, useMemo, type RefObject } from 'react';
import { isFulfilled, type StepStatus } from '../../core/model/run.ts';
import { StatusShape } from '../ui/status.tsx';
import styles from './graph.module.css';
import { useNodeState } from './graph-store.ts';
import { getColour, CardBody, CardTime, formatNode, type StepAppearance } from './step-card.tsx';
import type { GraphNode, GraphModel } from './build-graph.ts';
import { type GraphLayout, cardSize, type Point } from './compute-layout.ts';
import { findNearestNode, roundedPath, showsAll } from './graph-geometry.ts';
import type { NodeRef } from './workflow-graph.tsx';

/** Level of detail of a card. */
type CardZoom = 'near' | 'simple' | 'far';

/** Below this zoom a card has only name, status and time, in larger letters. */
const simpleZoom = 0.75;
/** Below this zoom it is a plain colored box, because its text would be illegible. */
const overviewZoom = 0.4;
const readZoom = ({ transform: [, , zoom] }: ReactFlowState): CardZoom =>
  zoom < overviewZoom ? 'far' : zoom < simpleZoom ? 'simple' : 'near';

const useCardZoom = (): CardZoom => useStore(readZoom);

/** The lane behind the handlers, which do not run among the steps. */
export function LaneNode() {
  return (
    <div className={styles.lane} data-zoom={useCardZoom()}>
      <span>Handlers</span>
    </div>
  );
}

/** In pixels, as in graph.module.css: React Flow draws the minimap for a specified size and clips the rest. */
export const miniMapSize = { width: 168, height: 104 } as const;

/** Whether the viewport contains all of an area: a minimap would only cover cards. */
export const useShowsAll = (area: Rect): boolean =>
  useStore(({ transform: [x, y, zoom], width, height }) => showsAll({ x, y, zoom }, { width, height }, area));

/** A card in the minimap: a box in the color of its status. */
export function MiniMapNode({ id, x, y, width, height }: MiniMapNodeProps) {
  const colour = useNodeState(({ appearances }) => getColour(appearances.get(id)), id);
  if (id === 'lane') return null;
  return <rect x={x} y={y} width={width} height={height} rx={8} fill={colour} />;
}

/** Data of a card in React Flow. */
export interface StepNodeData extends Record<string, unknown> {
  readonly node: GraphNode;
  readonly total: number;
  /** Sides of incoming and outgoing lines. */
  readonly sides: { readonly source: Position; readonly target: Position };
  /** Moves the focus by an arrow key. Returns whether there was a card to move to. */
  readonly onArrow: (id: string, key: string) => boolean;
  readonly onSelect: (id: string) => void;
}

/** The card of a step. */
export const StepNode = memo(function StepNode({ id, data }: NodeProps<Node<StepNodeData>>) {
  const { node, total, sides, onArrow, onSelect } = data;
  const appearance = useNodeState(({ appearances }) => appearances.get(id), id);
  const selected = useNodeState((store) => store.selected === id, id);
  const zoom = useCardZoom();
  const far = zoom === 'far';
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (onArrow(id, event.key)) event.preventDefault();
  };
  return (
    <>
      <Handle type="target" position={sides.target} isConnectable={false} className={styles.handle} />
      <div
        className={styles.card}
        data-status={appearance?.status ?? 'none'}
        data-asks={appearance?.asks || undefined}
        data-selected={selected || undefined}
        data-zoom={zoom}
        style={{ '--mark': getColour(appearance) } as React.CSSProperties}
      >
        {far ? (
          appearance && <StatusDot appearance={appearance} />
        ) : (
          <CardBody
            node={node}
            appearance={appearance}
            end={appearance && <CardTime appearance={appearance} />}
          />
        )}
        {/* The whole card is the button; its accessible name is a sentence, so the texts above are hidden from
            it. */}
        <button
          type="button"
          className={styles.press}
          data-node-id={id}
          aria-label={formatNode(node, appearance, total)}
          aria-pressed={selected}
          title={far ? node.name : [node.detail, ...node.traits].join('\n')}
          onClick={() => onSelect(id)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Handle type="source" position={sides.source} isConnectable={false} className={styles.handle} />
    </>
  );
});

/** The status of a step, for small zoom levels. */
const StatusDot = ({ appearance }: { readonly appearance: StepAppearance }) =>
  appearance.asks ? (
    <Hand className={styles.hand} size={40} aria-hidden="true" />
  ) : (
    <StatusShape status={appearance.status} size={40} />
  );

/** Card behavior: selection, and moving the focus to neighbors. */
export function useCardBehaviour(
  graph: GraphModel,
  layout: GraphLayout,
  box: RefObject<HTMLDivElement | null>,
  onSelect: ((node: NodeRef) => void) | undefined,
) {
  const { setCenter, getZoom } = useReactFlow();
  const select = useCallback(
    (id: string) => {
      const node = [...graph.steps, ...graph.handlers].find((one) => one.id === id);
      if (node) onSelect?.({ section: node.section, name: node.name });
    },
    [graph, onSelect],
  );
  const moveFocus = useCallback(
    (id: string, key: string) => {
      const next = findNearestNode(layout.positions, id, key);
      const position = next === undefined ? undefined : layout.positions.get(next);
      if (next === undefined || !position) return false;
      const focus = (): boolean => {
        const card = box.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(next)}"]`);
        card?.focus({ preventScroll: true });
        return card !== null && card !== undefined && isInside(card, box.current!);
      };
      if (focus()) return true;
      // Outside the viewport, or not rendered: center it first.
      void setCenter(position.x + cardSize.width / 2, position.y + cardSize.height / 2, {
        zoom: getZoom(),
      }).then(() => requestAnimationFrame(focus));
      return true;
    },
    [layout, box, setCenter, getZoom],
  );
  return useMemo(() => ({ onArrow: moveFocus, onSelect: select }), [moveFocus, select]);
}

function isInside(element: HTMLElement, frame: HTMLElement): boolean {
  const inner = element.getBoundingClientRect();
  const outer = frame.getBoundingClientRect();
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}

export interface StepEdgeData extends Record<string, unknown> {
  readonly route: readonly Point[];
  readonly isInCycle: boolean;
}

/** The line from a step to a step that depends on it. */
export const StepEdge = memo(function StepEdge({ source, target, data }: EdgeProps<Edge<StepEdgeData>>) {
  const flow = useNodeState(
    ({ appearances }) =>
      data?.isInCycle === true
        ? 'broken'
        : findFlow(appearances.get(source)?.status, appearances.get(target)?.status),
    source,
    target,
  );
  const path = roundedPath(data?.route ?? []);
  return (
    <>
      {flow === 'running' && <path className={styles.glow} d={path} />}
      <path className={styles.edge} data-flow={flow} d={path} markerEnd={`url(#arrow-${flow})`} />
    </>
  );
});

type Flow = 'idle' | 'done' | 'running' | 'broken';

/** Returns the state of a line from the statuses of its two ends. */
function findFlow(source: StepStatus | undefined, target: StepStatus | undefined): Flow {
  if (target === 'running') return 'running';
  if (source === 'failed' || source === 'aborted') return target === 'succeeded' ? 'done' : 'broken';
  const passed = source !== undefined && isFulfilled(source);
  return passed && target !== undefined && target !== 'not_started' && target !== 'skipped' ? 'done' : 'idle';
}

/** All states of a line. */
export const flowStates: readonly Flow[] = ['idle', 'done', 'running', 'broken'];

/** SVG markers for arrow heads, referenced as `url(#arrow-LOOK)`; one set serves all lines of a canvas. */
export function ArrowHeads({ variants }: { readonly variants: readonly string[] }) {
  return (
    <svg className={styles.markers} aria-hidden="true">
      <defs>
        {variants.map((variant) => (
          <marker
            key={variant}
            id={`arrow-${variant}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path className={styles.arrow} data-variant={variant} d="M1 1l6 3-6 3z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
