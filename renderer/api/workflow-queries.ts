import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { OperationInput, OperationOutput } from '../../core/contract/operations.ts';
import type { Bridge } from '../../core/contract/transport.ts';
import { useBridge } from './bridge.ts';
import { queryKeys, useOperationMutation } from './query-keys.ts';

/** In addition, pages with workflow files follow changes (`useSystemChanges`). */
const refreshMs = 10_000;
/** Maximum number of workflows per response. */
const maxDags = 1000;

/** Loads all pages, because the list is shown, sorted and searched as a whole. */
async function listAllDags(bridge: Bridge): Promise<OperationOutput<'dags.list'>> {
  const first = await bridge.call('dags.list', { limit: maxDags });
  const dags = [...first.dags];
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const page = await bridge.call('dags.list', { limit: maxDags, cursor });
    dags.push(...page.dags);
    cursor = page.nextCursor;
  }
  return { dags, total: first.total };
}

/** All workflows of the home directory. */
export function useDags() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dags,
    queryFn: () => listAllDags(bridge),
    refetchInterval: refreshMs,
    select: ({ dags }) => dags,
  });
}

/** One workflow file with its text, diagnostics and steps. */
export function useDag(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dag(fileName),
    queryFn: () => bridge.call('dags.get', { fileName }),
    refetchInterval: refreshMs,
  });
}

/** The parameters of the saved file, for a form. @param isEnabled nothing is loaded if false */
export function useSavedForm(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dag(fileName),
    queryFn: () => bridge.call('dags.get', { fileName }),
    retry: false,
    select: ({ paramForm, latestRun }) => ({ form: paramForm, earlier: latestRun?.params }),
  });
}

/** Steps of other workflows that run a workflow. @param fileName nothing is loaded if absent */
export function useReferences(fileName: string | undefined) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['references', fileName],
    queryFn: () => bridge.call('dags.references', { fileName: fileName! }),
    enabled: fileName !== undefined,
  });
}

/** Lines of workflow files that contain a text, paged. */
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

/** Starts a run of a workflow file. */
export const useStartDag = () => useOperationMutation('dags.start', { changed: () => [queryKeys.dags] });

/** Queues a run of a workflow; the response is the run. */
export const useEnqueueDag = () => useOperationMutation('dags.enqueue', { changed: () => [queryKeys.dags] });

/** The next times change as time passes. */
const scheduleRefreshMs = 30_000;
const calendarRefreshMs = 60_000;

/** The next times of a workflow's schedule. */
export function useNextFireTimes(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.nextTimes(fileName),
    queryFn: () => bridge.call('dags.nextTimes', { fileName, limit: 20 }),
    refetchInterval: scheduleRefreshMs,
  });
}

/** Suspends or resumes the schedule of a workflow. */
export const useSuspendSchedule = () =>
  useOperationMutation('dags.suspend', {
    changed: ({ fileName }) => [queryKeys.dags, queryKeys.dag(fileName), queryKeys.nextTimes(fileName)],
  });

/** Prefix of the keys of all calendars of schedules. */
export const calendarKey = ['schedules-calendar'] as const;

/** Counts of past and upcoming runs of schedules by hour. */
export function useScheduleCounts(input: OperationInput<'schedules.counts'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...calendarKey, 'counts', input],
    queryFn: () => bridge.call('schedules.counts', input),
    refetchInterval: calendarRefreshMs,
    placeholderData: (previous) => previous,
  });
}

/** Past and upcoming runs of schedules. */
export function useScheduleCalendar(input: OperationInput<'schedules.calendar'>, enabled = true) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...calendarKey, input],
    queryFn: () => bridge.call('schedules.calendar', input),
    enabled,
    refetchInterval: calendarRefreshMs,
    placeholderData: (previous) => previous,
  });
}

/**
 * A dry run of the file or of a text in its place. It is fetched once and cached only while shown: it depends
 * on files that change without an event, and may run commands.
 */
export function useDryRun(
  options: OperationInput<'dags.dry'> & Partial<Pick<OperationInput<'runs.dry'>, 'spec'>>,
) {
  const bridge = useBridge();
  const { spec, ...fileOptions } = options;
  return useQuery({
    queryKey: queryKeys.dryRun(options),
    queryFn: () =>
      spec === undefined
        ? bridge.call('dags.dry', fileOptions)
        : bridge.call('runs.dry', { ...fileOptions, spec }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}
