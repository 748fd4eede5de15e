import { useEffect, type RefObject } from 'react';
import { useReactFlow } from 'reactflow';
import { usePanels } from '../../page/layout/panel-state.ts';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { boxesOf, bringInside, freeExtent } from '../places/view-bounds.ts';
import { useCanvasStore } from '../state/canvas-store.ts';

/**
 * Once the inspector has come above the canvas: shows everything beside it, unless everything is seen there, something is
 * being dragged or chosen from a menu, or the user has chosen the view, be it while the inspector came.
 */
export function useUncoveredView(graph: CanvasGraph, frameRef: RefObject<HTMLElement | null>): void {
  const { getNodes, getViewport } = useReactFlow();
  const { fit } = useCanvasActions();
  const store = useCanvasStore();
  const isCovering = usePanels((state) => state.isCovering);
  useEffect(() => {
    const frame = frameRef.current;
    const { drawing, overlay, isViewChosen } = store.getState();
    if (!isCovering || isViewChosen || !frame) return;
    if (drawing || overlay || getNodes().some(({ dragging }) => dragging)) return;
    const free = freeExtent(frame);
    const isSeen = boxesOf(graph, store.getState()).every((box) => !bringInside(getViewport(), box, free));
    if (!isSeen) fit();
    // oxlint-disable-next-line react/exhaustive-deps -- only its coming moves the view, not what is edited beside it
  }, [isCovering]);
}
