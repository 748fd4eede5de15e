import type { StepRunView } from '../../core/contract/runs/run-views.ts';

/** Label of a step that waits for approval; its status stays running. */
export const askingLabels = 'Waiting for approval';

/** Whether a step waits for approval. */
export const isAsking = ({ approval }: Pick<StepRunView, 'approval'>): boolean =>
  approval !== undefined && approval.decision === undefined && approval.endedAt === undefined;
