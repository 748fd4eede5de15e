import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../core/contract/operations.ts';
import { useBridge } from './bridge.ts';
import { queryKeys } from './query-keys.ts';

/**
 * What a run would do. Asked for once and kept only while it is shown: it depends on files that change without an
 * event, and asking may run commands.
 */
export function useDryRun(wish: OperationInput<'dags.dry'>) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dryRun(wish),
    queryFn: () => bridge.call('dags.dry', wish),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}
