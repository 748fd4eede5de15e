import { zoomRange } from '../../../graph/layout/graph-viewport.ts';
import { layOutHandlerLane } from '../places/handler-lane.ts';
import { boxOfNode, type Box } from '../places/expanded-bounds.ts';
import { boxesOf, scrollIntoView, visibleExtent, viewportFor } from '../places/view-bounds.ts';
import type { GetCanvasPorts } from './canvas-ports.ts';

/** Canvas actions that change the viewport. */
export interface ViewActions {
  fit(): void;
  zoomTo(zoom: number): void;
  zoomBy(factor: number): void;
  zoomToSelection(): void;
  /** Scrolls a card into view unless it is visible. */
  reveal(id: string): void;
  /** Focuses a card as soon as it is rendered. */
  focusCard(id: string): void;
}

const moveMs = 180;
/** In a large workflow, a card that has scrolled into view may take several frames to render. */
const maxFrames = 30;

/** No animation when the user prefers reduced motion. */
const duration = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : moveMs);

export function createViewActions(read: GetCanvasPorts): ViewActions {
  const boxOf = (id: string): Box | undefined => {
    const { graph, store } = read();
    const { positions, rooms } = store.getState();
    const position = positions.get(id) ?? layOutHandlerLane(graph, positions, rooms).positions.get(id);
    return position && boxOfNode(id, position, rooms);
  };
  const reveal = (id: string): void => {
    const { flow, box } = read();
    const wanted = boxOf(id);
    if (!wanted || !box.current) return;
    const next = scrollIntoView(flow.getViewport(), wanted, visibleExtent(box.current));
    if (next) void flow.setViewport(next, { duration: duration() });
  };
  const zoomTo = (zoom: number): void => {
    const { flow, store } = read();
    store.setState({ isViewChosen: true });
    void flow.zoomTo(zoom, { duration: duration() });
  };
  return {
    reveal,
    fit() {
      const { flow, graph, store, box } = read();
      const boxes = boxesOf(graph, store.getState());
      if (box.current)
        void flow.setViewport(viewportFor(boxes, visibleExtent(box.current)), { duration: duration() });
    },
    zoomTo,
    zoomBy(factor) {
      const zoom = read().flow.getZoom() * factor;
      zoomTo(Math.min(zoomRange.max, Math.max(zoomRange.min, zoom)));
    },
    zoomToSelection() {
      const { flow, store, box } = read();
      const boxes = [...store.getState().selected].map(boxOf).filter((one) => one !== undefined);
      if (boxes.length === 0 || !box.current) return;
      store.setState({ isViewChosen: true });
      void flow.setViewport(viewportFor(boxes, visibleExtent(box.current)), { duration: duration() });
    },
    focusCard(id) {
      read().store.setState({ current: id });
      reveal(id);
      focusWhenDrawn(read, id, maxFrames);
    },
  };
}

function focusWhenDrawn(read: GetCanvasPorts, id: string, frames: number): void {
  const card = read().box.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`);
  if (card) return card.focus({ preventScroll: true });
  if (frames > 0) requestAnimationFrame(() => focusWhenDrawn(read, id, frames - 1));
}
