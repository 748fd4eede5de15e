import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { EventView } from '../../core/contract/events.ts';
import type { OperationOutput } from '../../core/contract/operations.ts';
import type { RunDetailView } from '../../core/contract/run-views.ts';
import { applyEvent } from './apply-event.ts';
import { patchSummaries, patchSummary } from './patch-summary.ts';
import { queryKeys } from './query-keys.ts';

type RunPage = OperationOutput<'runs.list'>;
type DagList = OperationOutput<'dags.list'>;

/** Lets events change what the cache holds, each cached thing at most once for the whole batch. */
export function patchCache(cache: QueryClient, events: readonly EventView[]): void {
  for (const [key, of] of groupByRun(events)) {
    cache.setQueryData<RunDetailView>(
      JSON.parse(key) as string[],
      (run) => run && of.reduce(applyEvent, run),
    );
  }
  const ofRuns = events.filter(({ event }) => event.type === 'run.started' || event.type === 'run.finished');
  if (ofRuns.length === 0) return;
  cache.setQueriesData<InfiniteData<RunPage>>({ queryKey: ['runs'] }, (data) => {
    if (!data) return data;
    const pages = data.pages.map((page) => ofRuns.reduce(patchPage, page));
    return pages.every((page, index) => page === data.pages[index]) ? data : { ...data, pages };
  });
  cache.setQueryData<RunPage>(queryKeys.recentRuns, (page) => page && ofRuns.reduce(patchPage, page));
  cache.setQueryData<DagList>(queryKeys.dags, (list) => list && ofRuns.reduce(patchDags, list));
}

function groupByRun(events: readonly EventView[]): Map<string, EventView[]> {
  const groups = new Map<string, EventView[]>();
  for (const event of events) {
    const key = JSON.stringify(queryKeys.run(event.name, event.dagRunId));
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return groups;
}

function patchPage(page: RunPage, event: EventView): RunPage {
  const dagRuns = patchSummaries(page.dagRuns, event);
  return dagRuns === page.dagRuns ? page : { ...page, dagRuns: [...dagRuns] };
}

function patchDags(list: DagList, event: EventView): DagList {
  const dags = list.dags.map((dag) => {
    const latestRun = dag.latestRun && patchSummary(dag.latestRun, event);
    return latestRun === dag.latestRun ? dag : { ...dag, latestRun };
  });
  return dags.every((dag, index) => dag === list.dags[index]) ? list : { ...list, dags };
}

/** What must be asked for again after an event, because the event does not carry it. */
export function listStaleKeys({ name, dagRunId, event }: EventView): (readonly unknown[])[] {
  switch (event.type) {
    case 'run.created':
      return [['runs'], queryKeys.recentRuns, queryKeys.dags, ['dag'], queryKeys.system, ['sub-runs']];
    case 'run.started':
      return [queryKeys.system, ['sub-runs']];
    case 'run.finished':
      return [queryKeys.run(name, dagRunId), queryKeys.system, ['sub-runs'], ['runs'], ['dag']];
    case 'step.sub_run':
      return [queryKeys.subRuns(name, dagRunId)];
    case 'run.note':
      return [queryKeys.run(name, dagRunId)];
    default:
      return [];
  }
}
