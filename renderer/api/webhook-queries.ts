import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import type { OperationInput, OperationOutput } from '../../core/contract/operations.ts';
import { useBridge } from './bridge.ts';

/**
 * In addition, pages with webhooks follow changes (`useSystemChanges`); listening workflows are files, whose
 * changes are not reported.
 */
const refreshMs = 30_000;
const pageSize = 100;

/** Query key prefix of all webhook data; one change may affect any of it. */
export const webhooksKey = ['webhooks'] as const;

/** Whether a query lists webhooks or receivers; other queries concern one of them. */
export const isWebhookList = ({ queryKey }: Query): boolean =>
  queryKey[1] === 'hooks' || queryKey[1] === 'receivers';

/** The catalog of webhook events. */
export function useWebhookEvents() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['webhook-catalog'],
    queryFn: async () => (await bridge.call('webhooks.catalog', {})).events,
    staleTime: Infinity,
  });
}

/** An example payload of an event. @param action empty for any */
export function useExamplePayload(event: string, action: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['webhook-example', event, action],
    queryFn: () => bridge.call('webhooks.example', { event, ...(action !== '' && { action }) }),
    staleTime: Infinity,
  });
}

/** The outgoing webhooks, newest first, paged. */
export function useWebhookList() {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...webhooksKey, 'hooks'],
    queryFn: ({ pageParam }) => bridge.call('webhooks.list', { limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ hooks }) => hooks),
    refetchInterval: refreshMs,
  });
}

/** One webhook with event counts by state. */
export function useWebhook(hookId: number) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...webhooksKey, 'hook', hookId],
    queryFn: () => bridge.call('webhooks.get', { hookId }),
    refetchInterval: refreshMs,
  });
}

export type DeliveryOutcome = OperationInput<'webhooks.deliveries'>['outcome'];

/** Deliveries of a webhook, newest first, paged. */
export function useWebhookDeliveries(hookId: number, outcome: DeliveryOutcome) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...webhooksKey, 'deliveries', hookId, outcome],
    queryFn: ({ pageParam }) =>
      bridge.call('webhooks.deliveries', { hookId, outcome, limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  });
}

/** A delivery with its request and response. */
export function useWebhookDelivery(hookId: number, deliveryId: number) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...webhooksKey, 'delivery', hookId, deliveryId],
    queryFn: () => bridge.call('webhooks.delivery', { hookId, deliveryId }),
    staleTime: Infinity,
  });
}

export type MessageFilter = NonNullable<OperationInput<'webhooks.messages'>['state']>;

/** Pending or given-up events of a webhook, newest first, paged. */
export function useWebhookMessages(hookId: number, state: MessageFilter) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...webhooksKey, 'messages', hookId, state],
    queryFn: ({ pageParam }) =>
      bridge.call('webhooks.messages', { hookId, state, limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ messages }) => messages),
    refetchInterval: refreshMs,
  });
}

/** The receivers of webhooks, by name. */
export function useReceivers() {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...webhooksKey, 'receivers'],
    queryFn: async () => (await bridge.call('receivers.list', {})).receivers,
    refetchInterval: refreshMs,
  });
}

/** Deliveries to a receiver, newest first, paged. */
export function useReceivedDeliveries(receiverId: string, filter: { readonly verified?: boolean }) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...webhooksKey, 'received', receiverId, filter],
    queryFn: ({ pageParam }) =>
      bridge.call('receivers.deliveries', { receiverId, ...filter, limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  });
}

/** One received delivery, with headers and body. */
export function useReceivedDelivery(receiverId: string, id: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...webhooksKey, 'received-one', receiverId, id],
    queryFn: () => bridge.call('receivers.delivery', { receiverId, id }),
    refetchInterval: refreshMs,
  });
}

type Change =
  | `webhooks.${'create' | 'update' | 'delete' | 'rotateSecret' | 'ping' | 'test' | 'redeliver' | 'replay'}`
  | `webhooks.${'retryMessage' | 'emit'}`
  | `receivers.${'create' | 'update' | 'delete' | 'rotate' | 'replay' | 'sendSample'}`;

/** A mutation for a webhook operation. */
export function useWebhookMutation<Name extends Change>(name: Name) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => bridge.call(name, input),
    onSuccess: () =>
      // A deleted object is not refetched: the list update removes its part of the page.
      cache.invalidateQueries({
        queryKey: webhooksKey,
        ...(name.endsWith('.delete') && { predicate: isWebhookList }),
      }),
    // The request may contain a secret, which must not stay in memory after its dialog is closed.
    gcTime: 0,
  });
}
