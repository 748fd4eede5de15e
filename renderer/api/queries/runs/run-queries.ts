import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RunRef } from '../../../../core/model/run/run.ts';
import { useBridge } from '../../bridge.ts';
import { useLiveEvents } from '../../live/live-context.ts';
import { queryKeys, type ItemsAddress } from '../query-keys.ts';
import { useChange } from '../use-change.ts';

/** A run that waits says anew what for. */
const waitRefreshMs = 2000;
/** While a run goes on, its usage and its files are looked at this often; no event tells of them. */
const refreshMs = 2000;
/** An attempt has no more items than this. */
const itemLimit = 1000;

/** One run, kept current by the live events. */
export function useRun(name: string, dagRunId: string, enabled = true) {
  const bridge = useBridge();
  const live = useLiveEvents();
  const isGoing = useIsMutating({ mutationKey: queryKeys.deletedRun(name, dagRunId) }) > 0;
  return useQuery({
    queryKey: queryKeys.run(name, dagRunId),
    queryFn: async () => {
      const run = await bridge.call('runs.get', { name, dagRunId });
      return live ? live.catchUp(run) : run;
    },
    // An event that has just come may want it anew while it is being deleted.
    enabled: enabled && !isGoing,
    // Why it waits changes with other runs, of which its events say nothing.
    refetchInterval: ({ state }) => (state.data?.status === 'queued' ? waitRefreshMs : false),
  });
}

/** The runs that steps of a run have started. */
export function useSubRuns(name: string, dagRunId: string, enabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.subRuns(name, dagRunId),
    queryFn: () => bridge.call('runs.subRuns', { name, dagRunId }),
    enabled,
    select: ({ subRuns }) => subRuns,
  });
}

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

/** The items of one attempt of a step with `parallel`, kept current by the live events. */
export function useItems(name: string, dagRunId: string, of: ItemsAddress) {
  const bridge = useBridge();
  const live = useLiveEvents();
  return useQuery({
    queryKey: queryKeys.items(name, dagRunId, of),
    queryFn: async () => {
      const page = await bridge.call('runs.items', { name, dagRunId, ...of, limit: itemLimit });
      return live ? live.catchUpItems(page, name, dagRunId, of) : page;
    },
    select: ({ items }) => items,
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

/** Asks an active run to stop, or kills it. */
export const useStopRun = () => useChange('runs.stop');

/** Gives a step of an ended run another status. */
export const useSetStepStatus = () => useChange('runs.setStepStatus');

/** Removes an ended run with its sub-runs and logs. */
export function useDeleteRun({ name, dagRunId }: RunRef) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationKey: queryKeys.deletedRun(name, dagRunId),
    mutationFn: () => bridge.call('runs.delete', { name, dagRunId }),
    onSuccess: () => {
      for (const queryKey of [['runs'], queryKeys.recentRuns, queryKeys.dags])
        void cache.invalidateQueries({ queryKey });
    },
  });
}
