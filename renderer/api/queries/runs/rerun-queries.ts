import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useChange } from '../use-change.ts';

/** Which run is to go on, and where it begins. */
export type RetryWish = OperationInput<'runs.retry'>;

/** What a retry would run again and keep; asked anew each time, since an old answer may be wrong by now. */
export function useRetryPlan(wish: RetryWish) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.retryPlan(wish),
    queryFn: () => bridge.call('runs.retryPlan', wish),
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
}

/** Lets an ended run go on. */
export const useRetryRun = () => useChange('runs.retry');

/** Starts a new run with the workflow and the parameters of an earlier one. */
export const useReschedule = () => useChange('runs.reschedule');
