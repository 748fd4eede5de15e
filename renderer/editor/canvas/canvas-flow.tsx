import { Background, BackgroundVariant, ReactFlow, SelectionMode, useReactFlow, type Edge } from 'reactflow';
import { useCallback, useMemo } from 'react';
import 'reactflow/dist/base.css';
import graphStyles from '../../graph/graph.module.css';
import { centeredCard, type Direction } from '../../graph/compute-layout.ts';
import { ArrowHeads } from '../../graph/graph-nodes.tsx';
import { zoomRange } from '../../graph/graph-geometry.ts';
import { usePanels } from '../session/panel-state.ts';
import { useEditorCommands } from '../run/editor-commands.ts';
import { useCanvasActions } from './canvas-actions.ts';
import styles from './canvas.module.css';
import type { DrawnWorkflow } from './canvas-graph.ts';
import type { CardPositions } from './card-positions.ts';
import { useCanvasState, useCanvasStore, type CanvasSelection } from './canvas-store.ts';
import type { SubWorkflowFolds } from './use-folds.ts';
import { OverviewLayer, Overview } from './overview.tsx';
import { maxIndividualCards, useOverviewCards } from './overview-cards.ts';
import { Card } from './card.tsx';
import { ConnectionHint, Line, useHoveredLine, useLines, useConnectionDrag } from './line.tsx';
import type { Line as LineType } from './flow-elements.ts';
import { ZoomScaledCard, useCards } from './card-content.tsx';
import { Lane, ParallelGroupBox } from './lane.tsx';
import { TriggerLine, TriggerNode, useTrigger } from './trigger-node.tsx';
import { useCanvasView, useFollowSelection } from './canvas-view.ts';
import { CanvasToolbar, EmptyCanvas } from './canvas-toolbar.tsx';
import { DropPreview } from './drag-snippet.tsx';

interface CanvasFlowProps {
  readonly drawn: DrawnWorkflow;
  readonly positions: CardPositions;
  readonly direction: Direction;
  readonly folds: SubWorkflowFolds;
  readonly selection: CanvasSelection;
  readonly box: React.RefObject<HTMLDivElement | null>;
  readonly isPaletteOpen: boolean;
  readonly onPalette: () => void;
}

const nodeTypes = { step: Card, lane: Lane, sideBySide: ParallelGroupBox, trigger: TriggerNode };
const edgeTypes = { step: Line, trigger: TriggerLine };
const lineStyles = ['idle', 'hot', 'broken'];

/** The React Flow graph of the canvas. */
export function CanvasFlow(props: CanvasFlowProps) {
  const { drawn, positions, direction, folds, selection, box, isPaletteOpen, onPalette } = props;
  const { graph, document, isBehind } = drawn;
  const { cards, onNodesChange, onDragStop } = useCards(graph, positions, folds, selection);
  const folded = useCanvasState((state) => state.folded);
  const lines = useLines(graph, positions.routes, folded);
  const { initial, onMoveStart } = useCanvasView({ graph, direction, layouts: positions.layouts, box });
  const drawing = useConnectionDrag(graph, document);
  const pointer = usePointer(selection);
  const end = useCanvasState((state) => state.drawing?.end);
  const { select } = selection;
  const far = useOverviewCards({ cards, lines, graph, direction, initialZoom: initial?.zoom, select });
  const elements = useTrigger(graph, direction, far);
  useFollowSelection(graph, selection, box);
  return (
    <div
      className={styles.flow}
      data-drawing={end}
      data-many={selection.ids.size > 1 || undefined}
      onDoubleClick={pointer.onDoubleClick}
    >
      <ArrowHeads variants={lineStyles} />
      {initial && (
        <ReactFlow
          {...behaviour}
          {...drawing}
          {...pointer.handlers}
          {...elements}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          defaultViewport={initial}
          minZoom={zoomRange.min}
          maxZoom={zoomRange.max}
          onNodesChange={onNodesChange}
          onNodeDragStop={onDragStop}
          onSelectionDragStop={(event, dragged) => onDragStop(event, undefined, dragged)}
          onMoveStart={onMoveStart}
          onlyRenderVisibleElements={cards.length > maxIndividualCards}
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.5} color="var(--canvas-dot)" />
          <CanvasToolbar
            direction={direction}
            onDirection={positions.layOut}
            isPaletteOpen={isPaletteOpen}
            onPalette={onPalette}
          />
          {far.isFar && <OverviewLayer cards={cards} lines={lines} direction={direction} />}
          <Overview cards={cards} />
          <ZoomScaledCard box={box} />
          <DropPreview graph={graph} direction={direction} />
        </ReactFlow>
      )}
      <ConnectionHint graph={graph} document={document} />
      {graph.total === 0 && <EmptyCanvas isPaletteOpen={isPaletteOpen} />}
      {isBehind && <div className={graphStyles.legend}>Invalid YAML. Showing the last valid version.</div>}
    </div>
  );
}

