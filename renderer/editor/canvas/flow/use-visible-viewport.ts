import { useEffect, type RefObject } from 'react';
import { useReactFlow } from 'reactflow';
import { usePanels } from '../../page/layout/panel-state.ts';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { boxesOf, scrollIntoView, visibleExtent } from '../places/view-bounds.ts';
import { useCanvasStore } from '../state/canvas-store.ts';

/**
 * Fits the view next to the inspector after it has opened above the canvas. Does nothing if everything is
 * visible, during a drag or while a menu is open, or if the user has moved the view.
 */
export function useVisibleViewport(graph: CanvasGraph, frameRef: RefObject<HTMLElement | null>): void {
  const { getNodes, getViewport } = useReactFlow();
  const { fit } = useCanvasActions();
  const store = useCanvasStore();
  const isCovering = usePanels((state) => state.isCovering);
  useEffect(() => {
    const frame = frameRef.current;
    const { drawing, overlay, isViewChosen } = store.getState();
    if (!isCovering || isViewChosen || !frame) return;
    if (drawing || overlay || getNodes().some(({ dragging }) => dragging)) return;
    const free = visibleExtent(frame);
    const isSeen = boxesOf(graph, store.getState()).every((box) => !scrollIntoView(getViewport(), box, free));
    if (!isSeen) fit();
    // oxlint-disable-next-line react/exhaustive-deps -- only opening the inspector moves the view, not edits
  }, [isCovering]);
}
