import type { RunDetailView, StepRunView } from '../../../../core/contract/runs/run-views.ts';
import { isFinal } from '../../../../core/model/run/status.ts';
import { askingLabels, isAsking } from '../../../format/asking.ts';
import { formatDuration, formatTicking } from '../../../format/duration.ts';
import { statusLabels } from '../../../format/status.ts';
import { spanOf } from '../../../format/time.ts';

/** Returns the step or handler that failed first. */
export const findFailed = ({ steps, handlers }: RunDetailView): StepRunView | undefined =>
  [...steps, ...handlers]
    .filter(({ status }) => status === 'failed')
    .toSorted((left, right) => (left.finishedAt ?? '').localeCompare(right.finishedAt ?? ''))[0];

/** Describes the status of a run, without a full stop: `Failed in load, 3.2 s: exit code 1`. */
export function describeOutcome(run: RunDetailView, now: number): string {
  const { status, startedAt, finishedAt } = run;
  if (!isFinal(status)) {
    const asking = run.steps.find(isAsking);
    const words = asking === undefined ? statusLabels[status] : `${askingLabels} in ${asking.name}`;
    return startedAt === undefined ? words : `${words}, ${formatTicking(spanOf(startedAt, undefined, now))}`;
  }
  const failed = status === 'failed' ? findFailed(run) : undefined;
  const where = failed ? ` in ${failed.name}` : '';
  const span = startedAt === undefined ? '' : `, ${formatDuration(spanOf(startedAt, finishedAt, now))}`;
  const reason = failed?.error ?? (status === 'succeeded' ? undefined : run.error);
  return `${statusLabels[status]}${where}${span}${reason === undefined ? '' : `: ${reason}`}`;
}
