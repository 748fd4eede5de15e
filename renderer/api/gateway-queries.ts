import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../core/contract/operations.ts';
import { appRoot } from '../base/app-root.ts';
import { useBridge } from './bridge.ts';

/** The desktop window has no server; this is the default address of `engine server`. */
const usualServer = 'http://127.0.0.1:8080';

/** Returns the server address of this window without a trailing slash, for requests to copy. */
export function useServerAddress(): string {
  const { transport } = useBridge();
  return transport === 'http' ? appRoot().href.replace(/\/$/, '') : usualServer;
}

/** Polling interval while the database is being opened. */
const openingMs = 500;
const refreshMs = 5_000;

const statusKey = ['gateway', 'status'] as const;
const catalogKey = ['gateway', 'catalog'] as const;

/** State of the gateway. */
export function useGatewayStatus() {
  const bridge = useBridge();
  return useQuery({
    queryKey: statusKey,
    queryFn: () => bridge.call('gateway.status', {}),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? refreshMs : openingMs),
  });
}

/** Whether the database of the gateway is configured or has been created. Does not open it. */
export function useIsGatewayUsed(): boolean {
  const bridge = useBridge();
  const { data } = useQuery({ queryKey: statusKey, queryFn: () => bridge.call('gateway.status', {}) });
  return data?.isEnabled === true && (data.isUsed || data.state !== 'closed');
}

/** The catalog of the gateway. The first request opens the database, which takes seconds. */
export function useGatewayCatalog({ isEnabled }: { readonly isEnabled: boolean }) {
  const bridge = useBridge();
  return useQuery({
    queryKey: catalogKey,
    queryFn: () => bridge.call('gateway.catalog', {}),
    enabled: isEnabled,
    retry: false,
    refetchInterval: refreshMs,
  });
}

/** Reloads the catalog of the gateway. */
export function useReloadGateway() {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => bridge.call('gateway.reload', {}),
    onSuccess: (catalog) => {
      cache.setQueryData(catalogKey, catalog);
      return cache.invalidateQueries({ queryKey: statusKey });
    },
  });
}

export type GatewayRequest = OperationInput<'gateway.request'>;

/** Sends a request to the gateway. */
export function useGatewayRequest() {
  const bridge = useBridge();
  return useMutation({ mutationFn: (request: GatewayRequest) => bridge.call('gateway.request', request) });
}