/** The canvas handles the keyboard itself. */
const behaviour = {
  nodesFocusable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: 'Shift',
  multiSelectionKeyCode: ['Control', 'Meta', 'Shift'] as string[],
  selectionMode: SelectionMode.Partial,
  panOnScroll: true,
  zoomOnDoubleClick: false,
  connectionRadius: 28,
  nodeDragThreshold: 4,
  connectionDragThreshold: 4,
  autoPanOnNodeFocus: false,
  elevateNodesOnSelect: false,
  selectNodesOnDrag: true,
  connectOnClick: false,
  proOptions: { hideAttribution: true },
};

/** Returns a function that converts the position of a pointer event to the canvas. */
function usePointerPosition() {
  const { screenToFlowPosition } = useReactFlow();
  return useCallback(
    ({ clientX: x, clientY: y }: React.MouseEvent | MouseEvent) => screenToFlowPosition({ x, y }),
    [screenToFlowPosition],
  );
}

/** Pointer actions other than dragging: lines, context menus, clicks on the empty canvas. */
function usePointer({ select, ids }: CanvasSelection) {
  const store = useCanvasStore();
  const { run, selection: placing } = useCanvasActions();
  const { enter, leave } = useHoveredLine();
  const toPosition = usePointerPosition();
  const page = useEditorCommands();
  const openMenu = useCallback(
    (event: React.MouseEvent | MouseEvent, subject: Parameters<typeof toMenu>[1]) => {
      event.preventDefault();
      store.setState({ overlay: toMenu({ x: event.clientX, y: event.clientY }, subject) });
    },
    [store],
  );
  const onDoubleClick = useCallback(
    (event: React.MouseEvent) => {
      if (!(event.target as Element).matches('.react-flow__pane')) return;
      const at = { x: event.clientX, y: event.clientY };
      const position = centeredCard(toPosition(event));
      store.setState({ overlay: { kind: 'picker', target: { at, position } } });
    },
    [store, toPosition],
  );
  const handlers = useMemo(
    () => ({
      onEdgeMouseEnter: (_event: unknown, { id }: Edge) => enter(id),
      onEdgeMouseLeave: leave,
      onEdgeClick(_event: unknown, { id }: Edge) {
        select([]);
        store.setState({ selectedEdge: id });
      },
      onNodeDoubleClick: () => run('edit'),
      onPaneClick(event: React.MouseEvent) {
        if (store.getState().isMoving) placing.moveTo(toPosition(event));
        else {
          store.setState({ selectedEdge: undefined, notice: undefined });
          usePanels.setState({ isTriggerShown: false });
          page.toggleWorkflow();
        }
      },
      onEdgeContextMenu(event: React.MouseEvent, line: Edge) {
        const { data } = line as LineType;
        if (data) openMenu(event, { kind: 'edge', edge: data.edge });
      },
      onNodeContextMenu(
        event: React.MouseEvent,
        { id, data }: { id: string; data: Record<string, unknown> },
      ) {
        if (!('node' in data)) return;
        const { ref } = data['node'] as { ref: Parameters<typeof select>[0][number] };
        if (!ids.has(id)) select([ref]);
        store.setState({ current: id });
        openMenu(event, { kind: 'node', ref });
      },
      onPaneContextMenu: (event: React.MouseEvent | MouseEvent) =>
        openMenu(event, { kind: 'pane', position: toPosition(event) }),
    }),
    [enter, leave, select, ids, store, run, placing, openMenu, toPosition, page],
  );
  return { handlers, onDoubleClick };
}

type MenuOverlay = Extract<
  NonNullable<ReturnType<ReturnType<typeof useCanvasStore>['getState']>['overlay']>,
  { kind: 'menu' }
>;
const toMenu = (at: MenuOverlay['at'], subject: MenuOverlay['subject']): MenuOverlay => ({
  kind: 'menu',
  at,
  subject,
});
