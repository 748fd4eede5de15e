import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBridge } from './bridge.ts';
import { queryKeys } from './query-keys.ts';

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
export function useSuspend(fileName: string) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (suspend: boolean) => bridge.call('dags.suspend', { fileName, suspend }),
    onSuccess: () =>
      Promise.all(
        [queryKeys.dags, queryKeys.dag(fileName), queryKeys.nextTimes(fileName)].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
