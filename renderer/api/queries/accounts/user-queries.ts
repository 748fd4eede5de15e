import { useInfiniteQuery } from '@tanstack/react-query';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useOperationMutation } from '../use-change.ts';

const pageSize = 100;

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
