import {
  type Edge,
  type Node,
  useReactFlow,
  type OnMove,
  type Viewport,
  Panel,
  useStore,
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
} from 'reactflow';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject, useMemo } from 'react';
import { Maximize, Minus, MoveHorizontal, MoveVertical, Plus } from 'lucide-react';
import 'reactflow/dist/base.css';
import { IconButton } from '../ui/button.tsx';
import { type GraphModel, handleSidesFor } from './build-graph.ts';
import { type GraphLayout, cardSize, type Direction } from './compute-layout.ts';
import {
  type StepEdgeData,
  type StepNodeData,
  ArrowHeads,
  LaneNode,
  MiniMapNode,
  miniMapSize,
  flowStates,
  StepEdge,
  StepNode,
  useCardBehaviour,
  useShowsAll,
} from './graph-nodes.tsx';
import { getBounds, viewportForAll, zoomRange } from './graph-geometry.ts';
import styles from './graph.module.css';
import type { NodeRef } from './workflow-graph.tsx';

type Behaviour = Pick<StepNodeData, 'onArrow' | 'onSelect'>;

/** Returns the React Flow nodes of a graph with its layout. They do not change during a run. */
function toFlowNodes(
  graph: GraphModel,
  layout: GraphLayout,
  direction: Direction,
  behaviour: Behaviour,
): Node[] {
  const all = [...graph.steps, ...graph.handlers];
  const cards = all.map((node) => ({
    id: node.id,
    type: 'step',
    position: layout.positions.get(node.id) ?? { x: 0, y: 0 },
    ...cardSize,
    handles: handlesFor(direction),
    data: { node, total: all.length, sides: handleSidesFor(direction), ...behaviour } satisfies StepNodeData,
  }));
  if (!layout.lane) return cards;
  const { x, y, width, height } = layout.lane;
  return [{ id: 'lane', type: 'lane', position: { x, y }, width, height, data: {}, zIndex: -1 }, ...cards];
}

/**
 * Positions of the handles, computed up front, so that lines can be drawn to cards outside the viewport, which
 * are not rendered.
 */
function handlesFor(direction: Direction): NonNullable<Node['handles']> {
  const { target, source } = handleSidesFor(direction);
  const { width, height } = cardSize;
  const isRight = direction === 'RIGHT';
  return [
    {
      type: 'target',
      position: target,
      x: isRight ? 0 : width / 2,
      y: isRight ? height / 2 : 0,
      width: 1,
      height: 1,
    },
    {
      type: 'source',
      position: source,
      x: isRight ? width : width / 2,
      y: isRight ? height / 2 : height,
      width: 1,
      height: 1,
    },
  ];
}

/** Returns the React Flow edges, each with its route from the layout. */
function toFlowEdges(graph: GraphModel, layout: GraphLayout): Edge<StepEdgeData>[] {
  return graph.edges.map(({ id, source, target, isInCycle = false }) => ({
    id,
    source,
    target,
    type: 'step',
    // Each card announces its dependencies; the lines would repeat them.
    domAttributes: { 'aria-hidden': true },
    data: { route: layout.routes.get(id) ?? [], isInCycle },
  }));
}

const fitMs = 180;

/**
 * Keeps the whole graph in view, also after a resize, until the user moves the view; fitting it manually
 * resumes that.
 * @returns `initial`: undefined until the frame has been measured
 */
function useFitView(layout: GraphLayout, frame: RefObject<HTMLElement | null>) {
  const { setViewport } = useReactFlow();
  const [initial, setInitial] = useState<Viewport>();
  const moved = useRef(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the frame must be measured before the first paint
  useLayoutEffect(() => setInitial(viewportForAll(layout, frame.current!)), [layout, frame]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (!moved.current && frame.current) void setViewport(viewportForAll(layout, frame.current));
    });
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, [layout, frame, setViewport]);
  const fit = (): void => {
    moved.current = false;
    void setViewport(viewportForAll(layout, frame.current!), { duration: fitMs });
  };
  // Programmatic moves carry no event.
  const onMoveStart: OnMove = useCallback((event) => {
    if (event) moved.current = true;
  }, []);
  const hold = (): void => {
    moved.current = true;
  };
  return { initial, fit, hold, onMoveStart };
}

interface GraphToolbarProps {
  readonly direction: Direction;
  readonly onDirection: (direction: Direction) => void;
  readonly onFit: () => void;
  /** Called when the user changes the zoom. */
  readonly onZoom: () => void;
}

const zoomMs = 150;

/** Zoom and direction of the graph. */
function GraphToolbar({ direction, onDirection, onFit, onZoom }: GraphToolbarProps) {
  const { zoomIn, zoomOut, zoomTo } = useReactFlow();
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const zoom = (change: (options: { duration: number }) => Promise<boolean>): void => {
    onZoom();
    void change({ duration: zoomMs });
  };
  const isRight = direction === 'RIGHT';
  return (
    <Panel position="bottom-left" className={styles.toolbar}>
      <IconButton label="Zoom out" icon={Minus} size="small" onPress={() => zoom(zoomOut)} />
      <button
        type="button"
        className={styles.percent}
        title="Zoom to 100%"
        onClick={() => zoom((options) => zoomTo(1, options))}
      >
        {percent}%
      </button>
      <IconButton label="Zoom in" icon={Plus} size="small" onPress={() => zoom(zoomIn)} />
      <IconButton label="Fit to view" icon={Maximize} size="small" onPress={onFit} />
      <IconButton
        label={isRight ? 'Vertical layout' : 'Horizontal layout'}
        icon={isRight ? MoveVertical : MoveHorizontal}
        size="small"
        onPress={() => onDirection(isRight ? 'DOWN' : 'RIGHT')}
      />
    </Panel>
  );
}

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
          {nodes.length > miniMapFrom && <Overview layout={layout} />}
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

function Overview({ layout }: { readonly layout: GraphLayout }) {
  const area = useMemo(() => getBounds(layout), [layout]);
  if (useShowsAll(area)) return null;
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
