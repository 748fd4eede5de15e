import { useQuery } from '@tanstack/react-query';
import { useBridge } from './bridge.ts';
import { useOperationMutation } from './query-keys.ts';

/** Workers send a heartbeat every five seconds. */
const refreshMs = 5000;

export const workersKey = ['workers'] as const;

/** The workers with their current tasks. */
export function useWorkers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: workersKey,
    queryFn: () => bridge.call('workers.list', {}),
    refetchInterval: refreshMs,
  });
}

/** The coordinators of the workers. */
export function useCoordinators() {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...workersKey, 'coordinators'],
    queryFn: () => bridge.call('workers.coordinators', {}),
    refetchInterval: refreshMs,
  });
}

/** The join tokens of workers, for users with access. */
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

/** Changes workers or join tokens. */
export const useChangeWorkers = <Name extends Change>(name: Name) =>
  useOperationMutation(name, { changed: () => [workersKey], isSecret: true });
