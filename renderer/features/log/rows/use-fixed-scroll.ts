import { useLayoutEffect, useRef, useState } from 'react';
import type { RowListProps } from './row-list.ts';
import { useHeight } from './use-area.ts';
import {
  afterSheetScroll,
  lineHeight,
  rowsHeight,
  scrollTo,
  type ScrollArea,
  type ScrollState,
} from './virtual-scroll.ts';

/** Above and below the rows, pixels; see the style sheet. */
const padding = 8;

/** Where a list of rows of one height stands, and how it is moved. */
export function useFixedScroll({
  count,
  following,
  onScroll,
}: Pick<RowListProps, 'count' | 'following' | 'onScroll'>) {
  const box = useRef<HTMLDivElement>(null);
  const viewHeight = Math.max(0, useHeight(box) - padding);
  const area: ScrollArea = { rows: count, viewHeight };
  const [kept, keep] = useState<ScrollState>({ top: 0, sheetTop: 0 });
  const state = following ? scrollTo(Infinity, area) : kept;
  const { top, sheetTop } = state;
  const latest = useRef(onScroll);
  useLayoutEffect(() => {
    latest.current = onScroll;
  });
  useLayoutEffect(() => {
    if (!following || !box.current) return;
    box.current.scrollTop = sheetTop;
    // So that it is known from where somebody scrolls up.
    latest.current({ scrollTop: top, scrollHeight: count * lineHeight, clientHeight: viewHeight });
  }, [following, top, sheetTop, count, viewHeight]);
  const go = (next: ScrollState): void => {
    keep(next);
    if (box.current) box.current.scrollTop = next.sheetTop;
  };
  const tell = (next: ScrollState): void =>
    onScroll({ scrollTop: next.top, scrollHeight: rowsHeight(area), clientHeight: viewHeight });
  const page = viewHeight - lineHeight;
  const keys: Partial<Record<string, number>> = {
    Home: 0,
    End: Infinity,
    PageUp: top - page,
    PageDown: top + page,
    ArrowUp: top - lineHeight,
    ArrowDown: top + lineHeight,
  };
  return {
    box,
    area,
    state,
    go,
    /** The browser has scrolled the sheet. */
    take(scrolledTo: number): void {
      if (scrolledTo === state.sheetTop) return;
      const next = afterSheetScroll(state, scrolledTo, area);
      if (next.sheetTop === scrolledTo) keep(next);
      else go(next);
      tell(next);
    },
    /** Moves by a key. */
    press(event: React.KeyboardEvent<HTMLElement>): void {
      const goal = keys[event.key];
      if (event.defaultPrevented || goal === undefined || event.altKey || event.target !== box.current)
        return;
      event.preventDefault();
      const next = scrollTo(goal, area);
      go(next);
      tell(next);
    },
  };
}
