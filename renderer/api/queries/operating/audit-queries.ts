import { useInfiniteQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { useBridge } from '../../bridge.ts';

const pageSize = 100;

export type AuditFilter = Omit<OperationInput<'audit.list'>, 'limit' | 'cursor'>;

/** The audit log, paged. */
export function useAudit(filter: AuditFilter, enabled: boolean) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    enabled,
    queryFn: ({ pageParam }) => bridge.call('audit.list', { ...filter, limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  });
}
