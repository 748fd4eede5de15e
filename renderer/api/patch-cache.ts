import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { EventView } from '../../core/contract/logs.ts';
import type { RunSummaryView, ApprovalView, RunDetailView } from '../../core/contract/run-views.ts';
import { formatWait } from '../../core/model/queue.ts';
import type { OperationOutput } from '../../core/contract/operations.ts';
import { applyEvent } from './apply-event.ts';
import { applyItemEvent, type ItemPage, type ItemsLocation } from './apply-item-event.ts';
import { queryKeys, type ItemsRef, type RunFilter } from './query-keys.ts';

/** Applies an event of the whole run to its summary in a list; other events return the same object. */
export function patchSummary(
  summary: RunSummaryView,
  { name, dagRunId, at, event }: EventView,
): RunSummaryView {
  if (summary.dagRunId !== dagRunId || summary.name !== name) return summary;
  if (event.type === 'run.retried')
    return { ...summary, status: 'not_started', finishedAt: undefined, error: undefined, cause: undefined };
  if (event.type === 'run.started') {
    const startedAt = summary.startedAt ?? at;
    return { ...summary, status: 'running', startedAt, error: undefined, wait: undefined };
  }
  if (event.type !== 'run.finished') return summary;
  return { ...summary, status: event.status, finishedAt: at, error: event.error, wait: undefined };
}

/** Returns the same list, or a new one if the event changes one of its runs. */
function patchSummaries(list: readonly RunSummaryView[], event: EventView): readonly RunSummaryView[] {
  const patched = list.map((summary) => patchSummary(summary, event));
  return patched.every((summary, index) => summary === list[index]) ? list : patched;
}

/** Builds the summary of a created run; undefined for a sub-run, which lists omit. */
function createSummary({ name, dagRunId, at, event }: EventView): RunSummaryView | undefined {
  if (event.type !== 'run.created' || event.trigger === 'parent') return undefined;
  const params = event.params.map((parameter) => ({ ...parameter }));
  const { trigger, by: startedBy } = event;
  const created = { name, dagRunId, trigger, startedBy, params, createdAt: at } as const;
  const { wait } = event;
  if (wait === undefined) return { ...created, status: 'not_started' };
  const enqueuedAt = new Date(wait.enqueuedAt).toISOString();
  const view = { ...wait, enqueuedAt, behind: wait.behind.map((run) => ({ ...run })) };
  return { ...created, status: 'queued', error: formatWait(wait), wait: view };
}

type ApprovalPage = OperationOutput<'approvals.list'>;

/** Updates the open approvals: removes those that were answered or whose attempt has ended. */
function patchOpenApprovals(page: ApprovalPage, view: EventView): ApprovalPage {
  const approvals = page.approvals.filter((approval) => !isClosedBy(approval, view));
  return approvals.length === page.approvals.length ? page : { ...page, approvals };
}

function isClosedBy(approval: ApprovalView, { name, dagRunId, event }: EventView): boolean {
  if (approval.name !== name || approval.dagRunId !== dagRunId) return false;
  switch (event.type) {
    case 'step.approval_resolved':
      return event.id === approval.id;
    case 'step.finished':
    case 'step.ended':
    case 'step.retry_scheduled':
      return event.node.name === approval.step && event.node.section === approval.section;
    default:
      return event.type === 'run.finished';
  }
}

type RunPage = OperationOutput<'runs.list'>;
type DagList = OperationOutput<'dags.list'>;

/** Applies events to the cache, updating each entry at most once per batch. */
export function patchCache(cache: QueryClient, events: readonly EventView[]): void {
  for (const [key, runEvents] of groupByRun(events)) {
    cache.setQueryData<RunDetailView>(
      JSON.parse(key) as string[],
      (run) => run && runEvents.reduce(applyEvent, run),
    );
    patchItems(cache, runEvents);
  }
  cache.setQueryData<OperationOutput<'approvals.list'>>(
    queryKeys.openApprovals,
    (page) => page && events.reduce(patchOpenApprovals, page),
  );
  const runEvents = events.filter(({ event }) => runEventTypes.has(event.type));
  if (runEvents.length === 0) return;
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: ['runs'] })) {
    const filter = queryKey[1] as RunFilter;
    cache.setQueryData<InfiniteData<RunPage>>(
      queryKey,
      (data) => data && runEvents.reduce(patchPages(filter), data),
    );
  }
  cache.setQueryData<RunPage>(
    queryKeys.recentRuns,
    (page) => page && runEvents.reduce(patchFirstPage({}), page),
  );
  cache.setQueryData<DagList>(queryKeys.dags, (list) => list && runEvents.reduce(patchDags, list));
}

const runEventTypes: ReadonlySet<string> = new Set([
  'run.created',
  'run.retried',
  'run.started',
  'run.finished',
]);

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

