import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';
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
export function useSuspend() {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (wish: OperationInput<'dags.suspend'>) => bridge.call('dags.suspend', wish),
    onSuccess: (_answer, { fileName }) =>
      Promise.all(
        [queryKeys.dags, queryKeys.dag(fileName), queryKeys.nextTimes(fileName)].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
