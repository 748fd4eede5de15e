import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBridge } from './bridge.ts';
import { queryKeys, useOperationMutation } from './query-keys.ts';

/** The settings of the installation with their sources. */
export function useConfig() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.config, queryFn: () => bridge.call('config.get', {}) });
}

/** Changes a setting in the configuration file. */
export function useSetSetting() {
  const cache = useQueryClient();
  const mutation = useOperationMutation('config.set');
  return {
    ...mutation,
    set: (input: Parameters<typeof mutation.mutate>[0], onSaved: () => void): void =>
      mutation.mutate(input, {
        onSuccess: (config) => {
          cache.setQueryData(queryKeys.config, config);
          onSaved();
        },
      }),
  };
}

/** The mail server of the installation. */
export function useMailSettings() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.mail, queryFn: () => bridge.call('config.mail', {}) });
}

/** Changes the mail server. The input may contain a password. */
export const useSetMail = () =>
  useOperationMutation('config.setMail', { changed: () => [queryKeys.mail], isSecret: true });

/** Sends a test email. The input may contain a password. */
export const useTestMail = () => useOperationMutation('config.testMail', { isSecret: true });

/** The secrets of the home by name, without values, and the state of the store. */
export function useSecrets() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.secrets, queryFn: () => bridge.call('secrets.list', {}) });
}

/** Stores or deletes a secret. The input contains the value. */
export const useChangeSecret = <Name extends 'secrets.set' | 'secrets.delete'>(name: Name) =>
  useOperationMutation(name, { changed: () => [queryKeys.secrets], isSecret: true });
