import { useQueryClient, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { StreamInput } from '../../../core/contract/operations.ts';
import type { ReadingView } from '../../../core/contract/installation/system-changes.ts';
import { systemClock } from '../../app/clock.ts';
import { useBridge } from '../bridge.ts';
import { followWhileVisible } from './follow-while-visible.ts';

type Topic = StreamInput<'system.changes'>['topic'];

interface ChangeOptions {
  /** Takes a reading of the machine, for which nothing has to be asked. */
  readonly onReading?: (reading: ReadingView) => void;
  /** Tells what says what there is: it is asked for first, and nothing that is gone by then is asked for at all. */
  readonly isList?: (query: Query) => boolean;
}

/**
 * Has a part of the cache asked for again whenever the engine says that it is out of date, as long as the page that
 * calls this is shown.
 * @param key begins the names of what is asked for
 */
export function useSystemChanges(topic: Topic, key: QueryKey, options: ChangeOptions = {}): void {
  const { onReading, isList } = options;
  const bridge = useBridge();
  const cache = useQueryClient();
  const take = useEffectEvent((reading: ReadingView | undefined, isFirst: boolean): void => {
    if (reading && onReading) onReading(reading);
    // What the page has just begun to ask for is new enough.
    else void askAgain(cache, key, !isFirst, isList);
  });
  useEffect(
    () =>
      followWhileVisible(bridge, systemClock, { topic }, (change, isFirst) => take(change.reading, isFirst)),
    [bridge, topic],
  );
}

async function askAgain(
  cache: QueryClient,
  queryKey: QueryKey,
  cancelRefetch: boolean,
  isList?: (query: Query) => boolean,
): Promise<void> {
  if (isList === undefined) return cache.invalidateQueries({ queryKey }, { cancelRefetch });
  await cache.invalidateQueries({ queryKey, predicate: isList }, { cancelRefetch });
  // The page is drawn without what is gone in the next turn of the loop.
  await new Promise<void>((resolve) => void systemClock.after(0, resolve));
  await cache.invalidateQueries({ queryKey, predicate: (query) => !isList(query) }, { cancelRefetch });
}
