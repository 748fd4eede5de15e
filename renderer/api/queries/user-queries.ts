import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';
import { queryKeys } from './query-keys.ts';

const pageSize = 100;

/** The users by name, page by page. */
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

/** One of the changes to a user. */
export function useChangeUser<Name extends Change>(name: Name) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput<Name>) => bridge.call(name, input),
    onSuccess: () =>
      Promise.all(
        // It may have been the caller's own role.
        [queryKeys.users, queryKeys.me].map((queryKey) => cache.invalidateQueries({ queryKey })),
      ),
  });
}
