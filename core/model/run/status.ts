/** The seven canonical statuses of a DAG run. */
export const runStatuses = [
  'not_started',
  'queued',
  'running',
  'succeeded',
  'partially_succeeded',
  'failed',
  'aborted',
] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Statuses of a step: the statuses of a run, and `skipped`. Steps do not wait in queues. */
export const stepStatuses = [...runStatuses, 'skipped'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** Statuses of a run that still needs an owner or a queue slot. */
export const activeRunStatuses = ['not_started', 'queued', 'running'] as const satisfies readonly RunStatus[];

/** Statuses that a user can set for a step of an ended run. */
export const editableStatuses = [
  'not_started',
  'succeeded',
  'partially_succeeded',
  'failed',
  'aborted',
  'skipped',
] as const satisfies readonly StepStatus[];
export type EditableStatus = (typeof editableStatuses)[number];

/** Whether the status is a full or partial success. */
export const hasSucceeded = (status: StepStatus): boolean =>
  status === 'succeeded' || status === 'partially_succeeded';

/** Whether nothing is left to do. */
export const isFulfilled = (status: StepStatus): boolean => hasSucceeded(status) || status === 'skipped';

/** Whether the status is final, unless a retry is requested. */
export const isFinal = (status: StepStatus): boolean =>
  !(activeRunStatuses as readonly StepStatus[]).includes(status);
