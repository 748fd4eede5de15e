import { isFinal, stepStatuses, type RunStatus, type StepStatus } from '../../core/model/run/status.ts';

/** The word beside every status mark. */
export const statusWords: Readonly<Record<StepStatus, string>> = {
  not_started: 'Not started',
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  partially_succeeded: 'Partially succeeded',
  failed: 'Failed',
  aborted: 'Aborted',
  skipped: 'Skipped',
};

/** The part of a token's name that stands for a status: `--status-partially-succeeded`. */
export const statusToken = (status: StepStatus): string => status.replaceAll('_', '-');

/** `7 succeeded, 1 failed`: how often each status occurs, in the order of the statuses. */
export function countStatuses(statuses: readonly StepStatus[]): string {
  return stepStatuses
    .map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${statusWords[status].toLowerCase()}`)
    .join(', ');
}

/** Whether a run may still change; none is not active. */
export const isActive = (run: { readonly status: RunStatus } | undefined): boolean =>
  run !== undefined && !isFinal(run.status);
