import {
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
  useInfiniteQuery,
  type QueryClient,
} from '@tanstack/react-query';
import type { RunRef } from '../../core/model/run.ts';
import type { OperationInput } from '../../core/contract/operations.ts';
import type { Bridge } from '../../core/contract/transport.ts';
import { useBridge } from './bridge.ts';
import { useLiveEvents } from './live-events.ts';
import { queryKeys, type ItemsRef, useOperationMutation, type RunFilter } from './query-keys.ts';

/** The wait reason of a queued run is refetched at this interval. */
const waitRefreshMs = 2000;
/** Usage and artifacts of an active run are polled at this interval, because no event reports them. */
const refreshMs = 2000;
/** Maximum number of items per attempt. */
const itemLimit = 1000;

/** One run, updated by live events. */
export function useRun(name: string, dagRunId: string, enabled = true) {
  const bridge = useBridge();
  const live = useLiveEvents();
  const isGoing = useIsMutating({ mutationKey: queryKeys.deletedRun(name, dagRunId) }) > 0;
  return useQuery({
    queryKey: queryKeys.run(name, dagRunId),
    queryFn: async () => {
      const run = await bridge.call('runs.get', { name, dagRunId });
      return live ? live.catchUp(run) : run;
    },
    // A recent event may trigger a refetch while it is being deleted.
    enabled: enabled && !isGoing,
    // Its wait reason changes with other runs, which its own events do not report.
    refetchInterval: ({ state }) => (state.data?.status === 'queued' ? waitRefreshMs : false),
  });
}

/** The runs started by steps of a run. */
export function useSubRuns(name: string, dagRunId: string, enabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.subRuns(name, dagRunId),
    queryFn: () => bridge.call('runs.subRuns', { name, dagRunId }),
    enabled,
    select: ({ subRuns }) => subRuns,
  });
}

/** All sub-runs of a run, at any depth. */
export function useAllSubRuns({ name, dagRunId }: RunRef, enabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...queryKeys.subRuns(name, dagRunId), 'deep'],
    queryFn: () => bridge.call('runs.subRuns', { name, dagRunId, deep: true }),
    enabled,
    select: ({ subRuns }) => subRuns,
  });
}

/** The items of one attempt of a step with `parallel`, updated by live events. */
export function useItems(name: string, dagRunId: string, ref: ItemsRef) {
  const bridge = useBridge();
  const live = useLiveEvents();
  return useQuery({
    queryKey: queryKeys.items(name, dagRunId, ref),
    queryFn: async () => {
      const page = await bridge.call('runs.items', { name, dagRunId, ...ref, limit: itemLimit });
      return live ? live.catchUpItems(page, name, dagRunId, ref) : page;
    },
    select: ({ items }) => items,
  });
}

/** The artifacts of a run; no event reports them, so they are polled while it is active. */
export function useArtifacts({ name, dagRunId }: RunRef, isLive: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['artifacts', name, dagRunId, isLive],
    queryFn: () => bridge.call('runs.artifacts', { name, dagRunId }),
    refetchInterval: isLive ? refreshMs : false,
  });
}

/** CPU and memory usage of a run's processes. */
export function useRunUsage({ name, dagRunId }: RunRef, isLive: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['usage', name, dagRunId, isLive],
    queryFn: () => bridge.call('runs.usage', { name, dagRunId }),
    refetchInterval: isLive ? refreshMs : false,
    retry: false,
  });
}

/** Stops an active run gracefully, or kills it. */
export const useStopRun = () => useOperationMutation('runs.stop');

/** Sets the status of a step in a finished run. */
export const useSetStepStatus = () => useOperationMutation('runs.setStepStatus');

/** Sets or deletes the note of a run. */
export const useSetNote = () =>
  useOperationMutation('runs.setNote', {
    changed: ({ name, dagRunId }) => [queryKeys.run(name, dagRunId), ['runs']],
  });

/** Deletes a finished run with its sub-runs and logs. */
export function useDeleteRun({ name, dagRunId }: RunRef) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationKey: queryKeys.deletedRun(name, dagRunId),
    mutationFn: () => bridge.call('runs.delete', { name, dagRunId }),
    onSuccess: () => {
      for (const queryKey of [['runs'], queryKeys.recentRuns, queryKeys.dags])
        void cache.invalidateQueries({ queryKey });
    },
  });
}

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
