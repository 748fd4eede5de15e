import { useMemo, useState } from 'react';
import type { LogDocument } from '../reading/log-document.ts';
import type { LinePosition, LineRows } from '../rows/line-rows.ts';
import type { LogQuery, LogSearch } from './log-search.ts';
import { useSearchRun } from './use-search-run.ts';

const noQuery: LogQuery = { query: '', regex: false, matchCase: false };

/** State of a log search: the query, the matches, and the current match. */
export function useLogSearch(log: LogDocument, rows: LineRows, reveal: (position: LinePosition) => unknown) {
  const [isOpen, setOpen] = useState(false);
  const [summons, setSummons] = useState(0);
  const [query, setQuery] = useState(noQuery);
  const { search, snapshot } = useSearchRun(log, isOpen && query.query !== '' ? query : undefined);
  const [shown, setShown] = useState<{ readonly search: LogSearch; readonly position: LinePosition }>();
  const current = shown && shown.search === search ? shown.position : undefined;
  const hits = snapshot?.hits;
  const order = useMemo(
    () => (hits ?? []).map((hit) => ({ hit, row: rows.rowOf(hit) })).toSorted((a, b) => a.row - b.row),
    [hits, rows],
  );
  /** Goes to the next or previous match, starting at a row if there is no current match. */
  const step = async (forward: boolean, from: number): Promise<void> => {
    const row = current ? rows.rowOf(current) : forward ? from - 1 : from;
    const known = forward ? order.find((one) => one.row > row) : order.findLast((one) => one.row < row);
    const beyond = current && (await (forward ? search?.findNext(current) : search?.findPrevious(current)));
    const round = forward ? order[0] : order.at(-1);
    const next = beyond ?? known?.hit ?? round?.hit;
    if (!next || !search) return;
    setShown({ search, position: next });
    reveal(next);
  };
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
