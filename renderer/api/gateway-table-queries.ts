import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GatewayRowPage, GatewayRowView } from '../../core/contract/gateway-tables.ts';
import type { OperationInput } from '../../core/contract/operations.ts';
import { useBridge } from './bridge.ts';

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
