import { useInfiniteQuery } from '@tanstack/react-query';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useOperationMutation } from '../use-change.ts';

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
