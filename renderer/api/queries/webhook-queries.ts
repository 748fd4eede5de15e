import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import type { OperationInput, OperationOutput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';

/** Pages that show webhooks follow them besides (`useSystemChanges`); workflows that listen are files, which tell nobody. */
const refreshMs = 30_000;
const pageSize = 100;

/** Everything about webhooks; what one change does to the rest is not worth keeping apart. */
export const webhooksKey = ['webhooks'] as const;

/** Whether it says which webhooks or receivers there are; what is asked for besides is about one of them. */
export const isWebhookList = ({ queryKey }: Query): boolean =>
  queryKey[1] === 'hooks' || queryKey[1] === 'receivers';

/** The events that webhooks can have. */
export function useWebhookEvents() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['webhook-catalog'],
    queryFn: async () => (await bridge.call('webhooks.catalog', {})).events,
    staleTime: Infinity,
  });
}

/** A payload that an event could have. @param action an empty text for any */
export function useExamplePayload(event: string, action: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['webhook-example', event, action],
    queryFn: () => bridge.call('webhooks.example', { event, ...(action !== '' && { action }) }),
    staleTime: Infinity,
  });
}

/** The webhooks that are sent, newest first, page by page. */
export function useHooks() {
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

/** One webhook with how many events stand where. */
export function useHook(hookId: number) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...webhooksKey, 'hook', hookId],
    queryFn: () => bridge.call('webhooks.get', { hookId }),
    refetchInterval: refreshMs,
  });
}

export type DeliveryOutcome = OperationInput<'webhooks.deliveries'>['outcome'];

/** Deliveries of a webhook, newest first, page by page. */
export function useHookDeliveries(hookId: number, outcome: DeliveryOutcome) {
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

/** A delivery with its request and its response. */
export function useHookDelivery(hookId: number, deliveryId: number) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...webhooksKey, 'delivery', hookId, deliveryId],
    queryFn: () => bridge.call('webhooks.delivery', { hookId, deliveryId }),
    staleTime: Infinity,
  });
}

export type MessageFilter = NonNullable<OperationInput<'webhooks.messages'>['state']>;

/** Events on their way to a webhook, or lost, newest first, page by page. */
export function useHookMessages(hookId: number, state: MessageFilter) {
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

/** What came to a receiver, newest first, page by page. */
export function useReceived(receiverId: string, filter: { readonly verified?: boolean }) {
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

/** One delivery that came, with its headers and its body. */
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
  | `receivers.${'create' | 'update' | 'delete' | 'rotate' | 'replay'}`;

/** Does something with webhooks. */
export function useWebhookChange<Name extends Change>(name: Name) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => bridge.call(name, input),
    onSuccess: () =>
      // What is gone is not asked for again: with the list, the part of the page about it goes.
      cache.invalidateQueries({
        queryKey: webhooksKey,
        ...(name.endsWith('.delete') && { predicate: isWebhookList }),
      }),
    // What is sent may hold a secret, which is nobody's business once its dialog is closed.
    gcTime: 0,
  });
}
