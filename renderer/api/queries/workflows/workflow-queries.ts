import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { OperationInput, OperationOutput } from '../../../../core/contract/operations.ts';
import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';
import { useOperationMutation } from '../use-change.ts';

/** In addition, pages with workflow files follow changes (`useSystemChanges`). */
const refreshMs = 10_000;
/** Maximum number of workflows per response. */
const maxDags = 1000;

/** Loads all pages, because the list is shown, sorted and searched as a whole. */
async function listAllDags(bridge: Bridge): Promise<OperationOutput<'dags.list'>> {
  const first = await bridge.call('dags.list', { limit: maxDags });
  const dags = [...first.dags];
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const page = await bridge.call('dags.list', { limit: maxDags, cursor });
    dags.push(...page.dags);
    cursor = page.nextCursor;
  }
  return { dags, total: first.total };
}

/** All workflows of the home directory. */
export function useDags() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dags,
    queryFn: () => listAllDags(bridge),
    refetchInterval: refreshMs,
    select: ({ dags }) => dags,
  });
}

/** One workflow file with its text, diagnostics and steps. */
export function useDag(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dag(fileName),
    queryFn: () => bridge.call('dags.get', { fileName }),
    refetchInterval: refreshMs,
  });
}

/** Lines of workflow files that contain a text, paged. */
export function useDagSearch(input: Pick<OperationInput<'dags.search'>, 'q' | 'regex'>) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: ['dag-search', input],
    queryFn: ({ pageParam }) => bridge.call('dags.search', { ...input, limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: input.q !== '',
    placeholderData: (previous) => previous,
    retry: false,
  });
}

/** Starts a run of a workflow file. */
export const useStartDag = () => useOperationMutation('dags.start', { changed: () => [queryKeys.dags] });

/** Queues a run of a workflow; the response is the run. */
export const useEnqueueDag = () => useOperationMutation('dags.enqueue', { changed: () => [queryKeys.dags] });
