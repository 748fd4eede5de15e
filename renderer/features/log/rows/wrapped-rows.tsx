import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, type LucideIcon } from 'lucide-react';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { earlierStart, laterStart, windowAt } from '../log-window.ts';
import styles from '../log.module.css';
import { copySelection, type RowListProps } from './row-list.ts';
import { useHeldRows } from './use-held-rows.ts';
import { lineHeight } from './virtual-scroll.ts';

const drawnAround = 20;

/**
 * Rows as high as their wrapped lines, which is known only of those that have been drawn. A part of a large log at a
 * time, since what is not known cannot be mapped onto a shorter sheet.
 */
export function WrappedRows(props: RowListProps) {
  const { count, following } = props;
  const [start, setStart] = useState<number>();
  const [wanted, setWanted] = useState<number>();
  const part = windowAt(following ? undefined : start, count);
  const move = (to: number | undefined, row?: number): void => {
    setStart(to);
    setWanted(row);
  };
  return (
    <>
      {part.start > 0 && (
        <PartButton icon={ArrowUp} onPress={() => move(earlierStart(part))}>
          {`Show the lines before ${part.start.toLocaleString('en')}`}
        </PartButton>
      )}
      <PartRows
        key={part.start}
        {...props}
        part={part}
        wanted={wanted}
        onLeave={(row) => move(Math.max(0, row - (row % (part.end - part.start))), row)}
      />
      {part.end < count && (
        <PartButton icon={ArrowDown} onPress={() => move(laterStart(part, count))}>
          {`Show the lines after ${part.end.toLocaleString('en')}`}
        </PartButton>
      )}
    </>
  );
}

interface PartButtonProps {
  readonly icon: LucideIcon;
  readonly onPress: () => void;
  readonly children: string;
}

function PartButton({ icon, onPress, children }: PartButtonProps) {
  return (
    <div className={styles.part}>
      <Button size="small" icon={icon} onPress={onPress}>
        {children}
      </Button>
    </div>
  );
}

interface PartRowsProps extends RowListProps {
  readonly part: { readonly start: number; readonly end: number };
  /** A row to begin at. */
  readonly wanted: number | undefined;
  /** A row of another part is wanted. */
  readonly onLeave: (row: number) => void;
}

/** The rows of a part that are drawn: those in sight, and those that a selection holds. */
function useDrawnRows(box: React.RefObject<HTMLDivElement | null>, { start, end }: PartRowsProps['part']) {
  const { withHeld, contentOf } = useHeldRows(box);
  // Only the React compiler, which this project does not use, would mind.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: end - start,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: drawnAround,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return withHeld(start + (shown[0] ?? 0), start + (shown.at(-1) ?? -1) + 1)
        .map((row) => row - start)
        .filter((index) => index >= 0 && index < end - start);
    },
  });
  const items = rows.getVirtualItems();
  const from = start + Math.max(0, (rows.range?.startIndex ?? 0) - drawnAround);
  const to = Math.min(end, start + (rows.range?.endIndex ?? -1) + 1 + drawnAround);
  return { rows, items, from, to, contentOf };
}

function PartRows(props: PartRowsProps) {
  const { wanted, onLeave, renderRow, following, onRange, handle, part } = props;
  const { start, end } = part;
  const box = useRef<HTMLDivElement>(null);
  const { rows, items, from, to, contentOf } = useDrawnRows(box, part);
  const height = rows.getTotalSize();
  useEffect(() => onRange(from, to), [onRange, from, to]);
  useLayoutEffect(() => {
    if (following && box.current) box.current.scrollTop = height;
  }, [following, height]);
  useLayoutEffect(() => {
    if (wanted !== undefined) rows.scrollToIndex(wanted - start, { align: 'center' });
  }, [wanted, start, rows]);
  useImperativeHandle(handle, () => ({
    reveal: (row) =>
      row < start || row >= end ? onLeave(row) : rows.scrollToIndex(row - start, { align: 'center' }),
    inView: () => ({ from, to }),
    focus: () => box.current?.focus(),
  }));
  return (
    // The area has to take the focus so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      className={styles.lines}
      role="log"
      aria-live="off"
      aria-label={props.label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onCopy={(event) => copySelection(event, props.onCopy)}
      onScroll={(event) => props.onScroll(event.currentTarget)}
      onKeyDown={props.onKeyDown}
    >
      <div className={styles.sheet} data-wrap style={{ height }}>
        {items.map(({ key, index, start: top }) => {
          const { content, chosen, stream } = contentOf(start + index, renderRow);
          return (
            <div
              key={key}
              ref={rows.measureElement}
              className={styles.row}
              data-index={index}
              data-row={start + index}
              data-chosen={chosen || undefined}
              data-stream={stream}
              style={{ transform: `translateY(${top}px)` }}
            >
              {content}
            </div>
          );
        })}
      </div>
    </div>
  );
}
