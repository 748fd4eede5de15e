import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import { isFinal } from '../../../core/model/run/status.ts';
import { useBridge } from '../bridge.ts';
import type { LiveEvents } from '../live/live-events.ts';
import { queryKeys, type ItemsAddress, type RunFilter } from './query-keys.ts';
import { useChange } from './use-change.ts';

/** Workflow files change on disk without an event. */
const fileRefreshMs = 10_000;
/** A run that waits says anew what for. */
const waitRefreshMs = 2000;
const pageSize = 100;
/** Workflows of one answer, the most there can be. */
const mostDags = 1000;
/** How many of the newest runs the recent-status sparks of the workflow list are made from. */
const recentLimit = 300;
/** An attempt has no more items than this (peer 1.9). */
const itemLimit = 1000;

const LiveEventsContext = createContext<LiveEvents | undefined>(undefined);
export const LiveEventsProvider = LiveEventsContext.Provider;

/** Page after page: the list is shown, sorted and searched as a whole. */
async function listAllDags(bridge: Bridge): Promise<OperationOutput<'dags.list'>> {
  const first = await bridge.call('dags.list', { limit: mostDags });
  const dags = [...first.dags];
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const page = await bridge.call('dags.list', { limit: mostDags, cursor });
    dags.push(...page.dags);
    cursor = page.nextCursor;
  }
  return { dags, total: first.total };
}

/** All workflows of the home. */
export function useDags() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dags,
    queryFn: () => listAllDags(bridge),
    refetchInterval: fileRefreshMs,
    select: ({ dags }) => dags,
  });
}

/** One workflow file with its text, diagnostics and steps. */
export function useDag(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.dag(fileName),
    queryFn: () => bridge.call('dags.get', { fileName }),
    refetchInterval: fileRefreshMs,
  });
}

/** One run, kept current by the live events. */
export function useRun(name: string, dagRunId: string, enabled = true) {
  const bridge = useBridge();
  const live = useContext(LiveEventsContext);
  return useQuery({
    queryKey: queryKeys.run(name, dagRunId),
    queryFn: async () => {
      const run = await bridge.call('runs.get', { name, dagRunId });
      return live ? live.catchUp(run) : run;
    },
    enabled,
    // Why it waits changes with other runs, of which its events say nothing.
    refetchInterval: ({ state }) => (state.data?.status === 'queued' ? waitRefreshMs : false),
  });
}

/** Runs on a page, as the configuration has it; a list is shown, whatever becomes of the question. */
const readPageLimit = (client: QueryClient, bridge: Bridge): Promise<number> =>
  client.ensureQueryData({ queryKey: queryKeys.system, queryFn: () => bridge.call('system.info', {}) }).then(
    ({ ui }) => ui.maxDashboardPageLimit,
    () => pageSize,
  );

/** The history, newest first, page by page. */
export function useRuns(filter: RunFilter) {
  const bridge = useBridge();
  const client = useQueryClient();
  return useInfiniteQuery({
    queryKey: queryKeys.runs(filter),
    queryFn: async ({ pageParam }) => {
      const limit = await readPageLimit(client, bridge);
      return bridge.call('runs.list', { ...filter, limit, cursor: pageParam });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  });
}

/** The newest runs of all workflows. */
export function useRecentRuns() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.recentRuns,
    queryFn: () => bridge.call('runs.list', { limit: recentLimit }),
    select: ({ dagRuns }) => dagRuns,
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

/** The items of one attempt of a step with `parallel`, kept current by the live events. */
export function useItems(name: string, dagRunId: string, of: ItemsAddress) {
  const bridge = useBridge();
  const live = useContext(LiveEventsContext);
  return useQuery({
    queryKey: queryKeys.items(name, dagRunId, of),
    queryFn: async () => {
      const page = await bridge.call('runs.items', { name, dagRunId, ...of, limit: itemLimit });
      return live ? live.catchUpItems(page, name, dagRunId, of) : page;
    },
    select: ({ items }) => items,
  });
}

/** Version, folders and number of active runs of the engine. */
export function useSystemInfo() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.system, queryFn: () => bridge.call('system.info', {}) });
}

/** Starts a run of a workflow file. */
export const useStartDag = () => useChange('dags.start', { changed: () => [queryKeys.dags] });

/** Puts a run of a workflow into its queue; answers with the run. */
export const useEnqueueDag = () => useChange('dags.enqueue', { changed: () => [queryKeys.dags] });

/** Asks an active run to stop, or kills it. */
export const useStopRun = () => useChange('runs.stop');

/** Whether a run may still change. */
export const isActive = (run: { status: Parameters<typeof isFinal>[0] } | undefined): boolean =>
  run !== undefined && !isFinal(run.status);
