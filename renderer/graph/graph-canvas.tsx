import { useMemo, useRef } from 'react';
import {
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useStore,
  type Edge,
} from 'reactflow';
import 'reactflow/dist/base.css';
import { ArrowHeads } from './arrow-heads.tsx';
import type { GraphModel } from './build-graph.ts';
import type { GraphLayout } from './layout/compute-layout.ts';
import { toFlowEdges, toFlowNodes } from './flow-elements.ts';
import styles from './graph.module.css';
import { GraphToolbar } from './graph-toolbar.tsx';
import { zoomRange } from './layout/graph-viewport.ts';
import { LaneNode } from './cards/lane-node.tsx';
import type { Direction } from './layout/layout-input.ts';
import { MiniMapNode } from './cards/mini-map-node.tsx';
import { miniMapSize } from './mini-map-size.ts';
import { flowStates, StepEdge } from './step-edge.tsx';
import { StepNode } from './cards/step-node.tsx';
import { useCardBehaviour } from './cards/use-card-behaviour.ts';
import { useFitView } from './use-fitted-view.ts';
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
const miniMapFrom = 30;
const cullFrom = 200;
/** Below this zoom the lines of a large graph are indistinct and expensive to draw. */
const edgeZoom = 0.12;
/** From this number of cards, animations are off: they are expensive, and many at once are not helpful. */
const maxAnimatedCards = 100;
const noEdges: Edge[] = [];
const dotGap = 20;

/** The drawing surface; recreated for each layout. */
export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ graph, layout, direction, onDirection, onSelect }: GraphCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const { initial, fit, hold, onMoveStart } = useFitView(layout, box);
  const behaviour = useCardBehaviour(graph, layout, box, onSelect);
  const nodes = useMemo(
    () => toFlowNodes(graph, layout, direction, behaviour),
    [graph, layout, direction, behaviour],
  );
  const edges = useMemo(() => toFlowEdges(graph, layout), [graph, layout]);
  const withEdges = useStore(({ transform }) => transform[2] >= edgeZoom) || edges.length < cullFrom;
  return (
    <div ref={box} className={styles.canvas} data-calm={nodes.length > maxAnimatedCards || undefined}>
      <ArrowHeads variants={flowStates} />
      {initial && (
        <ReactFlow
          {...behaviourProps}
          nodes={nodes}
          edges={withEdges ? edges : noEdges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          defaultViewport={initial}
          onMoveStart={onMoveStart}
          minZoom={zoomRange.min}
          maxZoom={zoomRange.max}
          onlyRenderVisibleElements={nodes.length > cullFrom}
        >
          <Background variant={BackgroundVariant.Dots} gap={dotGap} size={1.5} color="var(--canvas-dot)" />
          <GraphToolbar direction={direction} onDirection={onDirection} onFit={fit} onZoom={hold} />
          {nodes.length > miniMapFrom && <Overview />}
        </ReactFlow>
      )}
    </div>
  );
}

/** The graph is read-only here; the cards handle the keyboard themselves. */
const behaviourProps = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  panOnScroll: true,
  zoomOnDoubleClick: false,
  proOptions: { hideAttribution: true },
} as const;

function Overview() {
  return (
    <MiniMap
      className={styles.miniMap}
      style={miniMapSize}
      nodeComponent={MiniMapNode}
      maskColor="var(--mini-mask)"
      bgColor="transparent"
      pannable
      zoomable
      ariaLabel="Minimap"
    />
  );
}
