import { ArrowDown } from 'lucide-react';
import { useCallback, useImperativeHandle, useRef, useState } from 'react';
import { useQueries } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { useBridge } from '../../api/bridge.ts';
import { writeLineTime, copyRows, type TimestampMode } from './log-actions.ts';
import {
  followAfterScroll,
  countNewLines,
  initialFollowing,
  type ScrollPosition,
  type RowContent,
  type RowListHandle,
} from './row-list.ts';
import { type SelectedLines, LogLine, type LineChoice } from './log-line.tsx';
import type { LogDocumentSnapshot, LogDocument } from './log-document.ts';
import { type Fold, getTime, type LinePosition, type LineRows } from './line-rows.ts';
import { listRowPositions, getRanges, type LogRef } from './log-line-cache.ts';
import { LogRows } from './log-rows.tsx';
import type { LogSearch } from './log-search.ts';
import styles from './log.module.css';

/** Imperative methods of the view. */
export interface LogViewHandle extends RowListHandle {
  readonly reveal: (row: number) => void;
  readonly toEnd: () => void;
}

interface LogViewProps {
  readonly log: LogDocument;
  readonly snapshot: LogDocumentSnapshot;
  readonly rows: LineRows;
  readonly folds: readonly Fold[];
  readonly wrap: boolean;
  readonly times: TimestampMode;
  readonly chosen: SelectedLines | undefined;
  readonly search: LogSearch | undefined;
  readonly current: LinePosition | undefined;
  readonly handle: React.RefObject<LogViewHandle | null>;
  readonly onChoose: (choice: LineChoice) => void;
  readonly onFold: (position: LinePosition) => void;
  readonly onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => void;
  /** Marks next to the scroll bar. */
  readonly children?: React.ReactNode;
}

/** The lines of a log; only visible ones are rendered. Follows the end while the log grows. */
export function LogView(props: LogViewProps) {
  const { log, snapshot, rows, wrap, search, chosen, handle, onKeyDown } = props;
  const isLive = log.streams.some((stream) => snapshot.extents[stream]?.complete === false);
  const list = useRef<RowListHandle>(null);
  // A requested line takes precedence over following the end.
  const [follow, setFollow] = useState(
    chosen ? { following: false, seenLines: rows.count, lastTop: 0 } : initialFollowing,
  );
  const onScroll = (position: ScrollPosition): void =>
    setFollow((state) => {
      const next = followAfterScroll(state, position, rows.count);
      return next.following === state.following && next.lastTop === state.lastTop ? state : next;
    });
  useImperativeHandle(handle, () => ({
    reveal(row) {
      setFollow((state) => (state.following ? { ...state, following: false, seenLines: rows.count } : state));
      list.current?.reveal(row);
    },
    toEnd: () => setFollow(initialFollowing),
    inView: () => list.current?.inView() ?? { from: 0, to: 0 },
    focus: () => list.current?.focus(),
  }));
  const onRange = useCallback(
    (from: number, to: number) => {
      for (const [stream, ranges] of getRanges(listRowPositions(rows, from, to))) {
        log.want(stream, ranges);
        for (const range of ranges) search?.want(stream, range.from, range.to);
      }
    },
    [log, rows, search],
  );
  return (
    <div className={styles.frame}>
      <LogRows
        count={rows.count}
        renderRow={(row) => renderRow(row, props)}
        following={follow.following}
        {...{ wrap, onRange, onScroll, onKeyDown }}
        onCopy={(selection) => void copyRows(log, rows, selection)}
        handle={list}
        label="Output"
      />
      {props.children}
      {!follow.following && isLive && (
        <NewLines count={countNewLines(follow, rows.count)} onPress={() => setFollow(initialFollowing)} />
      )}
    </div>
  );
}

/** Returns the number of lines folded below a line; undefined if it hides none. */
function hiddenBy(folds: readonly Fold[], { stream, line }: LinePosition): number | undefined {
  const fold = folds.find((one) => one.stream === stream && one.head === line);
  return fold && fold.last - fold.head;
}

