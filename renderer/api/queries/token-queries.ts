import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';
import { queryKeys } from './query-keys.ts';

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
export function useChangeToken<Name extends 'tokens.create' | 'tokens.delete'>(name: Name) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput<Name>) => bridge.call(name, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.tokens }),
    // A secret is nobody's business once its dialog is closed.
    gcTime: 0,
  });
}