/** Updates the lists of items of one run. */
function patchItems(cache: QueryClient, events: readonly EventView[]): void {
  const { name, dagRunId } = events[0]!;
  for (const { queryKey } of cache
    .getQueryCache()
    .findAll({ queryKey: queryKeys.itemsOfRun(name, dagRunId) })) {
    const itemsLocation = findItemsLocation(cache, name, dagRunId, queryKey[3] as ItemsRef);
    cache.setQueryData<ItemPage>(
      queryKey,
      (page) => page && events.reduce((list, event) => applyItemEvent(list, event, itemsLocation), page),
    );
  }
}

/** Returns the identity of a list of items, with data of its run from the cache. */
export const findItemsLocation = (
  cache: QueryClient,
  name: string,
  dagRunId: string,
  ref: ItemsRef,
): ItemsLocation => ({
  ...ref,
  logDir: cache.getQueryData<RunDetailView>(queryKeys.run(name, dagRunId))?.logDir ?? '',
});

const patchPages =
  (filter: RunFilter) =>
  (data: InfiniteData<RunPage>, event: EventView): InfiniteData<RunPage> => {
    const patch = patchFirstPage(filter);
    const pages = data.pages.map((page, index) =>
      index === 0 ? patch(page, event) : patchPage(page, event),
    );
    return pages.every((page, index) => page === data.pages[index]) ? data : { ...data, pages };
  };

/** Inserts a new run at the start of every list whose filter matches. */
const patchFirstPage =
  (filter: RunFilter) =>
  (page: RunPage, event: EventView): RunPage => {
    const created = createSummary(event);
    if (!created) return patchPage(page, event);
    const fits = certainlyMatches(filter, created);
    const known = page.dagRuns.some(
      ({ name, dagRunId }) => name === created.name && dagRunId === created.dagRunId,
    );
    return fits && !known ? { ...page, dagRuns: [created, ...page.dagRuns] } : page;
  };

/** Whether a run certainly matches a filter, as far as events show; other lists are refetched. */
function certainlyMatches(
  { name, status, fromDate, trigger, ...others }: RunFilter,
  created: RunPage['dagRuns'][number],
): boolean {
  return (
    Object.values(others).every((value) => value === undefined) &&
    (name ?? created.name) === created.name &&
    (status?.includes(created.status) ?? true) &&
    (trigger?.includes(created.trigger) ?? true) &&
    (fromDate === undefined || Date.parse(created.createdAt) >= Date.parse(fromDate))
  );
}

function patchPage(page: RunPage, event: EventView): RunPage {
  const dagRuns = patchSummaries(page.dagRuns, event);
  return dagRuns === page.dagRuns ? page : { ...page, dagRuns: [...dagRuns] };
}

function patchDags(list: DagList, event: EventView): DagList {
  const created = createSummary(event);
  const dags = list.dags.map((dag) => {
    const isNew = created?.name === dag.name && created.dagRunId !== dag.latestRun?.dagRunId;
    const latestRun = isNew ? created : dag.latestRun && patchSummary(dag.latestRun, event);
    return latestRun === dag.latestRun ? dag : { ...dag, latestRun };
  });
  return dags.every((dag, index) => dag === list.dags[index]) ? list : { ...list, dags };
}

/** Lists the queries to refetch after an event, because it does not carry their data. */
export function listStaleKeys({ name, dagRunId, event }: EventView): (readonly unknown[])[] {
  switch (event.type) {
    case 'run.created':
      return [
        ['runs'],
        queryKeys.recentRuns,
        queryKeys.dags,
        ['dag'],
        queryKeys.system,
        ['sub-runs'],
        queryKeys.queues,
        queryKeys.runStatistics,
        queryKeys.stepHistory(name),
      ];
    case 'run.retried':
      return [['runs'], queryKeys.system, ['sub-runs'], queryKeys.runStatistics, queryKeys.runFailures];
    case 'run.started':
      return [queryKeys.system, ['sub-runs'], queryKeys.queues, queryKeys.runStatistics];
    case 'run.finished':
      return [
        queryKeys.run(name, dagRunId),
        queryKeys.system,
        ['sub-runs'],
        ['runs'],
        ['dag'],
        queryKeys.queues,
        queryKeys.runStatistics,
        queryKeys.stepHistory(name),
        ...(event.status === 'failed' ? [queryKeys.runFailures] : []),
      ];
    case 'step.approval_requested':
    case 'step.approval_resolved':
      return [queryKeys.approvals];
    case 'step.sub_run':
      return [queryKeys.subRuns(name, dagRunId)];
    case 'run.note_changed':
      return [queryKeys.run(name, dagRunId), ['runs']];
    case 'run.message':
    case 'run.recovered':
    case 'step.status_set':
      return [queryKeys.run(name, dagRunId)];
    default:
      return [];
  }
}