function renderRow(row: number, props: LogViewProps): RowContent {
  const { log, snapshot, rows, folds, times, chosen, search, current, onChoose, onFold } = props;
  const linePosition = rows.at(row);
  const { stream, line } = linePosition;
  const { startedAt, finishedAt } = snapshot.times;
  const time =
    times === 'none'
      ? undefined
      : writeLineTime(getTime(linePosition, snapshot.times, finishedAt), times, startedAt);
  return {
    stream,
    chosen: chosen?.stream === stream && line >= chosen.from && line <= chosen.to,
    content: (
      <LogLine
        {...{ stream, line, time, onChoose, onFold }}
        text={log.line(linePosition)}
        columns={search?.getColumns(linePosition)}
        isCurrent={current?.stream === stream && current.line === line}
        hidden={hiddenBy(folds, linePosition)}
      />
    ),
  };
}

function NewLines({ count, onPress }: { readonly count: number; readonly onPress: () => void }) {
  const text = count === 0 ? 'Follow' : `${count.toLocaleString('en')} new ${count === 1 ? 'line' : 'lines'}`;
  return (
    <div className={styles.pill}>
      <Button size="small" variant="primary" icon={ArrowDown} onPress={onPress}>
        {text}
      </Button>
    </div>
  );
}

const bytesPerRow = 16;

/**
 * Formats a row like `hexdump -C`: offset, bytes, and printable characters. @param bytes one character per byte
 */
export function writeHexRow(row: number, bytes: string): string {
  const codes = Array.from(bytes, (sign) => sign.charCodeAt(0));
  const hex = codes.map((code) => code.toString(16).padStart(2, '0'));
  const halves = [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')];
  const characters = codes
    .map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '.'))
    .join('');
  const offset = (row * bytesPerRow).toString(16).padStart(8, '0');
  return `${offset}  ${halves[0]!.padEnd(23)}  ${halves[1]!.padEnd(23)}  |${characters}|`;
}

const pageBytes = 16_384;

/** Hex dump of a binary log. */
export function HexView({ address, size }: { readonly address: LogRef; readonly size: number }) {
  const bridge = useBridge();
  const handle = useRef<RowListHandle>(null);
  const [pages, setPages] = useState<readonly number[]>([]);
  const onRange = useCallback((from: number, to: number) => {
    const first = Math.floor((from * bytesPerRow) / pageBytes);
    const last = Math.floor((Math.max(from, to - 1) * bytesPerRow) / pageBytes);
    setPages(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  }, []);
  const found = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['log-bytes', address, page, Math.min(size, (page + 1) * pageBytes)],
      queryFn: () => bridge.call('logs.bytes', { ...address, offset: page * pageBytes, length: pageBytes }),
      gcTime: 10_000,
    })),
  });
  const getBytes = (row: number): string | undefined => {
    const pageIndex = pages.indexOf(Math.floor((row * bytesPerRow) / pageBytes));
    const data = found[pageIndex]?.data?.data;
    if (data === undefined) return undefined;
    const offset = (row * bytesPerRow) % pageBytes;
    return atob(data).slice(offset, offset + bytesPerRow);
  };
  return (
    <div className={styles.frame}>
      <LogRows
        wrap={false}
        count={Math.ceil(size / bytesPerRow)}
        renderRow={(row) => {
          const bytes = getBytes(row);
          const content =
            bytes === undefined ? (
              <span className={styles.pending} />
            ) : (
              <code className={styles.hex}>{writeHexRow(row, bytes)}</code>
            );
          return { content, chosen: false, stream: 'stdout' };
        }}
        following={false}
        onRange={onRange}
        onScroll={() => undefined}
        handle={handle}
        label="Bytes"
        onKeyDown={() => undefined}
      />
    </div>
  );
}
