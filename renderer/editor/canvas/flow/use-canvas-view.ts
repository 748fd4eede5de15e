import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useReactFlow, type OnMove, type Viewport } from 'reactflow';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { boxesOf, visibleExtent, isAnyVisible, viewportFor } from '../places/view-bounds.ts';
import { useCanvasStore } from '../state/canvas-store.ts';
import { useVisibleViewport } from './use-visible-viewport.ts';

/**
 * Fits the view at the start and after each layout. It also fits after a resize of the frame, as long as the
 * user has neither moved the view nor edited, or if nothing would be visible.
 * @returns `initial`: undefined until the frame has been measured
 */
export function useCanvasView(graph: CanvasGraph, layouts: number, frameRef: RefObject<HTMLElement | null>) {
  const { getViewport, setViewport } = useReactFlow();
  const store = useCanvasStore();
  const [initial, setInitial] = useState<Viewport>();
  const newest = useRef(graph);
  useLayoutEffect(() => {
    if (graph !== newest.current) store.setState({ isViewChosen: true });
    newest.current = graph;
  }, [graph, store]);
  const fit = useCallback(() => {
    if (!frameRef.current) return;
    const view = viewportFor(boxesOf(newest.current, store.getState()), visibleExtent(frameRef.current));
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
      const boxes = boxesOf(newest.current, state);
      if (!state.isViewChosen || !isAnyVisible(getViewport(), boxes, visibleExtent(frame))) fit();
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frameRef, fit, getViewport, store]);
  useVisibleViewport(graph, frameRef);
  const onMoveStart: OnMove = (event) => {
    // Programmatic moves carry no event.
    if (event) store.setState({ isViewChosen: true });
  };
  return { initial, onMoveStart };
}
