import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';
import { queryKeys, type RunFilter } from './query-keys.ts';
import { useChange } from './use-change.ts';

/** Pages that show queues follow them besides (`useSystemChanges`). */
const refreshMs = 30_000;
const slowRefreshMs = 60_000;
const auditPage = 100;
/** The most runs of one answer. */
const mostRuns = 1000;

/** Newest runs of a filter in one page, kept current by the live events. */
export function useRunsAtOnce(filter: RunFilter) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: queryKeys.runs(filter),
    queryFn: () => bridge.call('runs.list', { ...filter, limit: mostRuns }),
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
    placeholderData: (previous) => previous,
    select: ({ pages }) => pages.flatMap(({ dagRuns }) => dagRuns),
  });
}

/** The queues with what is active and what waits in them. */
export function useQueues() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.queues,
    queryFn: () => bridge.call('queues.list', {}),
    refetchInterval: refreshMs,
  });
}

/** What waits in a queue, page by page. */
export function useQueueItems(queue: string) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...queryKeys.queues, queue, 'items'],
    queryFn: ({ pageParam }) => bridge.call('queues.items', { queue, limit: 200, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}

type QueueChange = 'queues.pause' | 'queues.drain' | 'queues.resume' | 'queues.clear';

/** Changes a queue as a whole. */
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

/** Gives a waiting run another place. */
export const useMoveItem = () =>
  useChange('queues.move', { changed: () => [queryKeys.queues], evenRefused: true });

/** Takes a waiting run out of its queue. */
export const useDequeue = () =>
  useChange('runs.dequeue', { changed: () => [queryKeys.queues], evenRefused: true });

/** Runs by days. */
export function useRunCalendar(input: OperationInput<'runs.calendar'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['runs-calendar', input],
    queryFn: () => bridge.call('runs.calendar', input),
    refetchInterval: slowRefreshMs,
    placeholderData: (previous) => previous,
  });
}

/** What schedules have done and will do. */
export function useScheduleCalendar(input: OperationInput<'schedules.calendar'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['schedules-calendar', input],
    queryFn: () => bridge.call('schedules.calendar', input),
    refetchInterval: slowRefreshMs,
    placeholderData: (previous) => previous,
  });
}

/** Lines of workflow files with a text, page by page. */
export function useDagSearch(input: Pick<OperationInput<'dags.search'>, 'q' | 'regex'>) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: ['dag-search', input],
    queryFn: ({ pageParam }) => bridge.call('dags.search', { ...input, limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: input.q !== '',
    placeholderData: (previous) => previous,
    retry: false,
  });
}

export type AuditFilter = Omit<OperationInput<'audit.list'>, 'limit' | 'cursor'>;

/** Who has changed what, page by page. */
export function useAudit(filter: AuditFilter) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => bridge.call('audit.list', { ...filter, limit: auditPage, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  });
}
