import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useOperationMutation } from '../use-change.ts';

/** Which run to retry, and from where. */
export type RetryRunInput = OperationInput<'runs.retry'>;

/** The plan of a retry; refetched each time, because an old one may be out of date. */
export function useRetryPlan(options: RetryRunInput) {
  const bridge = useBridge();
  return useQuery({
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
