import type { StepRunView } from '../../core/contract/runs/run-views.ts';

/** What is said of a step that waits for the answer of a person; its status stays running. */
export const askingWords = 'Waiting for approval';

/** Whether a step waits for the answer of a person. */
export const isAsking = ({ approval }: Pick<StepRunView, 'approval'>): boolean =>
  approval !== undefined && approval.decision === undefined && approval.endedAt === undefined;
