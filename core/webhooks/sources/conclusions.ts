import type { RunStatus, StepStatus } from '../../model/run/status.ts';

/** Status and conclusion of a run or step, in GitHub's terms. */
export interface Progress {
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: 'success' | 'failure' | 'cancelled' | 'skipped' | 'neutral' | null;
}

const progresses: Readonly<Record<StepStatus, Progress>> = {
  not_started: { status: 'queued', conclusion: null },
  queued: { status: 'queued', conclusion: null },
  running: { status: 'in_progress', conclusion: null },
  succeeded: { status: 'completed', conclusion: 'success' },
  partially_succeeded: { status: 'completed', conclusion: 'neutral' },
  failed: { status: 'completed', conclusion: 'failure' },
  aborted: { status: 'completed', conclusion: 'cancelled' },
  skipped: { status: 'completed', conclusion: 'skipped' },
};

export const progressOf = (status: StepStatus): Progress => progresses[status];

/** State of a commit status. */
export type CommitState = 'pending' | 'success' | 'failure' | 'error';

/** Returns the commit state. An aborted run is an error, not a failure, because it says nothing about the commit. */
export function commitStateOf(status: RunStatus): CommitState {
  const { conclusion } = progressOf(status);
  if (conclusion === null) return 'pending';
  if (conclusion === 'success' || conclusion === 'neutral') return 'success';
  return conclusion === 'failure' ? 'failure' : 'error';
}

/** State of a deployment. */
export type DeploymentState = 'queued' | 'in_progress' | 'success' | 'failure' | 'error';

export function deploymentStateOf(status: RunStatus): DeploymentState {
  const progress = progressOf(status);
  if (progress.status !== 'completed') return progress.status;
  const state = commitStateOf(status);
  return state === 'pending' ? 'in_progress' : state;
}
