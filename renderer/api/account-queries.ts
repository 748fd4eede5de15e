import { useInfiniteQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../core/contract/operations.ts';
import { useBridge } from './bridge.ts';
import { queryKeys, useOperationMutation } from './query-keys.ts';

const pageSize = 100;

/** The API tokens visible to the user, newest first, paged. */
export function useTokens() {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: queryKeys.tokens,
    queryFn: ({ pageParam }) => bridge.call('tokens.list', { limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Creates or revokes a token. */
export const useChangeToken = <Name extends 'tokens.create' | 'tokens.delete'>(name: Name) =>
  useOperationMutation(name, { changed: () => [queryKeys.tokens], isSecret: true });

/** The users by name, paged. */
export function useUsers() {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: queryKeys.users,
    queryFn: ({ pageParam }) => bridge.call('users.list', { limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

type Change = 'users.create' | 'users.update' | 'users.delete' | 'users.resetPassword';

/** A change to a user. */
export const useChangeUser = <Name extends Change>(name: Name) =>
  // It may have been the user's own role.
  useOperationMutation(name, { changed: () => [queryKeys.users, queryKeys.me] });

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
