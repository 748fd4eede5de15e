import { useStore, type ReactFlowState, applyNodeChanges, type Node, type NodeChange } from 'reactflow';
import { Hand } from 'lucide-react';
import { useEffect, type RefObject, useCallback, useMemo, useState } from 'react';
import { cardSize } from '../../graph/compute-layout.ts';
import { CardBody, type CardText, type StepAppearance } from '../../graph/step-card.tsx';
import { stepIcons } from '../../graph/step-icon.ts';
import { StatusShape } from '../../ui/status.tsx';
import { overviewZoom } from './overview-cards.ts';
import styles from './card.module.css';
import type { CanvasGraph } from './canvas-graph.ts';
import { layOutHandlerLane } from './free-positions.ts';
import type { CardPositions } from './card-positions.ts';
import { useCanvasState, type CanvasSelection } from './canvas-store.ts';
import type { SubWorkflowFolds } from './use-folds.ts';
import { toCards } from './flow-elements.ts';

/** Level of detail of a card. */
export type CardZoom = 'near' | 'simple' | 'far';

/** Below this zoom a card has only its name; below {@link overviewZoom} it is a plain box. */
const simpleZoom = 0.6;
const getZoom = ({ transform }: ReactFlowState): CardZoom =>
  transform[2] < overviewZoom ? 'far' : transform[2] < simpleZoom ? 'simple' : 'near';

export const useCardZoom = (): CardZoom => useStore(getZoom);

interface CardContentProps {
  readonly node: CardText;
  readonly size: CardZoom;
  readonly appearance: StepAppearance | undefined;
  /** Problem mark of the step; at medium zoom it replaces the icon. */
  readonly mark?: React.ReactNode;
  /** Shown at the end of the summary line. */
  readonly end?: React.ReactNode;
}

/** The content of a card: nothing when zoomed out far, only an enlarged name at medium zoom. */
export function CardContent({ node, size, appearance, mark, end }: CardContentProps) {
  if (size === 'far') return null;
  if (size === 'simple') {
    const Icon = stepIcons[node.kind];
    return (
      <span className={styles.simple} aria-hidden="true">
        {mark ?? <Icon size={22} className={styles.icon} />}
        <span className={styles.name} dir="auto">
          {node.name}
        </span>
        {appearance?.asks === true && <Hand size={22} className={styles.hand} />}
        {appearance && <StatusShape status={appearance.status} size={26} />}
      </span>
    );
  }
  return <CardBody node={node} appearance={appearance} mark={mark} end={end} detailLine={styles.does} />;
}

/** Growth changes in steps of this factor, since each change recalculates the style of the whole canvas. */
const step = 1.4;

const growthAt = (zoom: number): number =>
  zoom >= 1 ? 1 : step ** Math.ceil(Math.log(1 / zoom) / Math.log(step));

/** Size of the button on a line at 100%, in pixels, as in canvas.module.css. */
const buttonSize = 24;

/** Returns the growth of the button on a line, which never becomes larger than a card. */
export const buttonGrowthAt = (zoom: number): number =>
  Math.min(growthAt(zoom), cardSize.height / buttonSize);

/** Keeps lines and their buttons at a constant screen size by setting CSS variables. */
export function ZoomScaledCard({ box }: { readonly box: RefObject<HTMLElement | null> }): null {
  const growth = useStore(({ transform }) => growthAt(transform[2]));
  const button = useStore(({ transform }) => buttonGrowthAt(transform[2]));
  useEffect(() => {
    box.current?.style.setProperty('--grow', growth.toFixed(2));
    box.current?.style.setProperty('--grow-button', button.toFixed(2));
  }, [box, growth, button]);
  return null;
}

/** Returns the React Flow nodes and the handlers of pointer actions on them. */
export function useCards(
  graph: CanvasGraph,
  positions: CardPositions,
  folds: SubWorkflowFolds,
  selection: CanvasSelection,
) {
  const { direction = 'RIGHT' } = positions;
  const rooms = useCanvasState((state) => state.rooms);
  const spots = useCanvasState((state) => state.positions);
  const lane = useMemo(() => layOutHandlerLane(graph, spots, rooms), [graph, spots, rooms]);
  const folded = useCanvasState((state) => state.folded);
  const { ids, select } = selection;
  const draw = useCallback(
    (before: readonly Node[]) =>
      toCards({ graph, positions: spots, rooms, lane, direction, selected: ids, folded, folds }, before),
    [graph, spots, rooms, lane, direction, ids, folded, folds],
  );
  const [cards, setCards] = useState<Node[]>(() => draw([]));
  // oxlint-disable-next-line react/set-state-in-effect -- React Flow owns the nodes during a drag
  useEffect(() => setCards(draw), [draw]);
  const onNodesChange = useCallback(
    (changes: NodeChange[]) => {
      const relevantChanges = changes.filter(({ type }) => type !== 'remove' && type !== 'select');
      if (relevantChanges.length > 0) setCards((before) => applyNodeChanges(relevantChanges, before));
      const chosen = new Set(ids);
      for (const change of changes) {
        if (change.type !== 'select') continue;
        if (change.selected) chosen.add(change.id);
        else chosen.delete(change.id);
      }
      const isSame = chosen.size === ids.size && [...chosen].every((id) => ids.has(id));
      if (!isSame) select([...chosen].flatMap((id) => graph.byId.get(id)?.ref ?? []));
    },
    [graph, ids, select],
  );
  const onDragStop = useCallback(
    (_event: unknown, _card: unknown, dragged: readonly Node[]) =>
      positions.move(new Map(dragged.map(({ id, position }) => [id, position]))),
    [positions],
  );
  return { cards, lane, onNodesChange, onDragStop };
}
