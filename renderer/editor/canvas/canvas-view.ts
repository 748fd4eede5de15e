import { useEffect, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useReactFlow, type OnMove, type Viewport } from 'reactflow';
import { nodeId } from '../../graph/build-graph.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import { usePanels } from '../session/panel-state.ts';
import { useCanvasActions } from './canvas-actions.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import { getBoxes, scrollIntoView, visibleExtent, isAnyVisible, viewportFor } from './view-actions.ts';
import { useCanvasStore, type CanvasSelection } from './canvas-store.ts';

interface CanvasViewOptions {
  readonly graph: CanvasGraph;
  readonly direction: Direction;
  /** Counts the layouts. */
  readonly layouts: number;
  readonly box: RefObject<HTMLElement | null>;
}

/**
 * Fits the view next to the inspector after it has opened above the canvas. Does nothing if everything is
 * visible, during a drag or while a menu is open, or if the user has moved the view.
 */
function useVisibleViewport({ graph, direction, box: frameRef }: CanvasViewOptions): void {
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
    const isSeen = getBoxes(graph, store.getState(), direction).every(
      (box) => !scrollIntoView(getViewport(), box, free),
    );
    if (!isSeen) fit();
    // oxlint-disable-next-line react/exhaustive-deps -- only opening the inspector moves the view, not edits
  }, [isCovering]);
}

/**
 * Fits the view at the start and after each layout. It also fits after a resize of the frame, as long as the
 * user has neither moved the view nor edited, or if nothing would be visible.
 * @returns `initial`: undefined until the frame has been measured
 */
export function useCanvasView({ graph, direction, layouts, box: frameRef }: CanvasViewOptions) {
  const { getViewport, setViewport } = useReactFlow();
  const store = useCanvasStore();
  const [initial, setInitial] = useState<Viewport>();
  const newest = useRef({ graph, direction });
  useLayoutEffect(() => {
    if (graph !== newest.current.graph) store.setState({ isViewChosen: true });
    newest.current = { graph, direction };
  }, [graph, direction, store]);
  const fit = useCallback(() => {
    if (!frameRef.current) return;
    const { graph: drawn, direction: way } = newest.current;
    const boxes = getBoxes(drawn, store.getState(), way);
    const view = viewportFor(boxes, visibleExtent(frameRef.current));
    setInitial((known) => known ?? view);
    void setViewport(view);
  }, [frameRef, setViewport, store]);
  const fitted = useRef(0);
  useLayoutEffect(() => {
    if (fitted.current === layouts) return;
    fitted.current = layouts;
    store.setState({ isViewChosen: false });
    fit();
  }, [layouts, fit, store]);
  useEffect(() => {
    const frame = frameRef.current!;
    const observer = new ResizeObserver(() => {
      const state = store.getState();
      const boxes = getBoxes(newest.current.graph, state, newest.current.direction);
      if (!state.isViewChosen || !isAnyVisible(getViewport(), boxes, visibleExtent(frame))) fit();
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frameRef, fit, getViewport, store]);
  useVisibleViewport({ graph, direction, layouts, box: frameRef });
  const onMoveStart: OnMove = (event) => {
    // Programmatic moves carry no event.
    if (event) store.setState({ isViewChosen: true });
  };
  return { initial, onMoveStart };
}

/** Scrolls a newly selected card into view once it is rendered, and focuses it if the canvas has the focus. */
export function useFollowSelection(
  graph: CanvasGraph,
  { refs }: CanvasSelection,
  box: React.RefObject<HTMLElement | null>,
): void {
  const { reveal, focusCard } = useCanvasActions();
  const followed = useRef<readonly unknown[]>(refs);
  useEffect(() => {
    if (followed.current === refs) return;
    const last = refs.at(-1);
    const id = last && nodeId(last.section, last.name);
    // A new step is rendered only after the text has been analyzed.
    if (id !== undefined && !graph.byId.has(id)) return;
    followed.current = refs;
    if (id === undefined || refs.length > 1) return;
    const active = document.activeElement;
    const isOurs = active === document.body || active === box.current || active?.matches('[data-node-id]');
    if (isOurs === true && box.current?.contains(active) !== false) focusCard(id);
    else reveal(id);
  }, [graph, refs, box, reveal, focusCard]);
}
