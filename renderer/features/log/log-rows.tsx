import {
  useLayoutEffect,
  useState,
  useReducer,
  useRef,
  useEffect,
  type RefObject,
  useImperativeHandle,
} from 'react';
import { ScrollArea as UiScrollArea } from '../../ui/page.tsx';
import {
  lineHeight,
  RowHeights,
  scrollStateAfterSheetScroll,
  initialAnchor,
  anchorAtTop,
  anchorAtCenter,
  scrollTo,
  stateAt,
  type ScrollArea,
  type ScrollState,
  overscanPixels,
  visibleRowRange,
  sheetHeight,
} from './virtual-scroll.ts';
import { type RowListProps, type RowContent, readSelectedEnds, copySelection } from './row-list.ts';
import styles from './log.module.css';

/** In pixels; 0 until the element is mounted. */
interface ViewSize {
  readonly width: number;
  readonly height: number;
}

/** Tracks the size of an element without its scroll bars. */
export function useViewSize(box: React.RefObject<HTMLElement | null>): ViewSize {
  const [size, setSize] = useState<ViewSize>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const read = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

/** Total padding above and below the rows, in pixels; see the style sheet. */
const padding = 16;
/** Heights of rows without wrapping, for any log. */
const lines = new RowHeights();

/** Scroll state of a list of rows, with the measured heights and the scroll actions. */
function useRowScroll({
  count,
  wrap,
  following,
  onScroll,
}: Pick<RowListProps, 'count' | 'wrap' | 'following' | 'onScroll'>) {
  const box = useRef<HTMLDivElement>(null);
  const viewHeight = Math.max(0, useViewSize(box).height - padding);
  const [measured] = useState(() => new RowHeights());
  const heights = wrap ? measured : lines;
  const area: ScrollArea = { height: heights.getTop(count), viewHeight };
  const [anchor, setAnchor] = useState(initialAnchor);
  const state = following ? scrollTo(Infinity, area) : stateAt(anchor, area, heights);
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
    setAnchor(anchorAtTop(next, heights));
    onScroll({ scrollTop: next.top, scrollHeight: area.height, clientHeight: viewHeight });
  };
  return {
    box,
    area,
    state,
    heights,
    /** Scrolls a row into view, to the middle if it was not visible. */
    reveal(row: number): void {
      const offset = heights.getTop(row) - top;
      // For a row higher than the viewport, a visible beginning is enough.
      const isInView = offset >= 0 && offset + Math.min(heights.getHeight(row), viewHeight / 2) <= viewHeight;
      setAnchor(isInView ? { row, offset, sheetTop } : anchorAtCenter(row, area, heights));
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

const none: readonly number[] = [];

/**
 * Rows that stay rendered outside the viewport because a selection begins or ends in them; the browser would
 * lose it otherwise. Their content is frozen, so that the selection does not move.
 */
function usePinnedRows(list: RefObject<HTMLElement | null>) {
  const [held, setHeld] = useState(none);
  const contents = useRef(new Map<number, RowContent>());
  useEffect(() => {
    const updatePinned = (): void => {
      const rows = list.current ? readSelectedEnds(list.current) : none;
      setHeld((before) => (String(before) === String(rows) ? before : rows));
    };
    document.addEventListener('selectionchange', updatePinned);
    return () => document.removeEventListener('selectionchange', updatePinned);
  }, [list]);
  /** Returns the visible and the retained rows, in order. @param to exclusive */
  const withHeld = (from: number, to: number): readonly number[] => [
    ...held.filter((row) => row < from),
    ...Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index),
    ...held.filter((row) => row >= to),
  ];
  const getContent = (row: number, draw: (row: number) => RowContent): RowContent => {
    if (!held.includes(row)) return draw(row);
    for (const known of contents.current.keys()) if (!held.includes(known)) contents.current.delete(known);
    const content = contents.current.get(row) ?? draw(row);
    contents.current.set(row, content);
    return content;
  };
  return { withHeld, getContent };
}

/** A virtual list of any number of rows with individual heights. */
export function LogRows(props: RowListProps) {
  const { count, wrap, renderRow, onRange, handle, label, onKeyDown } = props;
  const { box, area, state, heights, reveal, take, press } = useRowScroll(props);
  const viewport = { top: state.top, count };
  const { from, to } = visibleRowRange(viewport, area, { heights, around: overscanPixels });
  useEffect(() => onRange(from, to), [onRange, from, to]);
  useImperativeHandle(handle, () => ({
    reveal,
    inView: () => visibleRowRange(viewport, area, { heights }),
    focus: () => box.current?.focus(),
  }));
  const { withHeld, getContent } = usePinnedRows(box);
  const offset = state.sheetTop - state.top;
  // A retained row far away would stretch the sheet.
  const getOffset = (row: number): number => heights.getTop(Math.max(from - 1, Math.min(to, row))) + offset;
  return (
    <UiScrollArea
      ref={box}
      className={styles.lines}
      role="log"
      aria-live="off"
      aria-label={label}
      onCopy={(event) => copySelection(event, props.onCopy)}
      onScroll={(event) => take(event.currentTarget.scrollTop)}
      onKeyDown={(event) => {
        onKeyDown(event);
        press(event);
      }}
    >
      <div className={styles.sheet} data-wrap={wrap || undefined} style={{ height: sheetHeight(area) }}>
        {withHeld(from, to).map((row) => {
          const { content, chosen, stream } = getContent(row, renderRow);
          return (
            <div
              key={row}
              className={styles.row}
              data-row={row}
              data-chosen={chosen || undefined}
              data-stream={stream}
              style={{ transform: `translateY(${getOffset(row)}px)` }}
            >
              {content}
            </div>
          );
        })}
      </div>
    </UiScrollArea>
  );
}
