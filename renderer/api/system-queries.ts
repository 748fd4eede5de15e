import { useMutation, useQuery, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useBridge } from './bridge.ts';
import { queryKeys, useOperationMutation } from './query-keys.ts';

/** Polling interval; pages with this data also follow changes (`useSystemChanges`). */
const refreshMs = 30_000;

export const schedulersKey = ['schedulers'] as const;
export const hostsKey = ['hosts'] as const;

/** The schedulers of the home directory, with their notes. */
export function useSchedulers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: schedulersKey,
    queryFn: () => bridge.call('services.scheduler', {}),
    refetchInterval: refreshMs,
  });
}

/** The hosts that drive runs of the home directory. */
export function useHosts() {
  const bridge = useBridge();
  return useQuery({
    queryKey: hostsKey,
    queryFn: () => bridge.call('services.hosts', {}),
    refetchInterval: refreshMs,
  });
}

export const resourceHistoryKey = ['resource-history'] as const;

/** Resource usage of the machine over a duration such as `1h`. */
export function useResourceHistory(duration: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...resourceHistoryKey, duration],
    queryFn: () => bridge.call('services.resourceHistory', { duration, points: 600 }),
    refetchInterval: ({ state }) => Math.max(refreshMs, (state.data?.intervalSec ?? 5) * 1000),
    placeholderData: (previous) => previous,
    retry: false,
  });
}

/** Health of the engine, with its problems. */
export function useHealth() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['health'],
    queryFn: () => bridge.call('system.health', {}),
    refetchInterval: refreshMs,
  });
}

/** Version, directories and number of active runs of the engine. */
export function useSystemInfo() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.system, queryFn: () => bridge.call('system.info', {}) });
}

/** Disk usage of the home directory. */
export function useStorage() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['storage'],
    queryFn: () => bridge.call('system.storage', {}),
    refetchInterval: refreshMs,
  });
}

/** Checks the integrity of the database. */
export function useCheckDatabase() {
  const bridge = useBridge();
  return useMutation({ mutationFn: () => bridge.call('system.check', {}) });
}

/** In addition, pages with queues follow changes (`useSystemChanges`). */
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

/** Sets or removes the limit of a queue in the configuration file. */
export const useSetQueueLimit = () =>
  useOperationMutation('queues.setLimit', { changed: () => [queryKeys.queues] });

/** Moves a queued run. */
export const useMoveItem = () =>
  useOperationMutation('queues.move', { changed: () => [queryKeys.queues], evenRefused: true });

/** Removes a run from its queue. */
export const useDequeue = () =>
  useOperationMutation('runs.dequeue', { changed: () => [queryKeys.queues], evenRefused: true });

/** Workers send a heartbeat every five seconds. */
const workerRefreshMs = 5000;

export const workersKey = ['workers'] as const;

/** The workers with their current tasks. */
export function useWorkers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: workersKey,
    queryFn: () => bridge.call('workers.list', {}),
    refetchInterval: workerRefreshMs,
  });
}

/** The coordinators of the workers. */
export function useCoordinators() {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...workersKey, 'coordinators'],
    queryFn: () => bridge.call('workers.coordinators', {}),
    refetchInterval: workerRefreshMs,
  });
}

/** The join tokens of workers, for users with access. */
export function useJoinTokens(isAllowed: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...workersKey, 'tokens'],
    queryFn: () => bridge.call('workers.listTokens', {}),
    enabled: isAllowed,
  });
}

type Change =
  | 'workers.drain'
  | 'workers.resume'
  | 'workers.remove'
  | 'workers.createToken'
  | 'workers.deleteToken';

/** Changes workers or join tokens. */
export const useChangeWorkers = <Name extends Change>(name: Name) =>
  useOperationMutation(name, { changed: () => [workersKey], isSecret: true });
