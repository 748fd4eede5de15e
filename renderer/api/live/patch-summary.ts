import type { EventView } from '../../../core/contract/events.ts';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';

/** A run's line in a list after an event about the run as a whole; any other event gives the same object back. */
export function patchSummary(
  summary: RunSummaryView,
  { name, dagRunId, at, event }: EventView,
): RunSummaryView {
  if (summary.dagRunId !== dagRunId || summary.name !== name) return summary;
  if (event.type === 'run.retried')
    return { ...summary, status: 'not_started', finishedAt: undefined, error: undefined, cause: undefined };
  if (event.type === 'run.started') {
    return { ...summary, status: 'running', startedAt: summary.startedAt ?? at, error: undefined };
  }
  if (event.type !== 'run.finished') return summary;
  return { ...summary, status: event.status, finishedAt: at, error: event.error };
}

/** The same list, or a new one when the event changes one of its members. */
export function patchSummaries(list: readonly RunSummaryView[], event: EventView): readonly RunSummaryView[] {
  const patched = list.map((summary) => patchSummary(summary, event));
  return patched.every((summary, index) => summary === list[index]) ? list : patched;
}

/** The line of a run that has just been created; nothing for a run that is started by another, which lists leave out. */
export function summaryOfCreated({ name, dagRunId, at, event }: EventView): RunSummaryView | undefined {
  if (event.type !== 'run.created' || event.trigger === 'parent') return undefined;
  const params = event.params.map((parameter) => ({ ...parameter }));
  return { name, dagRunId, status: 'not_started', trigger: event.trigger, params, createdAt: at };
}
