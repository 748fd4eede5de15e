import { isFinal, stepStatuses, type RunStatus, type StepStatus } from '../../core/model/run/status.ts';

/** The label next to each status icon. */
export const statusLabels: Readonly<Record<StepStatus, string>> = {
  not_started: 'Not started',
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  partially_succeeded: 'Partially succeeded',
  failed: 'Failed',
  aborted: 'Aborted',
  skipped: 'Skipped',
};

/** Returns the part of a token's name that represents a status: `--status-partially-succeeded`. */
export const statusToken = (status: StepStatus): string => status.replaceAll('_', '-');

/** Formats status counts, in the order of the statuses: `7 succeeded, 1 failed`. */
export function countStatuses(statuses: readonly StepStatus[]): string {
  return stepStatuses
    .map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${statusLabels[status].toLowerCase()}`)
    .join(', ');
}

/** Whether a run may still change; false without a run. */
export const isActive = (run: { readonly status: RunStatus } | undefined): boolean =>
  run !== undefined && !isFinal(run.status);
