/** The seven canonical tokens of a DAG-run. */
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

/** A step has the run's tokens except `queued`'s wait, and may be skipped. */
export const stepStatuses = [...runStatuses, 'skipped'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** Statuses of a run that still needs an owner or a queue slot. */
export const activeRunStatuses = ['not_started', 'queued', 'running'] as const satisfies readonly RunStatus[];

/** What a person may say that a step of an ended run is. */
export const editableStatuses = [
  'not_started',
  'succeeded',
  'partially_succeeded',
  'failed',
  'aborted',
  'skipped',
] as const satisfies readonly StepStatus[];
export type EditableStatus = (typeof editableStatuses)[number];

/** Whether it is a success, be it a partial one. */
export const hasSucceeded = (status: StepStatus): boolean =>
  status === 'succeeded' || status === 'partially_succeeded';

/** Whether it leaves nothing undone. */
export const isFulfilled = (status: StepStatus): boolean => hasSucceeded(status) || status === 'skipped';

/** Whether nothing will change any more, unless somebody asks for a retry. */
export const isFinal = (status: StepStatus): boolean =>
  !(activeRunStatuses as readonly StepStatus[]).includes(status);
