import { getViewportForBounds, type Viewport } from 'reactflow';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import { placeTrigger, zoomRange } from '../../graph/graph-geometry.ts';
import { nodeId } from '../../graph/build-graph.ts';
import { centeredCard } from '../../graph/compute-layout.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { CanvasGraph } from './canvas-graph.ts';
import { layOutHandlerLane, getStepBoxes, type Positions } from './free-positions.ts';
import { type Box, type ExpandedBounds, getNodeBox } from './expanded-bounds.ts';
import { listGroups } from './flow-elements.ts';
import type { GetCanvasPorts } from './canvas-store.ts';
import { foldBlocker, type Fold } from './resolve-folds.ts';

const toolbarHeight = 60;
const padding = { top: '28px', left: '28px', right: '40px', bottom: `${toolbarHeight}px` } as const;
const fitZoom = 1;

interface CardLayout {
  readonly positions: Positions;
  readonly rooms: ExpandedBounds;
}

/** Returns the areas of all drawn parts: the trigger, the steps and the lane of the handlers. */
export function getBoxes(
  graph: CanvasGraph,
  { positions, rooms }: CardLayout,
  direction: Direction,
): readonly Box[] {
  const steps = getStepBoxes(graph, positions, rooms);
  if (graph.total === 0) return steps;
  const trigger = graph.isMain ? [placeTrigger(graph, positions, direction).box] : [];
  return [...trigger, ...steps, layOutHandlerLane(graph, positions, rooms)];
}

/** The visible part of the canvas, in window pixels. */
interface Extent {
  readonly clientWidth: number;
  readonly clientHeight: number;
}

/** Returns the part of the canvas not covered by panels on the right and by the toolbar at the bottom. */
export function visibleExtent(frame: HTMLElement): Extent {
  const { clientWidth, clientHeight } = frame;
  const cover = frame.ownerDocument.querySelector('[data-cover]')?.getBoundingClientRect();
  const toolbar = frame.querySelector('.react-flow__panel.bottom.left')?.getBoundingClientRect();
  const { left, right, top } = frame.getBoundingClientRect();
  const isCovered = cover !== undefined && cover.left > left && cover.left < right;
  return {
    clientWidth: isCovered ? cover.left - left : clientWidth,
    clientHeight: toolbar !== undefined && toolbar.top > top ? toolbar.top - top : clientHeight,
  };
}

/** Returns the viewport that contains the boxes completely, without enlarging them. */
export function viewportFor(boxes: readonly Box[], frame: Extent): Viewport {
  const edge = (pick: (box: Box) => number, isLeast: boolean): number =>
    boxes.reduce(
      (best, box) => (isLeast ? Math.min(best, pick(box)) : Math.max(best, pick(box))),
      pick(boxes[0]!),
    );
  if (boxes.length === 0)
    // The first card will be in the middle.
    return { ...centeredCard({ x: frame.clientWidth / 2, y: frame.clientHeight / 2 }), zoom: 1 };
  const [left, top] = [edge(({ x }) => x, true), edge(({ y }) => y, true)];
  const bounds = {
    x: left,
    y: top,
    width: edge(({ x, width }) => x + width, false) - left,
    height: edge(({ y, height }) => y + height, false) - top,
  };
  return getViewportForBounds(bounds, frame.clientWidth, frame.clientHeight, zoomRange.min, fitZoom, padding);
}

/** Free margin around a revealed card; at the right of a selected card is the button that adds a step. */
const margin = 40;

/** Whether more than an edge of any box is visible above the toolbar. */
export const isAnyVisible = ({ x, y, zoom }: Viewport, boxes: readonly Box[], frame: Extent): boolean =>
  boxes.some(
    (box) =>
      box.x * zoom + x < frame.clientWidth - margin &&
      (box.x + box.width) * zoom + x > margin &&
      box.y * zoom + y < frame.clientHeight - toolbarHeight - margin &&
      (box.y + box.height) * zoom + y > margin,
  );

/**
 * Returns the viewport moved as little as needed to show a box, or at least its upper left corner; undefined if
 * it is visible.
 */
