import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isActive } from '../format/labels.ts';
import { useBridge } from './bridge.ts';
import { queryKeys, type RunFilter } from './query-keys.ts';

/** Live events refetch sooner; this is for the change of days and for what other hosts do. */
const refreshMs = 60_000;
/** While steps of a run may change. */
const activeRefreshMs = 2_000;

interface Days {
  readonly fromDate: string;
  readonly toDate: string;
  readonly zone: string;
}

/** Outcomes of runs by day, and the number of active runs. */
export function useRunStatistics(days: Days) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...queryKeys.runStatistics, days],
    queryFn: () => bridge.call('runs.statistics', days),
    refetchInterval: refreshMs,
    placeholderData: (previous) => previous,
  });
}

/** Number of runs that match a filter. */
export function useRunCount(filter: RunFilter) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...queryKeys.runStatistics, 'count', filter],
    queryFn: () => bridge.call('runs.count', filter),
    refetchInterval: refreshMs,
    placeholderData: (previous) => previous,
  });
}

/** Failed runs of the last week by cause. */
export function useRunFailures() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.runFailures,
    queryFn: () => bridge.call('runs.failures', { days: 7 }),
    refetchInterval: refreshMs,
  });
}

/** Limit of `runs.recent`. */
const maxNames = 100;

/** Statuses of the newest runs of workflows, newest first, by name. Newer runs are added by `useRecentRuns`. */
export function useRecentStatuses(names: readonly string[]) {
  const bridge = useBridge();
  const requested = useMemo(() => [...new Set(names)].toSorted(), [names]);
  return useQuery({
    queryKey: ['recent-statuses', requested],
    queryFn: async () => {
      const pages = Array.from({ length: Math.ceil(requested.length / maxNames) }, (_, index) =>
        bridge.call('runs.recent', { names: requested.slice(index * maxNames, (index + 1) * maxNames) }),
      );
      return (await Promise.all(pages)).flatMap(({ workflows }) => workflows);
    },
    enabled: requested.length > 0,
    staleTime: refreshMs,
    placeholderData: (previous) => previous,
  });
}

/** Usual durations of workflows in milliseconds, by name. @param names at most 100 */
export function useUsualDurations(names: readonly string[]): ReadonlyMap<string, number> {
  const bridge = useBridge();
  const requested = [...new Set(names)].toSorted();
  const found = useQuery({
    queryKey: ['usual-durations', requested],
    queryFn: () => bridge.call('runs.durations', { names: requested }),
    enabled: requested.length > 0,
    staleTime: refreshMs,
    placeholderData: (previous) => previous,
  });
  return new Map(found.data?.durations.map(({ name, medianSeconds }) => [name, medianSeconds * 1000]));
}

/** Status of each step in the newest runs of a workflow, newest first. */
export function useStepHistory(name: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.stepHistory(name),
    queryFn: () => bridge.call('runs.stepHistory', { name }),
    refetchInterval: ({ state }) =>
      state.data?.runs.some(({ run }) => isActive(run)) === true ? activeRefreshMs : refreshMs,
  });
}
