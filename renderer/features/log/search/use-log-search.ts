import { useMemo, useState } from 'react';
import type { LogDocument } from '../reading/log-document.ts';
import type { LinePlace, LineRows } from '../rows/line-rows.ts';
import type { LogQuery, LogSearch } from './log-search.ts';
import { useSearchRun } from './use-search-run.ts';

const noQuery: LogQuery = { query: '', regex: false, matchCase: false };

/** The search of a log: what is looked for, what has been found, and which of it is shown. */
export function useLogSearch(log: LogDocument, rows: LineRows, reveal: (place: LinePlace) => unknown) {
  const [isOpen, setOpen] = useState(false);
  const [summons, setSummons] = useState(0);
  const [query, setQuery] = useState(noQuery);
  const { search, picture } = useSearchRun(log, isOpen && query.query !== '' ? query : undefined);
  const [shown, setShown] = useState<{ readonly search: LogSearch; readonly place: LinePlace }>();
  const current = shown && shown.search === search ? shown.place : undefined;
  const hits = picture?.hits;
  const order = useMemo(
    () => (hits ?? []).map((hit) => ({ hit, row: rows.rowOf(hit) })).toSorted((a, b) => a.row - b.row),
    [hits, rows],
  );
  /** Goes to the next one, or the one before; from a row where none is shown yet. */
  const step = async (forward: boolean, from: number): Promise<void> => {
    const row = current ? rows.rowOf(current) : forward ? from - 1 : from;
    const known = forward ? order.find((one) => one.row > row) : order.findLast((one) => one.row < row);
    const beyond = current && (await (forward ? search?.findNext(current) : search?.findPrevious(current)));
    const round = forward ? order[0] : order.at(-1);
    const next = beyond ?? known?.hit ?? round?.hit;
    if (!next || !search) return;
    setShown({ search, place: next });
    reveal(next);
  };
  const place = order.findIndex(({ hit }) => hit.stream === current?.stream && hit.line === current.line);
  return {
    isOpen,
    query,
    setQuery,
    picture,
    current,
    search,
    summons,
    position: place < 0 ? undefined : place + 1,
    step,
    open: () => {
      setOpen(true);
      setSummons((count) => count + 1);
    },
    close: () => setOpen(false),
  };
}
