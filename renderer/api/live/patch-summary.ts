import type { EventView } from '../../../core/contract/runs/events.ts';
import type { RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import { describeWait } from '../../../core/model/queue.ts';

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
export function patchSummaries(list: readonly RunSummaryView[], event: EventView): readonly RunSummaryView[] {
  const patched = list.map((summary) => patchSummary(summary, event));
  return patched.every((summary, index) => summary === list[index]) ? list : patched;
}

/** Builds the summary of a created run; undefined for a sub-run, which lists omit. */
export function createSummary({ name, dagRunId, at, event }: EventView): RunSummaryView | undefined {
  if (event.type !== 'run.created' || event.trigger === 'parent') return undefined;
  const params = event.params.map((parameter) => ({ ...parameter }));
  const { trigger, by: startedBy } = event;
  const created = { name, dagRunId, trigger, startedBy, params, createdAt: at } as const;
  const { wait } = event;
  if (wait === undefined) return { ...created, status: 'not_started' };
  const enqueuedAt = new Date(wait.enqueuedAt).toISOString();
  const view = { ...wait, enqueuedAt, behind: wait.behind.map((run) => ({ ...run })) };
  return { ...created, status: 'queued', error: describeWait(wait), wait: view };
}
