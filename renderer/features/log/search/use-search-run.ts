import { useEffect, useState, useSyncExternalStore } from 'react';
import { systemClock } from '../../../app/clock.ts';
import { useBridge } from '../../../api/bridge.ts';
import type { LogDocument } from '../reading/log-document.ts';
import { LogSearch, type LogQuery } from './log-search.ts';

const debounceMs = 150;
const subscribeToNothing = () => () => undefined;

/** Runs the search for a query once typing has paused, and returns its state. */
export function useSearchRun(log: LogDocument, query: LogQuery | undefined) {
  const bridge = useBridge();
  const [started, setBegun] = useState<LogSearch>();
  useEffect(() => {
    if (query === undefined) return undefined;
    let search: LogSearch | undefined;
    const stopWaiting = systemClock.after(debounceMs, () => {
      const { address, streams, charset } = log;
      const wanted = charset === undefined ? address : { ...address, charset };
      search = new LogSearch(bridge, { address: wanted, streams, query });
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
