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
  const { sheetTop } = state;
  useLayoutEffect(() => {
    if (following && box.current) box.current.scrollTop = sheetTop;
  }, [following, sheetTop]);
  const go = (next: ScrollState): void => {
    keep(next);
    if (box.current) box.current.scrollTop = next.sheetTop;
  };
  const tell = ({ top }: ScrollState): void =>
    onScroll({ scrollTop: top, scrollHeight: rowsHeight(area), clientHeight: viewHeight });
  const page = viewHeight - lineHeight;
  const keys: Partial<Record<string, number>> = {
    Home: 0,
    End: Infinity,
    PageUp: state.top - page,
    PageDown: state.top + page,
    ArrowUp: state.top - lineHeight,
    ArrowDown: state.top + lineHeight,
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
      const top = keys[event.key];
      if (event.defaultPrevented || top === undefined || event.altKey || event.target !== box.current) return;
      event.preventDefault();
      const next = scrollTo(top, area);
      go(next);
      tell(next);
    },
  };
}
