import { useEffect, useImperativeHandle } from 'react';
import styles from '../log.module.css';
import { copySelection, type RowListProps } from './row-list.ts';
import { useFixedScroll } from './use-fixed-scroll.ts';
import { useHeldRows } from './use-held-rows.ts';
import { lineHeight, rowsInView, scrollTo, sheetHeight } from './virtual-scroll.ts';

/** Drawn above and below what is in view, so that scrolling finds them there. */
const around = 30;

/** Rows of one height, any number of them, only those in view drawn. */
export function FixedRows(props: RowListProps) {
  const { renderRow, onRange, handle, label, onKeyDown } = props;
  const { box, area, state, go, take, press } = useFixedScroll(props);
  const { from, to } = rowsInView(state.top, area, around);
  useEffect(() => onRange(from, to), [onRange, from, to]);
  useImperativeHandle(handle, () => ({
    reveal(row) {
      const top = row * lineHeight;
      const isInView = top >= state.top && top + lineHeight <= state.top + area.viewHeight;
      go(isInView ? state : scrollTo(top - area.viewHeight / 2 + lineHeight, area));
    },
    inView: () => rowsInView(state.top, area, 0),
    focus: () => box.current?.focus(),
  }));
  const { withHeld, contentOf } = useHeldRows(box);
  const offset = state.sheetTop - state.top;
  // A held row far away would stretch the sheet.
  const placeOf = (row: number): number => Math.max(from - 1, Math.min(to, row)) * lineHeight + offset;
  return (
    // The area has to take the focus so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      className={styles.lines}
      role="log"
      aria-live="off"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onCopy={(event) => copySelection(event, props.onCopy)}
      onScroll={(event) => take(event.currentTarget.scrollTop)}
      onKeyDown={(event) => {
        onKeyDown(event);
        press(event);
      }}
    >
      <div className={styles.sheet} style={{ height: sheetHeight(area) }}>
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
    </div>
  );
}
