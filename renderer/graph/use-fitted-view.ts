import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useReactFlow, type OnMove, type Viewport } from 'reactflow';
import type { GraphLayout } from './layout/compute-layout.ts';
import { viewportForAll } from './layout/graph-viewport.ts';

const fitMs = 180;

/**
 * Keeps the whole graph in view, also after a resize, until the user moves the view; fitting it manually
 * resumes that.
 * @returns `initial`: undefined until the frame has been measured
 */
export function useFitView(layout: GraphLayout, frame: RefObject<HTMLElement | null>) {
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
