import type { StepAction } from './step.ts';

/** Whether only hosts carry it out, whatever workers its run has: a run of another workflow, a question to a person. */
export const isHostsAction = (action: StepAction): boolean => action.kind === 'dag' || isApproval(action);

/** Whether it waits for the answer of a person. */
export const isApproval = (action: StepAction): boolean =>
  action.kind === 'executor' && action.type === 'approval';
