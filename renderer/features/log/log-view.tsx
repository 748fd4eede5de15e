import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { afterScroll, countNewLines, initialFollowing } from './follow-scroll.ts';
import type { LogBook } from './log-book.ts';
import { LogLine } from './log-line.tsx';
import { earlierWindowStart, lastWindowStart, lineHeight } from './log-window.ts';
import styles from './log.module.css';

interface LogViewProps {
  readonly book: LogBook;
  readonly totalLines: number;
  readonly wrap: boolean;
  /** Whether more may come; only then does it make sense to speak of new lines. */
  readonly live: boolean;
}

/** The lines of a log, only those in sight drawn, keeping to the end while it grows. */
export function LogView({ book, totalLines, wrap, live }: LogViewProps) {
  const [follow, setFollow] = useState(initialFollowing);
  const [earlier, setEarlier] = useState<number>();
  const start = earlier ?? lastWindowStart(totalLines);
  const onScroll = (event: React.UIEvent<HTMLDivElement>): void => {
    const place = event.currentTarget;
    setFollow((state) => {
      const next = afterScroll(state, place, totalLines);
      return next.following === state.following && next.lastTop === state.lastTop ? state : next;
    });
  };
  const toEnd = (): void => {
    setEarlier(undefined);
    setFollow(initialFollowing);
  };
  return (
    <div className={styles.frame}>
      {start > 0 && (
        <div className={styles.before}>
          <Button size="small" icon={ArrowUp} onPress={() => setEarlier(earlierWindowStart(start))}>
            {`Show the lines before ${start.toLocaleString('en')}`}
          </Button>
        </div>
      )}
      <Lines
        book={book}
        start={start}
        totalLines={totalLines}
        wrap={wrap}
        following={follow.following && earlier === undefined}
        onScroll={onScroll}
      />
      {!follow.following && live && <NewLines count={countNewLines(follow, totalLines)} onPress={toEnd} />}
    </div>
  );
}

interface LinesProps {
  readonly book: LogBook;
  readonly start: number;
  readonly totalLines: number;
  readonly wrap: boolean;
  readonly following: boolean;
  readonly onScroll: React.UIEventHandler<HTMLDivElement>;
}

function Lines({ book, start, totalLines, wrap, following, onScroll }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  // Only the React compiler, which this project does not use, would mind.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: totalLines - start,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  });
  const items = rows.getVirtualItems();
  const from = start + (items[0]?.index ?? 0);
  const to = start + (items.at(-1)?.index ?? -1) + 1;
  const height = rows.getTotalSize();
  useEffect(() => book.want(from, to), [book, from, to, totalLines]);
  useLayoutEffect(() => {
    if (following && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [following, totalLines, height]);
  return (
    // The area has to take the focus so that the keyboard can scroll it.
    <div
      ref={box}
      className={styles.lines}
      role="log"
      aria-live="off"
      aria-label="Output"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={onScroll}
    >
      <div className={styles.sheet} data-wrap={wrap || undefined} style={{ height }}>
        {items.map(({ key, index, start: top }) => (
          <div
            key={key}
            className={styles.row}
            data-index={index}
            {...(wrap && { ref: rows.measureElement })}
            style={{ transform: `translateY(${top}px)` }}
          >
            <LogLine index={start + index} text={book.line(start + index)} />
          </div>
        ))}
      </div>
    </div>
  );
}

function NewLines({ count, onPress }: { readonly count: number; readonly onPress: () => void }) {
  const text = count === 0 ? 'Follow' : `${count.toLocaleString('en')} new ${count === 1 ? 'line' : 'lines'}`;
  return (
    <div className={styles.pill}>
      <Button size="small" look="primary" icon={ArrowDown} onPress={onPress}>
        {text}
      </Button>
    </div>
  );
}
