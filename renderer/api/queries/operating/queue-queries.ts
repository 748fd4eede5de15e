import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useOperationMutation } from '../use-change.ts';

/** In addition, pages with queues follow changes (`useSystemChanges`). */
const refreshMs = 30_000;
const itemsPage = 200;

/** The queues with their active and queued runs. */
export function useQueues() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.queues,
    queryFn: () => bridge.call('queues.list', {}),
    refetchInterval: refreshMs,
  });
}

/** The queued runs of a queue, paged. */
export function useQueueItems(queue: string) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...queryKeys.queues, queue, 'items'],
    queryFn: ({ pageParam }) => bridge.call('queues.items', { queue, limit: itemsPage, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}

type QueueChange = 'queues.pause' | 'queues.drain' | 'queues.resume' | 'queues.clear';

/** Changes a queue. */
export function useChangeQueue() {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ change, queue }: { change: QueueChange; queue: string }) =>
      change === 'queues.clear'
        ? (await bridge.call(change, { queue })).dequeued
        : void (await bridge.call(change, { queue })),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.queues }),
  });
}

/** Moves a queued run. */
export const useMoveItem = () =>
  useOperationMutation('queues.move', { changed: () => [queryKeys.queues], evenRefused: true });

/** Removes a run from its queue. */
export const useDequeue = () =>
  useOperationMutation('runs.dequeue', { changed: () => [queryKeys.queues], evenRefused: true });
