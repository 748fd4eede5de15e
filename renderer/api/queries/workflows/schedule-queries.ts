import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useChange } from '../use-change.ts';

/** Times go by. */
const refreshMs = 30_000;
const calendarRefreshMs = 60_000;

/** The next times of a workflow's schedule. */
export function useNextTimes(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.nextTimes(fileName),
    queryFn: () => bridge.call('dags.nextTimes', { fileName, limit: 20 }),
    refetchInterval: refreshMs,
  });
}

/** Lets the schedule of a workflow rest, or resumes it. */
export const useSuspend = () =>
  useChange('dags.suspend', {
    changed: ({ fileName }) => [queryKeys.dags, queryKeys.dag(fileName), queryKeys.nextTimes(fileName)],
  });

/** What schedules have done and will do. */
export function useScheduleCalendar(input: OperationInput<'schedules.calendar'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['schedules-calendar', input],
    queryFn: () => bridge.call('schedules.calendar', input),
    refetchInterval: calendarRefreshMs,
    placeholderData: (previous) => previous,
  });
}
