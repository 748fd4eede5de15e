import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, type LucideIcon } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { afterScroll, countNewLines, initialFollowing } from './follow-scroll.ts';
import type { LogBook } from './log-book.ts';
import { LogLine } from './log-line.tsx';
import { earlierStart, laterStart, lineHeight, windowAt, type LogWindow } from './log-window.ts';
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
  const [start, setStart] = useState<number>();
  const part = windowAt(start, totalLines);
  const onScroll = (event: React.UIEvent<HTMLDivElement>): void => {
    const place = event.currentTarget;
    setFollow((state) => {
      const next = afterScroll(state, place, totalLines);
      return next.following === state.following && next.lastTop === state.lastTop ? state : next;
    });
  };
  const toEnd = (): void => {
    setStart(undefined);
    setFollow(initialFollowing);
  };
  const move = (to: number | undefined): void => {
    setStart(to);
    setFollow({ following: false, seenLines: totalLines, lastTop: 0 });
  };
  return (
    <div className={styles.frame}>
      {part.start > 0 && (
        <PartButton icon={ArrowUp} onPress={() => move(earlierStart(part))}>
          {`Show the lines before ${part.start.toLocaleString('en')}`}
        </PartButton>
      )}
      <Lines
        key={part.start}
        book={book}
        part={part}
        wrap={wrap}
        following={follow.following && part.end === totalLines}
        onScroll={onScroll}
      />
      {part.end < totalLines && (
        <PartButton icon={ArrowDown} onPress={() => move(laterStart(part, totalLines))}>
          {`Show the lines after ${part.end.toLocaleString('en')}`}
        </PartButton>
      )}
      {!follow.following && live && <NewLines count={countNewLines(follow, totalLines)} onPress={toEnd} />}
    </div>
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

interface LinesProps {
  readonly book: LogBook;
  readonly part: LogWindow;
  readonly wrap: boolean;
  readonly following: boolean;
  readonly onScroll: React.UIEventHandler<HTMLDivElement>;
}

function Lines({ book, part, wrap, following, onScroll }: LinesProps) {
  const { start, end } = part;
  const box = useRef<HTMLDivElement>(null);
  // Only the React compiler, which this project does not use, would mind.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: end - start,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  });
  const items = rows.getVirtualItems();
  const from = start + (items[0]?.index ?? 0);
  const to = start + (items.at(-1)?.index ?? -1) + 1;
  const height = rows.getTotalSize();
  useEffect(() => book.want(from, to), [book, from, to, end]);
  useLayoutEffect(() => {
    if (following && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [following, end, height]);
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
