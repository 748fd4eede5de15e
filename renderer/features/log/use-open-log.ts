import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useQueryParams } from '../../app/address.ts';
import { useBridge } from '../../api/bridge.ts';
import type { GoToTarget } from './bar/read-goal.ts';
import {
  extendSelection,
  parseLineSelection,
  formatLineSelection,
  type SelectedLines,
} from './lines/line-choice.ts';
import type { LogRef } from './reading/log-line-cache.ts';
import { LogDocument } from './reading/log-document.ts';
import type { LineChoice } from './lines/log-line.tsx';
import type { LogViewHandle } from './log-view.tsx';
import { lineAtTime, type LinePosition, type LogStream } from './rows/line-rows.ts';
import { useRevealSelection } from './rows/use-reveal-chosen.ts';
import { useRows } from './rows/use-rows.ts';
import { useLogSearch } from './search/use-log-search.ts';
import { copyChosen } from './copy-lines.ts';
import { useLogOptions } from './use-log-options.ts';

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
      view.current.reveal(latestRows.current.rowOf(position));
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
        rows.rowOf(other) < rows.rowOf(first) ? other : first,
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
