import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../bridge.ts';
import { queryKeys } from './query-keys.ts';
import { useChange } from './use-change.ts';

/** Times go by. */
const refreshMs = 30_000;

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
