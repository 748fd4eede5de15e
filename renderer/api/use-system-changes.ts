import { useQueryClient, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Clock, Dispose } from '../../core/base/clock.ts';
import type { Bridge } from '../../core/contract/transport.ts';
import type { StreamInput, StreamItem } from '../../core/contract/operations.ts';
import type { ReadingView } from '../../core/contract/system.ts';
import { systemClock } from '../base/clock.ts';
import { useBridge } from './bridge.ts';

/** Delay before reopening a stream that the engine has closed. */
const againMs = 3000;

/**
 * Follows a stream of system changes while the page is visible: a hidden page has no stream, and is notified
 * when it becomes visible again. An error ends it, for example if this engine has no monitoring.
 * @param take called with each item, and whether it is the first of its stream
 */
export function followWhileVisible(
  bridge: Bridge,
  clock: Pick<Clock, 'after'>,
  input: StreamInput<'system.changes'>,
  take: (item: StreamItem<'system.changes'>, isFirst: boolean) => void,
): Dispose {
  let stop: Dispose | undefined;
  const follow = (): void => {
    let isFirst = true;
    stop = bridge.follow('system.changes', input, {
      item(item) {
        take(item, isFirst);
        isFirst = false;
      },
      end(error) {
        if (stop && error?.code !== 'monitoring_off') stop = clock.after(againMs, follow);
      },
    });
  };
  const updateVisibility = (): void => {
    const isVisible = document.visibilityState === 'visible';
    if (isVisible && !stop) follow();
    if (isVisible) return;
    stop?.();
    stop = undefined;
  };
  updateVisibility();
  document.addEventListener('visibilitychange', updateVisibility);
  return () => {
    document.removeEventListener('visibilitychange', updateVisibility);
    stop?.();
    stop = undefined;
  };
}

type Topic = StreamInput<'system.changes'>['topic'];

interface ChangeOptions {
  /** Called with a machine sample, which needs no refetch. */
  readonly onReading?: (reading: ReadingView) => void;
  /**
   * Whether a query is a list of objects: it is refetched first, so that deleted objects are not requested
   * again.
   */
  readonly isList?: (query: Query) => boolean;
}

/**
 * Refetches a part of the cache whenever the engine reports changes, while the calling page is mounted.
 * @param key prefix of the query keys
 */
export function useSystemChanges(topic: Topic, key: QueryKey, options: ChangeOptions = {}): void {
  const { onReading, isList } = options;
  const bridge = useBridge();
  const cache = useQueryClient();
  const take = useEffectEvent((reading: ReadingView | undefined, isFirst: boolean): void => {
    if (reading && onReading) onReading(reading);
    // Requests that the page has just started are recent enough.
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
  // The page removes deleted objects in the next task.
  await new Promise<void>((resolve) => void systemClock.after(0, resolve));
  await cache.invalidateQueries({ queryKey, predicate: (query) => !isList(query) }, { cancelRefetch });
}
