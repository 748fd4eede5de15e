import { useEffect, useEffectEvent, useState, useSyncExternalStore, useMemo, useRef } from 'react';
import { CaseSensitive, ChevronDown, ChevronUp, Regex, Search, X } from 'lucide-react';
import { systemClock } from '../../base/clock.ts';
import { useBridge } from '../../api/bridge.ts';
import { useResolvedTheme } from '../../base/preferences.ts';
import { IconButton } from '../../ui/button.tsx';
import type { LogDocument } from './log-document.ts';
import { LogSearch, type LogQuery, type SearchSnapshot } from './log-search.ts';
import type { LinePosition, LineRows } from './line-rows.ts';
import { lineHeight } from './virtual-scroll.ts';
import { useViewSize } from './log-rows.tsx';
import { useLogOptions } from './log-actions.ts';
import styles from './log.module.css';

const debounceMs = 150;
const subscribeToNothing = () => () => undefined;

/** Runs the search for a query once typing has paused, and returns its state. */
function useSearchRun(log: LogDocument, query: LogQuery | undefined) {
  const bridge = useBridge();
  const [started, setBegun] = useState<LogSearch>();
  useEffect(() => {
    if (query === undefined) return undefined;
    let search: LogSearch | undefined;
    const stopWaiting = systemClock.after(debounceMs, () => {
      const { address, streams, charset } = log;
      const searched = charset === undefined ? address : { ...address, charset };
      search = new LogSearch(bridge, { address: searched, streams, query });
      search.open();
      setBegun(search);
    });
    return () => {
      stopWaiting();
      search?.close();
    };
  }, [bridge, log, query]);
  const search = started && started.query === query ? started : undefined;
  const snapshot = useSyncExternalStore(search?.subscribe ?? subscribeToNothing, () => search?.read());
  const { extents } = useSyncExternalStore(log.subscribe, log.read);
  const isOver = snapshot?.progress === 1;
  useEffect(() => {
    if (isOver) for (const stream of log.streams) search?.grow(stream, extents[stream]?.size ?? 0);
  }, [search, log, extents, isOver]);
  return { search, snapshot };
}

interface PendingStep {
  readonly query: LogQuery;
  readonly forward: boolean;
  readonly from: number;
}

const noQuery: LogQuery = { query: '', regex: false, matchCase: false };

/** State of a log search: the query, the matches, and the current match. */
export function useLogSearch(log: LogDocument, rows: LineRows, reveal: (position: LinePosition) => unknown) {
  const [isOpen, setOpen] = useState(false);
  const [summons, setSummons] = useState(0);
  const [query, setQuery] = useState(noQuery);
  const { search, snapshot } = useSearchRun(log, isOpen && query.query !== '' ? query : undefined);
  const [shown, setShown] = useState<{ readonly search: LogSearch; readonly position: LinePosition }>();
  const current = shown && shown.search === search ? shown.position : undefined;
  /** A step that was requested before the first match was found. */
  const [pending, setPending] = useState<PendingStep>();
  const hits = snapshot?.hits;
  const order = useMemo(
    () => (hits ?? []).map((hit) => ({ hit, row: rows.getRow(hit) })).toSorted((a, b) => a.row - b.row),
    [hits, rows],
  );
  /** Goes to the next or previous match, starting at a row if there is no current match. */
  const step = async (forward: boolean, from: number): Promise<void> => {
    if (order.length === 0 && snapshot?.progress !== 1) {
      setPending({ query, forward, from });
      return;
    }
    setPending(undefined);
    const row = current ? rows.getRow(current) : forward ? from - 1 : from;
    const known = forward ? order.find((one) => one.row > row) : order.findLast((one) => one.row < row);
    const beyond = current && (await (forward ? search?.findNext(current) : search?.findPrevious(current)));
    const round = forward ? order[0] : order.at(-1);
    const next = beyond ?? known?.hit ?? round?.hit;
    if (!next || !search) return;
    setShown({ search, position: next });
    reveal(next);
  };
  const stepOnFirstHit = useEffectEvent(() => {
    if (pending?.query === query) void step(pending.forward, pending.from);
  });
  const hasHits = order.length > 0;
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the first match arrives outside of React
    if (hasHits) stepOnFirstHit();
  }, [hasHits]);
  const position = order.findIndex(({ hit }) => hit.stream === current?.stream && hit.line === current.line);
  return {
    isOpen,
    query,
    setQuery,
    snapshot,
    current,
    search,
    summons,
    position: position < 0 ? undefined : position + 1,
    step,
    open: () => {
      setOpen(true);
      setSummons((count) => count + 1);
    },
    close: () => setOpen(false),
  };
}

/** Pixels. */
const matchMarkerHeight = 2;
/** Padding above the first row; see the style sheet. */
const padding = 8;

