import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { StreamInput } from '../../../core/contract/operations.ts';
import type { ReadingView } from '../../../core/contract/installation/system-changes.ts';
import { systemClock } from '../../app/clock.ts';
import { useBridge } from '../bridge.ts';
import { followWhileVisible } from './follow-while-visible.ts';

type Topic = StreamInput<'system.changes'>['topic'];

/**
 * Has a part of the cache asked for again whenever the engine says that it is out of date, as long as the page that
 * calls this is shown.
 * @param key begins the names of what is asked for
 * @param onReading takes a reading of the machine, for which nothing has to be asked
 */
export function useSystemChanges(
  topic: Topic,
  key: QueryKey,
  onReading?: (reading: ReadingView) => void,
): void {
  const bridge = useBridge();
  const cache = useQueryClient();
  const take = useEffectEvent((reading: ReadingView | undefined, isFirst: boolean): void => {
    if (reading && onReading) onReading(reading);
    // What the page has just begun to ask for is new enough.
    else void cache.invalidateQueries({ queryKey: key }, { cancelRefetch: !isFirst });
  });
  useEffect(
    () =>
      followWhileVisible(bridge, systemClock, { topic }, (change, isFirst) => take(change.reading, isFirst)),
    [bridge, topic],
  );
}
