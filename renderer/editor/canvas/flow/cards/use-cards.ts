import { useCallback, useEffect, useMemo, useState } from 'react';
import { applyNodeChanges, type Node, type NodeChange } from 'reactflow';
import type { CanvasGraph } from '../../model/canvas-graph.ts';
import { layOutHandlerLane } from '../../places/handler-lane.ts';
import type { CardPositions } from '../../places/use-places.ts';
import { useCanvasState } from '../../state/canvas-store.ts';
import type { CanvasSelection } from '../../state/use-canvas-selection.ts';
import type { SubWorkflowFolds } from '../../sub-workflow/use-folds.ts';
import { toCards } from '../flow-elements.ts';

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
