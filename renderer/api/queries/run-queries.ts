import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../core/contract/operations.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import { useBridge } from '../bridge.ts';
import { queryKeys } from './query-keys.ts';
import { useChange } from './use-change.ts';

/** While a run goes on, its usage and its files are looked at this often; no event tells of them. */
const refreshMs = 2_000;

/** The runs below a run, to any depth. */
export function useAllSubRuns({ name, dagRunId }: RunRef, enabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...queryKeys.subRuns(name, dagRunId), 'deep'],
    queryFn: () => bridge.call('runs.subRuns', { name, dagRunId, deep: true }),
    enabled,
    select: ({ subRuns }) => subRuns,
  });
}

/** The files that steps of a run have kept; no event tells of one, so that they are asked for while it goes on. */
export function useArtifacts({ name, dagRunId }: RunRef, isLive: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['artifacts', name, dagRunId, isLive],
    queryFn: () => bridge.call('runs.artifacts', { name, dagRunId }),
    refetchInterval: isLive ? refreshMs : false,
  });
}

/** CPU and memory of a run's processes. */
export function useRunUsage({ name, dagRunId }: RunRef, isLive: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['usage', name, dagRunId, isLive],
    queryFn: () => bridge.call('runs.usage', { name, dagRunId }),
    refetchInterval: isLive ? refreshMs : false,
    retry: false,
  });
}

/** Gives a step of an ended run another status. */
export const useSetStepStatus = () => useChange('runs.setStepStatus');

/** Removes an ended run with its sub-runs and logs. */
export function useDeleteRun() {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput<'runs.delete'>) => bridge.call('runs.delete', input),
    onSuccess: () => {
      for (const queryKey of [['runs'], queryKeys.recentRuns, queryKeys.dags])
        void cache.invalidateQueries({ queryKey });
    },
  });
}

/** Runs of the same workflow, newest first: what a run may be compared with. */
export function useRunsOf(name: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['runs-of', name],
    queryFn: () => bridge.call('runs.listOf', { name, subRuns: true, limit: 100 }),
    select: ({ dagRuns }) => dagRuns,
  });
}
