import { createContext, useContext } from 'react';
import type { QueryClient, QueryFilters } from '@tanstack/react-query';
import type { Clock, Dispose } from '../../core/base/clock.ts';
import type { Bridge } from '../../core/contract/transport.ts';
import type { EventView } from '../../core/contract/logs.ts';
import type { RunDetailView } from '../../core/contract/run-views.ts';
import { applyEvent } from './apply-event.ts';
import { applyItemEvent, type ItemPage } from './apply-item-event.ts';
import { useConnection } from './connection.ts';
import { listStaleKeys, patchCache, findItemsLocation } from './patch-cache.ts';
import type { ItemsRef } from './query-keys.ts';

const LiveEventsContext = createContext<LiveEvents | undefined>(undefined);
export const LiveEventsProvider = LiveEventsContext.Provider;

/** Returns the live events of the page, if it has any. */
export const useLiveEvents = (): LiveEvents | undefined => useContext(LiveEventsContext);

/** Events that arrive within a few frames update the cache together, so that the frames between are free. */
export const batchIntervalMs = 48;
/** Minimum time between two refetches of lists, however many runs change. */
const refetchMs = 300;
const restartMs = 1_000;
/**
 * Number of retained events, enough to bridge the time between a snapshot on the server and its arrival here.
 */
const maxPendingEvents = 5_000;

/**
 * The single subscription to the engine's events. It keeps the query cache up to date: runs and steps are
 * patched from events, and other affected data is refetched.
 */
export class LiveEvents {
  readonly #bridge: Bridge;
  readonly #cache: QueryClient;
  readonly #clock: Clock;
  #recent: EventView[] = [];
  #arrived: EventView[] = [];
  readonly #stale = new Map<string, readonly unknown[]>();
  #refetchPending = false;

  constructor(bridge: Bridge, cache: QueryClient, clock: Clock) {
    this.#bridge = bridge;
    this.#cache = cache;
    this.#clock = clock;
  }

  /** Follows events until disposed; reopens a stream that the engine closes. */
  start(): Dispose {
    let stopped = false;
    let stop: Dispose = () => undefined;
    const follow = (): void => {
      stop = this.#bridge.follow(
        'events.follow',
        {},
        {
          item: (event) => this.#receive(event),
          end: () => {
            if (!stopped) stop = this.#clock.after(restartMs, follow);
          },
        },
      );
    };
    follow();
    const stopWatching = useConnection.subscribe(({ state }, before) => {
      // Data read without a connection may be out of date.
      if (state === 'online' && before.state !== 'online') invalidate(this.#cache);
    });
    return () => {
      stopped = true;
      stopWatching();
      stop();
    };
  }

  /** Applies events to a fetched run that arrived before its response. */
  catchUp(run: RunDetailView): RunDetailView {
    return this.#recent.reduce(applyEvent, run);
  }

  /** The same for a list of items. */
  catchUpItems(page: ItemPage, name: string, dagRunId: string, ref: ItemsRef): ItemPage {
    const itemsLocation = findItemsLocation(this.#cache, name, dagRunId, ref);
    return this.#recent
      .filter((event) => event.name === name && event.dagRunId === dagRunId)
      .reduce((list, event) => applyItemEvent(list, event, itemsLocation), page);
  }

  #receive(event: EventView): void {
    if (this.#arrived.length === 0) this.#clock.after(batchIntervalMs, () => this.#flush());
    this.#arrived.push(event);
  }

  #flush(): void {
    const events = this.#arrived;
    this.#arrived = [];
    this.#recent = [...this.#recent, ...events].slice(-maxPendingEvents);
    patchCache(this.#cache, events);
    for (const key of events.flatMap(listStaleKeys)) this.#stale.set(JSON.stringify(key), key);
    if (this.#stale.size === 0 || this.#refetchPending) return;
    this.#refetchPending = true;
    this.#clock.after(refetchMs, () => this.#refetch());
  }

  #refetch(): void {
    this.#refetchPending = false;
    const keys = [...this.#stale.values()];
    this.#stale.clear();
    for (const queryKey of keys) invalidate(this.#cache, { queryKey });
  }
}

/**
 * Refetches queries. The first fetch of a query is not restarted, although the engine may have answered it before the
 * change, so it is followed by another one.
 */
function invalidate(cache: QueryClient, filters: QueryFilters = {}): void {
  const firstFetches = cache
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  void cache.invalidateQueries(filters);
  for (const { queryKey, promise } of firstFetches)
    promise?.then(
      () => cache.invalidateQueries({ queryKey, exact: true }),
      () => undefined,
    );
}
