import { useEffect, useImperativeHandle } from 'react';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import styles from '../log.module.css';
import { copySelection, type RowListProps } from './row-list.ts';
import { usePinnedRows } from './use-held-rows.ts';
import { useRowScroll } from './use-row-scroll.ts';
import { overscanPixels, visibleRowRange, sheetHeight } from './virtual-scroll.ts';

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
  const { withHeld, contentOf } = usePinnedRows(box);
  const offset = state.sheetTop - state.top;
  // A retained row far away would stretch the sheet.
  const placeOf = (row: number): number => heights.topOf(Math.max(from - 1, Math.min(to, row))) + offset;
  return (
    <ScrollArea
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
          const { content, chosen, stream } = contentOf(row, renderRow);
          return (
            <div
              key={row}
              className={styles.row}
              data-row={row}
              data-chosen={chosen || undefined}
              data-stream={stream}
              style={{ transform: `translateY(${placeOf(row)}px)` }}
            >
              {content}
            </div>
          );
        })}
      </div>
    </ScrollArea>
  );
}
