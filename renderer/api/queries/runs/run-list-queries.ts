import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys, type RunFilter } from '../query-keys.ts';

const pageSize = 100;
/** How many of the newest runs the recent-status sparks of the workflow list are made from. */
const recentLimit = 300;
/** The most runs of one answer. */
const mostRuns = 1000;
/** Runs of a workflow that one of them may be compared with. */
const comparedLimit = 100;
/** Days go by. */
const calendarRefreshMs = 60_000;

/** Runs on a page, as the configuration has it; a list is shown, whatever becomes of the question. */
const readPageLimit = (client: QueryClient, bridge: Bridge): Promise<number> =>
  client.ensureQueryData({ queryKey: queryKeys.system, queryFn: () => bridge.call('system.info', {}) }).then(
    ({ ui }) => ui.maxDashboardPageLimit,
    () => pageSize,
  );

/** The history, newest first, page by page. */
export function useRuns(filter: RunFilter) {
  const bridge = useBridge();
  const client = useQueryClient();
  return useInfiniteQuery({
    queryKey: queryKeys.runs(filter),
    queryFn: async ({ pageParam }) => {
      const limit = await readPageLimit(client, bridge);
      return bridge.call('runs.list', { ...filter, limit, cursor: pageParam });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  });
}

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

/** The newest runs of all workflows. */
export function useRecentRuns() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.recentRuns,
    queryFn: () => bridge.call('runs.list', { limit: recentLimit }),
    select: ({ dagRuns }) => dagRuns,
  });
}

/** Runs of the same workflow, newest first: what a run may be compared with. */
export function useRunsOf(name: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['runs-of', name],
    queryFn: () => bridge.call('runs.listOf', { name, subRuns: true, limit: comparedLimit }),
    select: ({ dagRuns }) => dagRuns,
  });
}

/** Runs by days. */
export function useRunCalendar(input: OperationInput<'runs.calendar'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['runs-calendar', input],
    queryFn: () => bridge.call('runs.calendar', input),
    refetchInterval: calendarRefreshMs,
    placeholderData: (previous) => previous,
  });
}