/**
 * Returns the position of a row's mark in pixels from the top: proportional to its place in the log, or next to
 * the row if the log does not fill the view.
 * @param log number of rows, and whether some may be higher than one line
 * @param height height of the view, in pixels
 */
export function matchMarkerPosition(
  row: number,
  log: { count: number; isWrapped: boolean },
  height: number,
): number {
  const { count, isWrapped } = log;
  const isWhole = !isWrapped && count * lineHeight + 2 * padding <= height;
  return isWhole
    ? padding + row * lineHeight + (lineHeight - matchMarkerHeight) / 2
    : Math.round((row / count) * (height - matchMarkerHeight));
}

interface OverviewMarksProps {
  readonly snapshot: SearchSnapshot;
  readonly rows: LineRows;
}

/** Marks of the matches in the whole log, next to the scroll bar. */
export function OverviewMarks({ snapshot, rows }: OverviewMarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useResolvedTheme();
  const { width, height } = useViewSize(canvas);
  const { wrap } = useLogOptions();
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || rows.count === 0) return;
    element.height = height;
    element.width = width;
    context.fillStyle = getComputedStyle(element).color;
    const log = { count: rows.count, isWrapped: wrap };
    for (const row of listRows(snapshot, rows))
      context.fillRect(0, matchMarkerPosition(row, log, height), width, matchMarkerHeight);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the drawing reads theme colors, so it is redrawn when the theme changes
  }, [snapshot, rows, theme, width, height, wrap]);
  return <canvas ref={canvas} className={styles.overview} aria-hidden="true" />;
}

/** Yields the rows of known matches; for others, the rows of the parts that contain them. */
function* listRows({ hits, searchedRanges }: SearchSnapshot, rows: LineRows): Generator<number> {
  for (const hit of hits) yield rows.getRow(hit);
  for (const { stream, from, count } of searchedRanges)
    if (count > 0) yield rows.getRow({ stream, line: from });
}

interface SearchBarProps {
  readonly query: LogQuery;
  readonly snapshot: SearchSnapshot | undefined;
  /** Number of the current match, from 1; absent if unknown. */
  readonly position: number | undefined;
  /** Incremented to focus the field again. */
  readonly summons: number;
  readonly onQuery: (query: LogQuery) => void;
  readonly onStep: (forward: boolean) => void;
  readonly onClose: () => void;
}

/** The search bar of a log. */
export function SearchBar({ query, snapshot, position, summons, onQuery, onStep, onClose }: SearchBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (summons > 0) field.current?.select();
  }, [summons]);
  const press = (event: React.KeyboardEvent): void => {
    if (event.key === 'Enter') onStep(!event.shiftKey);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isEmpty = query.query === '' || snapshot === undefined || snapshot.count === 0;
  return (
    <div className={styles.searchBar} role="search" aria-label="Log">
      <Search size={14} aria-hidden="true" />
      <input
        ref={field}
        aria-label="Search log"
        placeholder="Search log"
        spellCheck={false}
        maxLength={1000}
        value={query.query}
        onChange={(event) => onQuery({ ...query, query: event.target.value })}
        onKeyDown={press}
      />
      <span className={styles.searchState} role="status" data-error={snapshot?.error ? '' : undefined}>
        {formatSearch(query, snapshot, position)}
      </span>
      <Switches query={query} onQuery={onQuery} />
      <IconButton
        label="Previous match (Shift+Enter, N)"
        icon={ChevronUp}
        size="small"
        isDisabled={isEmpty}
        onPress={() => onStep(false)}
      />
      <IconButton
        label="Next match (Enter, n)"
        icon={ChevronDown}
        size="small"
        isDisabled={isEmpty}
        onPress={() => onStep(true)}
      />
      <IconButton label="Close search" icon={X} size="small" onPress={onClose} />
    </div>
  );
}

function Switches({ query, onQuery }: Pick<SearchBarProps, 'query' | 'onQuery'>) {
  return (
    <>
      <IconButton
        label="Match case"
        icon={CaseSensitive}
        size="small"
        pressed={query.matchCase}
        onPress={() => onQuery({ ...query, matchCase: !query.matchCase })}
      />
      <IconButton
        label="Regular expression"
        icon={Regex}
        size="small"
        pressed={query.regex}
        onPress={() => onQuery({ ...query, regex: !query.regex })}
      />
    </>
  );
}

function formatSearch(
  { query }: LogQuery,
  snapshot: SearchSnapshot | undefined,
  position: number | undefined,
): string {
  if (query === '' || !snapshot) return '';
  if (snapshot.error) return snapshot.error.message.replace(/^query: /, '');
  const { count, progress } = snapshot;
  const done = progress < 1 ? `, ${Math.floor(progress * 100)}% searched` : '';
  if (count === 0) return progress < 1 ? `${Math.floor(progress * 100)}% searched` : 'No results';
  const lines = `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`;
  return `${position === undefined ? '' : `${position.toLocaleString('en')} of `}${lines}${done}`;
}
