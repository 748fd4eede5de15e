import { useQuery } from '@tanstack/react-query';
import { useBridge } from './bridge.ts';
import { queryKeys, useOperationMutation } from './query-keys.ts';

/** The secrets of the home by name, without values, and the state of the store. */
export function useSecrets() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.secrets, queryFn: () => bridge.call('secrets.list', {}) });
}

/** Stores or deletes a secret. The input contains the value. */
export const useChangeSecret = <Name extends 'secrets.set' | 'secrets.delete'>(name: Name) =>
  useOperationMutation(name, { changed: () => [queryKeys.secrets], isSecret: true });
