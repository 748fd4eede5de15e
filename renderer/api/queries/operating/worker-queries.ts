import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../bridge.ts';
import { useChange } from '../use-change.ts';

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
export const useChangeWorkers = <Name extends Change>(name: Name) =>
  useChange(name, { changed: () => [workersKey], isSecret: true });