export function scrollIntoView(view: Viewport, box: Box, frame: Extent): Viewport | undefined {
  const { zoom } = view;
  const moveOn = (at: number, length: number, room: number): number => {
    const end = at + length - room;
    if (at >= 0 && end <= 0) return 0;
    // A box larger than the viewport is shown from its start.
    return at < 0 || length > room - 2 * margin ? margin - at : -margin - end;
  };
  const x = moveOn(box.x * zoom + view.x, box.width * zoom, frame.clientWidth);
  const y = moveOn(box.y * zoom + view.y, box.height * zoom, frame.clientHeight);
  return x === 0 && y === 0 ? undefined : { x: view.x + x, y: view.y + y, zoom };
}

/** A part of the graph that can be folded: a step that runs a sub-workflow, or a parallel group. */
export type FoldTarget =
  | { readonly kind: 'workflow'; readonly fold: Fold }
  | { readonly kind: 'group'; readonly key: string; readonly isFolded: boolean };

/** Actions that fold and expand parts of the graph. The expanded parts are saved with the card positions. */
export interface FoldActions {
  /** Draws a parallel group as one card, or as its steps. */
  foldGroup(key: string, isFolded: boolean): void;
  /** Expands or folds the sub-workflow of a step; displays the reason when that is not possible. */
  toggle(fold: Fold): void;
  /** Returns what can be folded at a step. */
  find(ref: NodeRef): FoldTarget | undefined;
  /** Folds or expands everything foldable at the specified steps; displays a notice when there is nothing. */
  toggleAt(refs: readonly NodeRef[]): void;
}

export function createFoldActions(read: GetCanvasPorts, { reveal }: ViewActions): FoldActions {
  const actions: FoldActions = {
    foldGroup(key, isFolded) {
      const { store, positions } = read();
      store.setState(({ folded }) => ({ folded: change(folded, key, isFolded) }));
      positions.keep();
    },
    toggle(fold) {
      const error = foldBlocker(fold);
      if (error !== undefined) {
        showToast('info', error);
        return;
      }
      const { store, positions } = read();
      const isOpen = fold.state === 'open';
      store.setState(({ open }) => ({ open: change(open, fold.path, !isOpen) }));
      positions.keep();
      const [outermost = ''] = fold.path.split('/');
      // After the card has its new size.
      if (!isOpen) requestAnimationFrame(() => reveal(nodeId('step', outermost)));
    },
    find(ref) {
      const { folds, graph, store } = read();
      const id = nodeId(ref.section, ref.name);
      const fold = folds.get(id);
      if (fold) return { kind: 'workflow', fold };
      const group = listGroups(graph).find(({ members }) => members.some((member) => member.id === id));
      return group && { kind: 'group', key: group.key, isFolded: store.getState().folded.has(group.key) };
    },
    toggleAt(refs) {
      const found = refs.map(actions.find).filter((one) => one !== undefined);
      if (found.length === 0)
        showToast('info', 'Nothing to collapse. Select a sub-workflow step or a step in a parallel group.');
      const groups = new Set<string>();
      for (const one of found)
        if (one.kind === 'workflow') actions.toggle(one.fold);
        else if (!groups.has(one.key)) {
          groups.add(one.key);
          actions.foldGroup(one.key, !one.isFolded);
        }
    },
  };
  return actions;
}

function change(set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(key);
  else next.delete(key);
  return next;
}

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
  const getBox = (id: string): Box | undefined => {
    const { graph, store } = read();
    const { positions, rooms } = store.getState();
    const position = positions.get(id) ?? layOutHandlerLane(graph, positions, rooms).positions.get(id);
    return position && getNodeBox(id, position, rooms);
  };
  const reveal = (id: string): void => {
    const { flow, box } = read();
    const cardBox = getBox(id);
    if (!cardBox || !box.current) return;
    const next = scrollIntoView(flow.getViewport(), cardBox, visibleExtent(box.current));
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
      const { flow, graph, store, box, positions } = read();
      const boxes = getBoxes(graph, store.getState(), positions.direction ?? 'RIGHT');
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
      const boxes = [...store.getState().selected].map(getBox).filter((one) => one !== undefined);
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
