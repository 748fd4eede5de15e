import { useLayoutEffect, useReducer, useRef, useState } from 'react';
import { lineHeight, RowHeights } from './row-heights.ts';
import type { RowListProps } from './row-list.ts';
import { useViewSize } from './use-view-size.ts';
import {
  scrollStateAfterSheetScroll,
  initialAnchor,
  anchorAtTop,
  anchorAtCenter,
  scrollTo,
  stateAt,
  type ScrollArea,
  type ScrollState,
} from './virtual-scroll.ts';

/** Total padding above and below the rows, in pixels; see the style sheet. */
const padding = 16;
/** Heights of rows without wrapping, for any log. */
const lines = new RowHeights();

/** Scroll state of a list of rows, with the measured heights and the scroll actions. */
export function useRowScroll({
  count,
  wrap,
  following,
  onScroll,
}: Pick<RowListProps, 'count' | 'wrap' | 'following' | 'onScroll'>) {
  const box = useRef<HTMLDivElement>(null);
  const viewHeight = Math.max(0, useViewSize(box).height - padding);
  const [measured] = useState(() => new RowHeights());
  const heights = wrap ? measured : lines;
  const area: ScrollArea = { height: heights.topOf(count), viewHeight };
  const [kept, keep] = useState(initialAnchor);
  const state = following ? scrollTo(Infinity, area) : stateAt(kept, area, heights);
  const { top, sheetTop } = state;
  const latest = useRef(onScroll);
  useMeasuredRows(box, wrap ? measured : undefined);
  useLayoutEffect(() => {
    latest.current = onScroll;
  });
  useLayoutEffect(() => {
    if (box.current && Math.abs(box.current.scrollTop - sheetTop) >= 1) box.current.scrollTop = sheetTop;
  }, [sheetTop]);
  useLayoutEffect(() => {
    // So that the starting point is known when the user scrolls up.
    if (following) latest.current({ scrollTop: top, scrollHeight: area.height, clientHeight: viewHeight });
  }, [following, top, area.height, viewHeight]);
  const go = (next: ScrollState): void => {
    keep(anchorAtTop(next, heights));
    onScroll({ scrollTop: next.top, scrollHeight: area.height, clientHeight: viewHeight });
  };
  return {
    box,
    area,
    state,
    heights,
    /** Scrolls a row into view, to the middle if it was not visible. */
    reveal(row: number): void {
      const offset = heights.topOf(row) - top;
      // For a row higher than the viewport, a visible beginning is enough.
      const isInView = offset >= 0 && offset + Math.min(heights.heightOf(row), viewHeight / 2) <= viewHeight;
      keep(isInView ? { row, offset, sheetTop } : anchorAtCenter(row, area, heights));
    },
    /** Handles a scroll event of the browser. */
    take(scrolledTo: number): void {
      if (Math.abs(scrolledTo - sheetTop) >= 1) go(scrollStateAfterSheetScroll(state, scrolledTo, area));
    },
    /** Handles a scroll key. */
    press(event: React.KeyboardEvent<HTMLElement>): void {
      const goal = findGoal(event.key, top, viewHeight);
      if (event.defaultPrevented || goal === undefined || event.altKey || event.target !== box.current)
        return;
      event.preventDefault();
      go(scrollTo(goal, area));
    },
  };
}

/** Returns the offset that a key scrolls to, in pixels; undefined if it scrolls nothing. */
function findGoal(key: string, top: number, viewHeight: number): number | undefined {
  const page = viewHeight - lineHeight;
  const goals: Partial<Record<string, number>> = {
    Home: 0,
    End: Infinity,
    PageUp: top - page,
    PageDown: top + page,
    ArrowUp: top - lineHeight,
    ArrowDown: top + lineHeight,
  };
  return goals[key];
}

/** Measures the rendered rows, and updates their positions if a height was unknown. */
function useMeasuredRows(box: React.RefObject<HTMLElement | null>, heights: RowHeights | undefined): void {
  const [, refresh] = useReducer((turn: number) => turn + 1, 0);
  // After each render, since any row may have changed or loaded its text. It settles once all heights are
  // known.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs after every render on purpose
  useLayoutEffect(() => {
    if (!heights) return;
    const rows = [...(box.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const found = rows.filter((row) =>
      heights.note(Number(row.dataset['row']), row.getBoundingClientRect().height),
    );
    if (found.length > 0) refresh();
  });
}
