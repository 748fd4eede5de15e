import { useMemo } from 'react';
import { getSmoothStepPath, Handle, type Edge, type EdgeProps, type Node, type NodeProps } from 'reactflow';
import { useNextFireTimes } from '../../api/workflow-queries.ts';
import { useNow } from '../../base/clock.ts';
import { TriggerCard } from '../../features/schedules/trigger-card.tsx';
import { describeTriggers } from '../../format/labels.ts';
import { handleSidesFor } from '../../graph/build-graph.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import graphStyles from '../../graph/graph.module.css';
import { placeTrigger, triggerId } from '../../graph/graph-geometry.ts';
import { nextTimes } from '../inspector/schedule-widget.tsx';
import { useEditorCommands } from '../run/editor-commands.ts';
import { usePanels, useEditorSession, useSessionView } from '../session/panel-state.ts';
import { useCardZoom } from './card-content.tsx';
import type { CanvasGraph } from './canvas-graph.ts';
import { useCanvasState } from './canvas-store.ts';
import type { Positions } from './free-positions.ts';

type TriggerData = { readonly direction: Direction };

/** The trigger card at the head of the graph; a press opens its form. */
export function TriggerNode({ data }: NodeProps<Node<TriggerData>>) {
  const { fileName } = useEditorSession();
  const { editTriggers } = useEditorCommands();
  const workflow = useSessionView(({ validAnalysis }) => validAnalysis?.workflows[0]);
  const isCurrent = useSessionView(({ analysis, validAnalysis }) => analysis === validAnalysis);
  const stored = useNextFireTimes(fileName).data;
  const isSelected = usePanels(({ isTriggerShown }) => isTriggerShown);
  const zoom = useCardZoom();
  // Rounded to minutes, so that the times are computed once a minute.
  const now = Math.floor(useNow() / 60_000) * 60_000;
  const triggers = useMemo(() => workflow && describeTriggers(workflow), [workflow]);
  const zone = workflow?.timezone ?? stored?.zone;
  const next = useMemo(
    () => workflow && nextTimes({ ...workflow.schedule, stop: [] }, now, zone)[0]?.at,
    [workflow, now, zone],
  );
  return (
    <>
      <TriggerCard
        triggers={triggers ?? [{ kind: 'manual', words: 'Triggers' }]}
        next={next}
        isSuspended={stored?.suspended ?? false}
        note={isCurrent ? undefined : 'Fix the errors to update'}
        zoom={zoom}
        isSelected={isSelected}
        onOpen={editTriggers}
      />
      <Handle
        type="source"
        position={handleSidesFor(data.direction).source}
        isConnectable={false}
        className={graphStyles.handle}
      />
    </>
  );
}

/** The line from the trigger to a first step; it is no dependency, and cannot be selected. */
export function TriggerLine(props: EdgeProps) {
  const { sourceX, sourceY, targetX, targetY } = props;
  // Rounding of the measured positions must not bend a straight line.
  const source = {
    sourceX: Math.abs(sourceX - targetX) < 2 ? targetX : sourceX,
    sourceY: Math.abs(sourceY - targetY) < 2 ? targetY : sourceY,
  };
  const [path] = getSmoothStepPath({ ...props, ...source, borderRadius: 10 });
  return <path className={graphStyles.edge} d={path} markerEnd="url(#arrow-idle)" />;
}

interface TriggerElements {
  readonly nodes: readonly Node[];
  readonly lines: readonly Edge[];
}

const nothing: TriggerElements = { nodes: [], lines: [] };

interface DrawnElements {
  /** Whether the graph is drawn as an image, with few elements on top. */
  readonly isFar: boolean;
  readonly elements: { readonly nodes: Node[]; readonly edges: Edge[] };
}

/** Adds the trigger card and its lines to the React Flow elements; none for further workflows of the file. */
export function useTrigger<Drawn extends DrawnElements>(
  graph: CanvasGraph,
  direction: Direction,
  { isFar, elements }: Drawn,
): Drawn['elements'] {
  const positions = useCanvasState((state) => state.positions);
  const trigger = useMemo(
    () => (graph.isMain ? drawTrigger(graph, positions, direction) : nothing),
    [graph, positions, direction],
  );
  return useMemo(
    () => ({
      ...elements,
      nodes: [...trigger.nodes, ...elements.nodes],
      edges: isFar ? elements.edges : [...trigger.lines, ...elements.edges],
    }),
    [trigger, isFar, elements],
  );
}

function drawTrigger(graph: CanvasGraph, positions: Positions, direction: Direction): TriggerElements {
  const { box, targets } = placeTrigger(graph, positions, direction);
  const { x, y, width, height } = box;
  const isRight = direction === 'RIGHT';
  const position = handleSidesFor(direction).source;
  const handle = { x: isRight ? width : width / 2, y: isRight ? height / 2 : height, width: 1, height: 1 };
  const still = { draggable: false, selectable: false, connectable: false, focusable: false };
  return {
    nodes: [
      {
        ...{ id: triggerId, type: 'trigger', position: { x, y }, width, height, data: { direction } },
        ...{ handles: [{ type: 'source', position, ...handle }], ...still },
      },
    ],
    lines: targets.map((target) => ({
      ...{ id: `${triggerId}\n${target}`, source: triggerId, target, type: 'trigger' },
      ...{ selectable: false, focusable: false, domAttributes: { 'aria-hidden': true } },
    })),
  };
}
