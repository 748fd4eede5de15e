import { useInfiniteQuery } from '@tanstack/react-query';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useChange } from '../use-change.ts';

const pageSize = 100;

/** The API tokens that the caller may see, newest first, page by page. */
export function useTokens() {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: queryKeys.tokens,
    queryFn: ({ pageParam }) => bridge.call('tokens.list', { limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Makes a token or revokes one. */
export const useChangeToken = <Name extends 'tokens.create' | 'tokens.delete'>(name: Name) =>
  useChange(name, { changed: () => [queryKeys.tokens], isSecret: true });
