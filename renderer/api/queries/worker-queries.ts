import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';

/** Workers give a sign of life every five seconds, whatever else happens. */
const refreshMs = 5000;

export const workersKey = ['workers'] as const;

/** The workers of coordinators, and what they are doing. */
export function useWorkers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: workersKey,
    queryFn: () => bridge.call('workers.list', {}),
    refetchInterval: refreshMs,
  });
}

/** The coordinators that workers talk to. */
export function useCoordinators() {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...workersKey, 'coordinators'],
    queryFn: () => bridge.call('workers.coordinators', {}),
    refetchInterval: refreshMs,
  });
}

/** The tokens by which workers may join, for those who may see them. */
export function useJoinTokens(isAllowed: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...workersKey, 'tokens'],
    queryFn: () => bridge.call('workers.listTokens', {}),
    enabled: isAllowed,
  });
}

type Change =
  | 'workers.drain'
  | 'workers.resume'
  | 'workers.remove'
  | 'workers.createToken'
  | 'workers.deleteToken';

/** Changes something about workers, or about who may join. */
export function useChangeWorkers<Name extends Change>(name: Name) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput<Name>) => bridge.call(name, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: workersKey }),
    // A secret is nobody's business once its dialog is closed.
    gcTime: 0,
  });
}
