import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toAppError } from '../../../core/base/errors.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import type { Candidate, Outcome } from './candidates.ts';

/** Creates workflows one after the other; a rejected one does not stop the others. */
export function useCreate() {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [isPending, setPending] = useState(false);
  const create = async (chosen: readonly Candidate[]): Promise<ReadonlyMap<number, Outcome>> => {
    setPending(true);
    const outcomes = new Map<number, Outcome>();
    try {
      for (const { index, name, text } of chosen) {
        try {
          const { fileName } = await bridge.call('dags.create', { name, spec: text });
          outcomes.set(index, { ok: true, fileName });
        } catch (failure) {
          outcomes.set(index, { ok: false, reason: toAppError(failure).message });
        }
      }
      await cache.invalidateQueries({ queryKey: queryKeys.dags });
    } finally {
      setPending(false);
    }
    return outcomes;
  };
  return { create, isPending };
}
