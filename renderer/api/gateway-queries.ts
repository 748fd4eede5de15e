import { useMutation, useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query';
import type { OperationInput } from '../../core/contract/operations.ts';
import type { GatewayRowPage, GatewayRowView } from '../../core/contract/gateway-tables.ts';
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

/** Which rows of a table are shown, and in which order. */
export type RowsRequest = Omit<OperationInput<'gateway.rows'>, 'cursor'>;

const rowsKey = ['gateway', 'rows'] as const;

/** A page of rows; undefined for the first page. The previous page stays until the next one is there. */
export function useRowPage(request: RowsRequest, cursor: string | undefined, isEnabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...rowsKey, request, cursor ?? ''],
    queryFn: () => bridge.call('gateway.rows', { ...request, ...(cursor !== undefined && { cursor }) }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Returns a function that reads all pages again. */
export function useReloadRows(): () => Promise<void> {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: rowsKey });
}

/** Changes a row, and shows it as it is stored. */
export function useUpdateRow(request: RowsRequest, cursor: string | undefined) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: Pick<OperationInput<'gateway.updateRow'>, 'key' | 'values' | 'expected'>) =>
      bridge.call('gateway.updateRow', { schema: request.schema, table: request.table, ...change }),
    onSuccess: ({ row }, { key }) => {
      cache.setQueryData<GatewayRowPage>(
        [...rowsKey, request, cursor ?? ''],
        (page) => page && { ...page, rows: page.rows.map((each) => (isSame(each, key) ? row : each)) },
      );
    },
  });
}

const isSame = ({ key }: GatewayRowView, other: readonly string[]): boolean =>
  JSON.stringify(key) === JSON.stringify(other);

/** Inserts a row. */
export function useInsertRow() {
  const bridge = useBridge();
  const reload = useReloadRows();
  return useMutation({
    mutationFn: (input: OperationInput<'gateway.insertRow'>) => bridge.call('gateway.insertRow', input),
    onSuccess: reload,
  });
}

/** Deletes rows. */
export function useDeleteRows() {
  const bridge = useBridge();
  const reload = useReloadRows();
  return useMutation({
    mutationFn: (input: OperationInput<'gateway.deleteRows'>) => bridge.call('gateway.deleteRows', input),
    onSuccess: reload,
  });
}

/** A long value in full. */
export function useRowValue(input: OperationInput<'gateway.value'>, isEnabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['gateway', 'value', input],
    queryFn: () => bridge.call('gateway.value', input),
    enabled: isEnabled,
    gcTime: 0,
    retry: false,
  });
}

/** Runs SQL. */
export function useRunSql() {
  const bridge = useBridge();
  return useMutation({
    mutationFn: (input: OperationInput<'gateway.sql'>) => bridge.call('gateway.sql', input),
  });
}
