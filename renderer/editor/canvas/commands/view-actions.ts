import { zoomRange } from '../../../graph/layout/graph-viewport.ts';
import { cardSize } from '../../../graph/layout/layout-input.ts';
import { layOutLane } from '../places/handler-lane.ts';
import { viewOf } from '../places/view-bounds.ts';
import type { ReadPorts } from './canvas-ports.ts';

/** What the canvas does to its view. */
export interface ViewActions {
  fit(): void;
  zoomTo(zoom: number): void;
  zoomBy(factor: number): void;
  zoomToSelection(): void;
  /** Brings a card into sight when it is not. */
  reveal(id: string): void;
  /** Gives a card the keyboard, as soon as it is drawn. */
  focusCard(id: string): void;
}

const moveMs = 180;
/** A large workflow may take some frames to draw a card that has come into sight. */
const mostFrames = 30;

/** People who want less movement get none. */
const duration = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : moveMs);

export function createViewActions(read: ReadPorts): ViewActions {
  const placeOf = (id: string) => {
    const { graph, store } = read();
    const { places } = store.getState();
    return places.get(id) ?? layOutLane(graph, places).places.get(id);
  };
  const reveal = (id: string): void => {
    const { flow, box } = read();
    const place = placeOf(id);
    if (!place || !box.current) return;
    const { x, y, zoom } = flow.getViewport();
    const [left, top] = [place.x * zoom + x, place.y * zoom + y];
    const isInside =
      left >= 0 &&
      top >= 0 &&
      left + cardSize.width * zoom <= box.current.clientWidth &&
      top + cardSize.height * zoom <= box.current.clientHeight;
    if (isInside) return;
    void flow.setCenter(place.x + cardSize.width / 2, place.y + cardSize.height / 2, {
      zoom,
      duration: duration(),
    });
  };
  return {
    reveal,
    fit() {
      const { flow, graph, store, box } = read();
      const { places } = store.getState();
      const known = graph.steps.map(({ id }) => places.get(id)).filter((place) => place !== undefined);
      const lane = graph.total > 0 ? layOutLane(graph, places) : undefined;
      if (box.current) void flow.setViewport(viewOf(known, lane, box.current), { duration: duration() });
    },
    zoomTo: (zoom) => void read().flow.zoomTo(zoom, { duration: duration() }),
    zoomBy(factor) {
      const { flow } = read();
      const zoom = Math.min(zoomRange.max, Math.max(zoomRange.min, flow.getZoom() * factor));
      void flow.zoomTo(zoom, { duration: duration() });
    },
    zoomToSelection() {
      const { flow, store, box } = read();
      const spots = [...store.getState().selected].map(placeOf).filter((place) => place !== undefined);
      if (spots.length > 0 && box.current)
        void flow.setViewport(viewOf(spots, undefined, box.current), { duration: duration() });
    },
    focusCard(id) {
      read().store.setState({ current: id });
      reveal(id);
      focusWhenDrawn(read, id, mostFrames);
    },
  };
}

function focusWhenDrawn(read: ReadPorts, id: string, frames: number): void {
  const card = read().box.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`);
  if (card) return card.focus({ preventScroll: true });
  if (frames > 0) requestAnimationFrame(() => focusWhenDrawn(read, id, frames - 1));
}
