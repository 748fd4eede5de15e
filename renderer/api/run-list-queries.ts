import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../core/contract/operations.ts';
import type { Bridge } from '../../core/contract/transport.ts';
import { useBridge } from './bridge.ts';
import { queryKeys, type RunFilter, useOperationMutation } from './query-keys.ts';

const pageSize = 100;
/** Number of newest runs from which the status charts of the workflow list are built. */
const recentLimit = 300;
/** Maximum number of runs per response. */
const maxRuns = 1000;
/** Number of runs offered for comparison. */
const comparedLimit = 100;
/** Refetched because the current day changes. */
const calendarRefreshMs = 60_000;

/** Reads the configured page size; falls back to the default if the request fails. */
const readPageLimit = (client: QueryClient, bridge: Bridge): Promise<number> =>
  client.ensureQueryData({ queryKey: queryKeys.system, queryFn: () => bridge.call('system.info', {}) }).then(
    ({ ui }) => ui.maxDashboardPageLimit,
    () => pageSize,
  );

/** The run history, newest first, paged. */
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

/** The newest runs of a filter in one page, updated by live events. */
export function useLatestRuns(filter: RunFilter) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: queryKeys.runs(filter),
    queryFn: () => bridge.call('runs.list', { ...filter, limit: maxRuns }),
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

/** Runs of the same workflow, newest first, for comparison. */
export function useWorkflowRuns(name: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['runs-of', name],
    queryFn: () => bridge.call('runs.listOf', { name, subRuns: true, limit: comparedLimit }),
    select: ({ dagRuns }) => dagRuns,
  });
}

/** Number of runs per day. */
export function useRunCalendar(input: OperationInput<'runs.calendar'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['runs-calendar', input],
    queryFn: () => bridge.call('runs.calendar', input),
    refetchInterval: calendarRefreshMs,
    placeholderData: (previous) => previous,
  });
}

/** Which run to retry, and from where. */
export type RetryRunInput = OperationInput<'runs.retry'>;

/** The plan of a retry; refetched each time, because an old one may be out of date. */
export function useRetryPlan(options: RetryRunInput, isEnabled = true) {
  const bridge = useBridge();
  return useQuery({
    enabled: isEnabled,
    queryKey: queryKeys.retryPlan(options),
    queryFn: () => bridge.call('runs.retryPlan', options),
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
}

/** Retries a finished run. */
export const useRetryRun = () => useOperationMutation('runs.retry');

/** Starts a new run with the workflow and the parameters of an earlier one. */
export const useRestartRun = () => useOperationMutation('runs.reschedule');
