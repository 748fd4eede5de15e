import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OperationInput, OperationOutput } from '../../core/contract/operations.ts';
import { useBridge } from './bridge.ts';
import { webhooksKey } from './webhook-queries.ts';

const refreshMs = 30_000;
const pageSize = 100;

/** Query key prefix of all notification data. Notifications are webhook messages, so changes are followed with them. */
const notificationsKey = [...webhooksKey, 'notifications'] as const;

/** The notification channels, by name. */
export function useChannels() {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...notificationsKey, 'channels'],
    queryFn: async () => (await bridge.call('channels.list', {})).channels,
    refetchInterval: refreshMs,
  });
}

/** The notification rules, by name. */
export function useRules() {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...notificationsKey, 'rules'],
    queryFn: async () => (await bridge.call('rules.list', {})).rules,
    refetchInterval: refreshMs,
  });
}

/** Notifications, newest first, paged. */
export function useNotifications() {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...notificationsKey, 'sent'],
    queryFn: ({ pageParam }) => bridge.call('notifications.list', { limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ notifications }) => notifications),
    refetchInterval: refreshMs,
  });
}

/** Who is notified of the failures of a workflow. */
export function useCoverage(name: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...notificationsKey, 'coverage', name],
    queryFn: () => bridge.call('notifications.coverage', { name }),
  });
}

type Change =
  | `channels.${'create' | 'update' | 'delete' | 'test'}`
  | `rules.${'create' | 'update' | 'delete'}`
  | 'notifications.resend';

/** A mutation for a notification operation. */
export function useNotificationMutation<Name extends Change>(name: Name) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => bridge.call(name, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: notificationsKey }),
    // The request may contain a secret, which must not stay in memory after its dialog is closed.
    gcTime: 0,
  });
}
