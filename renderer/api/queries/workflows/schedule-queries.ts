import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useOperationMutation } from '../use-change.ts';

/** The next times change as time passes. */
const refreshMs = 30_000;
const calendarRefreshMs = 60_000;

/** The next times of a workflow's schedule. */
export function useNextFireTimes(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.nextTimes(fileName),
    queryFn: () => bridge.call('dags.nextTimes', { fileName, limit: 20 }),
    refetchInterval: refreshMs,
  });
}

/** Suspends or resumes the schedule of a workflow. */
export const useSuspendSchedule = () =>
  useOperationMutation('dags.suspend', {
    changed: ({ fileName }) => [queryKeys.dags, queryKeys.dag(fileName), queryKeys.nextTimes(fileName)],
  });

/** Past and upcoming runs of schedules. */
export function useScheduleCalendar(input: OperationInput<'schedules.calendar'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['schedules-calendar', input],
    queryFn: () => bridge.call('schedules.calendar', input),
    refetchInterval: calendarRefreshMs,
    placeholderData: (previous) => previous,
  });
}
