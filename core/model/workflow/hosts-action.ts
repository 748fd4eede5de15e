import type { StepAction } from './step.ts';

/**
 * Whether only hosts can run the action, even in a run with workers: a run of another workflow, a question to a person.
 */
export const isHostsAction = (action: StepAction): boolean => action.kind === 'dag' || isApproval(action);

/** Whether it waits for a person's answer. */
export const isApproval = (action: StepAction): boolean =>
  action.kind === 'executor' && action.type === 'approval';
