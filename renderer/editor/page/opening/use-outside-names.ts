import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useBridge } from '../../../api/bridge.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import type { ExternalNames } from '../../code/complete/known-names.ts';

const nothing: ExternalNames = { queues: [], workflows: [] };
const freshMs = 30_000;
const maxDags = 1000;

/** Names outside the file for completion; none if the engine cannot be reached. */
export function useOutsideNames(): () => Promise<ExternalNames> {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useCallback(
    () =>
      cache
        .fetchQuery({
          queryKey: queryKeys.outsideNames,
          queryFn: async () => {
            const [{ queues }, { dags }] = await Promise.all([
              bridge.call('queues.list', {}),
              bridge.call('dags.list', { limit: maxDags }),
            ]);
            return { queues: queues.map(({ name }) => name), workflows: dags.map(({ name }) => name) };
          },
          staleTime: freshMs,
        })
        .catch(() => nothing),
    [bridge, cache],
  );
}
