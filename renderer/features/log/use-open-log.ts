import {
  useCallback,
  useMemo,
  useState,
  useEffect,
  useRef,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { useBridge } from '../../api/bridge.ts';
import { useQueryParams } from '../../navigation/address.ts';
import {
  findGroupEnd,
  addFold,
  findEnclosingFold,
  filterFolds,
  getVisibleLines,
  type Fold,
  mergedRows,
  singleRows,
  type LinePosition,
  type LineRows,
  lineAtTime,
  type LogStream,
} from './line-rows.ts';
import { type LogDocumentSnapshot, LogDocument } from './log-document.ts';
import {
  type SelectedLines,
  extendSelection,
  parseLineSelection,
  formatLineSelection,
  type LineChoice,
} from './log-line.tsx';
import type { GoToTarget } from './log-bars.tsx';
import type { LogRef } from './log-line-cache.ts';
import type { LogViewHandle } from './log-view.tsx';
import { useLogSearch } from './search-bar.tsx';
import { copyChosen, useLogOptions } from './log-actions.ts';

/** The rows of a log, and functions to fold groups of lines. */
function useRows(log: LogDocument, { extents, times }: LogDocumentSnapshot) {
  const bridge = useBridge();
  const [folds, setFolds] = useState<readonly Fold[]>([]);
  const [first] = log.streams;
  const stdout = extents.stdout?.totalLines ?? 0;
  const stderr = extents.stderr?.totalLines ?? 0;
  const isMerged = log.streams.length > 1;
  const rows: LineRows = useMemo(() => {
    const totals = { stdout, stderr };
    const shown = {
      stdout: getVisibleLines(filterFolds(folds, 'stdout')),
      stderr: getVisibleLines(filterFolds(folds, 'stderr')),
    };
    return isMerged ? mergedRows(times, totals, shown) : singleRows(first!, totals[first!], shown[first!]);
  }, [isMerged, times, stdout, stderr, folds, first]);
  const fold = useCallback(
    async ({ stream, line }: LinePosition): Promise<void> => {
      const known = filterFolds(folds, stream).find(({ head }) => head === line);
      if (known) return setFolds(folds.filter((one) => one !== known));
      const total = stream === 'stdout' ? stdout : stderr;
      const last = await findGroupEnd(bridge, { ...log.address, stream }, { line, total });
      setFolds((before) => addFold(before, { stream, head: line, last }));
      return undefined;
    },
    [bridge, log, folds, stdout, stderr],
  );
  /** Expands the fold that hides a line. The page is updated when this returns. */
  const unfold = useCallback(
    (position: LinePosition): void => {
      const hiding = findEnclosingFold(folds, position);
      if (hiding) flushSync(() => setFolds((before) => before.filter((one) => one !== hiding)));
    },
    [folds],
  );
  return { rows, folds, fold, unfold };
}

/**
 * Scrolls the selected lines into view once they are loaded, once per selection.
 * @param reveal returns whether the list could scroll
 */
function useRevealSelection(
  reveal: (position: LinePosition) => boolean,
  rows: LineRows,
  chosen: SelectedLines | undefined,
): void {
  const revealed = useRef<string>(undefined);
  const [stream, line] = [chosen?.stream, chosen?.from];
  useEffect(() => {
    const key = `${stream} ${line}`;
    if (stream === undefined || line === undefined || rows.count === 0 || revealed.current === key)
      return undefined;
    // The list measures itself first.
    const frame = requestAnimationFrame(() => {
      if (reveal({ stream, line })) revealed.current = key;
    });
    return () => cancelAnimationFrame(frame);
  }, [reveal, rows, stream, line]);
}

/** The input that the second bar asks for. */
export type OpenLogTarget = 'line' | 'charset';

/** State and actions of one open log. */
export function useOpenLog(address: LogRef, streams: readonly LogStream[]) {
  const bridge = useBridge();
  const { times, charset } = useLogOptions();
  const [log] = useState(() => new LogDocument(bridge, { address, streams, charset }));
  const snapshot = useSyncExternalStore(log.subscribe, log.read);
  const view = useRef<LogViewHandle>(null);
  const shown = useRows(log, snapshot);
  const { rows, unfold } = shown;
  const latestRows = useRef(rows);
  useLayoutEffect(() => {
    latestRows.current = rows;
  });
  const [asks, setAsks] = useState<OpenLogTarget>();
  const [showsBytes, setShowsBytes] = useState<boolean>();
  const reveal = useCallback(
    (position: LinePosition): boolean => {
      if (view.current === null) return false;
      unfold(position);
      view.current.reveal(latestRows.current.getRow(position));
      return true;
    },
    [unfold],
  );
  const search = useLogSearch(log, rows, reveal);
  const choice = useChoice();
  useEffect(() => log.open(), [log]);
  useEffect(() => {
    if (times !== 'none' || asks === 'line') log.wantTimes();
  }, [log, times, asks]);
  useRevealSelection(reveal, rows, choice.chosen);
  const extents = streams.flatMap((stream) => snapshot.extents[stream] ?? []);
  return {
    log,
    snapshot,
    extents,
    view,
    ...shown,
    search,
    ...choice,
    asks,
    setAsks,
    isBinary: showsBytes ?? extents.some(({ binary }) => binary === true),
    setShowsBytes,
    step(forward: boolean): void {
      const inView = view.current?.inView() ?? { from: 0, to: 0 };
      void search.step(forward, forward ? inView.from : inView.to);
    },
    go(goal: GoToTarget): void {
      const goals: readonly LinePosition[] =
        'line' in goal
          ? [{ stream: streams[0]!, line: goal.line }]
          : streams.map((stream) => ({ stream, line: lineAtTime(stream, goal.time, snapshot.times) }));
      // When both streams are shown: the one that has written first.
      const firstGoal = goals.reduce((first, other) =>
        rows.getRow(other) < rows.getRow(first) ? other : first,
      );
      choice.setChosen({ stream: firstGoal.stream, from: firstGoal.line, to: firstGoal.line });
      reveal(firstGoal);
    },
  };
}
export type OpenedLog = ReturnType<typeof useOpenLog>;

/** Reads the address: the selected lines, and whether the log fills the page. */
function useChoice() {
  const [query, change] = useQueryParams();
  const chosen = parseLineSelection(query.get('line'));
  const setChosen = (lines: SelectedLines | undefined): void =>
    change({ line: lines && formatLineSelection(lines) });
  return {
    chosen,
    setChosen,
    choose: ({ stream, line, isRange }: LineChoice): void =>
      setChosen(extendSelection(isRange ? chosen : undefined, stream, line)),
    isFull: query.get('log') === 'full',
    setFull: (full: boolean): void => change({ log: full ? 'full' : undefined }),
  };
}

/** Handles shortcuts anywhere in the log. */
export function handleLogKeyDown(event: React.KeyboardEvent, opened: OpenedLog): void {
  const { log, chosen, isFull, search, setAsks, setFull } = opened;
  const key = event.ctrlKey || event.metaKey ? `Mod+${event.key.toLowerCase()}` : event.key;
  const hasSelection = document.getSelection()?.isCollapsed === false;
  const isTyping = event.target instanceof HTMLInputElement;
  if (key === 'Mod+f') search.open();
  else if (key === 'Mod+g') setAsks('line');
  else if (key === 'Mod+c' && chosen && !hasSelection && !isTyping) void copyChosen(log, chosen);
  else if (key === 'Escape' && isFull) setFull(false);
  else return;
  event.preventDefault();
}

/** Handles shortcuts while the lines have the focus. */
export function handleLinesKeyDown(event: React.KeyboardEvent, { search, step }: OpenedLog): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !search.isOpen) return;
  if (event.key !== 'n' && event.key !== 'N') return;
  event.preventDefault();
  step(event.key === 'n');
}
