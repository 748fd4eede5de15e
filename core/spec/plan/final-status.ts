import { hasSucceeded, isFinal, isFulfilled, type RunStatus, type StepStatus } from '../../model/run.ts';

/** The final state of a step. */
export interface NodeOutcome {
  readonly status: StepStatus;
  /** Whether `continueOn` tolerates its failure. */
  readonly tolerated: boolean;
}

/** Input for the final status of a run. */
export interface RunOutcome {
  readonly nodes: readonly NodeOutcome[];
  /** The run was cancelled: stopped, its preconditions were not met, or its init handler failed. */
  readonly cancelled: boolean;
  /** An error outside the steps, such as the timeout of the run. */
  readonly error: boolean;
  /** A success, failure or exit handler failed. */
  readonly handlerFailed?: boolean;
}

/**
 * Returns the status of a run from the states of its steps; the first matching rule decides: cancelled with unfinished
 * work → `aborted`; a handler failed → `failed`; something unfinished → `running`; only tolerated failures, and a
 * success → `partially_succeeded`; any error → `failed`; otherwise `succeeded`.
 */
export function decideFinalStatus({ nodes, cancelled, error, handlerFailed }: RunOutcome): RunStatus {
  if (cancelled && (nodes.length === 0 || !nodes.every(({ status }) => isFulfilled(status))))
    return 'aborted';
  if (handlerFailed) return 'failed';
  if (nodes.some(({ status }) => !isFinal(status))) return 'running';
  if (!error && isPartial(nodes)) return 'partially_succeeded';
  const failed = nodes.some(({ status }) => status === 'failed' || status === 'aborted');
  return error || failed ? 'failed' : 'succeeded';
}

/** Whether something succeeded, something failed, and all failures were tolerated. */
function isPartial(nodes: readonly NodeOutcome[]): boolean {
  const succeeded = nodes.some(({ status }) => hasSucceeded(status));
  const hasPartial = nodes.some(
    ({ status, tolerated }) => status === 'partially_succeeded' || (status === 'failed' && tolerated),
  );
  const hasFailure = nodes.some(
    ({ status, tolerated }) => (status === 'failed' || status === 'aborted') && !tolerated,
  );
  return succeeded && hasPartial && !hasFailure;
}
