import { useCallback, useMemo, useRef } from 'react';
import {
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  type FitViewOptions,
} from 'reactflow';
import 'reactflow/dist/base.css';
import type { GraphModel } from './build-graph.ts';
import type { GraphLayout } from './compute-layout.ts';
import { toFlowEdges, toFlowNodes } from './flow-elements.ts';
import styles from './graph.module.css';
import { GraphToolbar } from './graph-toolbar.tsx';
import { LaneNode } from './lane-node.tsx';
import { cardSize, type Direction } from './layout-input.ts';
import { MiniMapNode } from './mini-map-node.tsx';
import { findNearestNode } from './nearest-node.ts';
import { EdgeMarkers, StepEdge } from './step-edge.tsx';
import { StepNode } from './step-node.tsx';
import type { NodeRef } from './workflow-graph.tsx';

interface GraphCanvasProps {
  readonly graph: GraphModel;
  readonly layout: GraphLayout;
  readonly direction: Direction;
  readonly onDirection: (direction: Direction) => void;
  readonly onSelect: ((node: NodeRef) => void) | undefined;
}

const nodeTypes = { step: StepNode, lane: LaneNode };
const edgeTypes = { step: StepEdge };
/** Room is left for the toolbar in the corner. */
const fit: FitViewOptions = {
  padding: { top: '24px', left: '28px', right: '28px', bottom: '56px' },
  maxZoom: 1,
};
const miniMapFrom = 30;
const cullFrom = 200;
const dotGap = 20;

/** The drawing surface; it lives as long as the layout it shows. */
export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ graph, layout, direction, onDirection, onSelect }: GraphCanvasProps) {
  const { fitView } = useReactFlow();
  const box = useRef<HTMLDivElement>(null);
  const behaviour = useGraphBehaviour(graph, layout, box, onSelect);
  const nodes = useMemo(
    () => toFlowNodes(graph, layout, direction, behaviour),
    [graph, layout, direction, behaviour],
  );
  const edges = useMemo(() => toFlowEdges(graph, layout), [graph, layout]);
  const count = graph.steps.length + graph.handlers.length;
  return (
    <div ref={box} className={styles.canvas}>
      <EdgeMarkers />
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={fit}
        minZoom={0.05}
        maxZoom={1.75}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        panOnScroll
        zoomOnDoubleClick={false}
        onlyRenderVisibleElements={count > cullFrom}
        proOptions={{ hideAttribution: true }}
      >
        <Background variant={BackgroundVariant.Dots} gap={dotGap} size={1.5} color="var(--canvas-dot)" />
        <GraphToolbar
          direction={direction}
          onDirection={onDirection}
          onFit={() => void fitView({ ...fit, duration: 180 })}
        />
        {count > miniMapFrom && (
          <MiniMap
            className={styles.miniMap}
            nodeComponent={MiniMapNode}
            maskColor="var(--mini-mask)"
            bgColor="transparent"
            pannable
            zoomable
            ariaLabel="Overview of the graph"
          />
        )}
      </ReactFlow>
    </div>
  );
}

/** What cards do: select themselves, and hand the focus to their neighbours. */
function useGraphBehaviour(
  graph: GraphModel,
  layout: GraphLayout,
  box: React.RefObject<HTMLDivElement | null>,
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
      const next = findNearestNode(layout.places, id, key);
      const place = next === undefined ? undefined : layout.places.get(next);
      if (next === undefined || !place) return false;
      const focus = (): boolean => {
        const card = box.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(next)}"]`);
        card?.focus({ preventScroll: true });
        return card !== null && card !== undefined && isInside(card, box.current!);
      };
      if (focus()) return true;
      // Out of sight, or not even drawn: bring it to the middle first.
      void setCenter(place.x + cardSize.width / 2, place.y + cardSize.height / 2, { zoom: getZoom() }).then(
        () => requestAnimationFrame(focus),
      );
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
