import { hasSucceeded, isFinal, isFulfilled, type RunStatus, type StepStatus } from '../model/run/status.ts';

/** A step's last state. */
export interface NodeOutcome {
  readonly status: StepStatus;
  /** `continueOn` applied to its failure. */
  readonly tolerated: boolean;
}

/** Everything the final status of a run depends on. */
export interface RunOutcome {
  readonly nodes: readonly NodeOutcome[];
  /** The run was called off: stopped, its preconditions were not met, or its init handler failed. */
  readonly cancelled: boolean;
  /** An error that is no step's own, such as the run's time being over. */
  readonly error: boolean;
  /** A success, failure or exit handler failed. */
  readonly handlerFailed?: boolean;
}

/**
 * The status of a run by the states of its steps; the first rule that fits decides:
 * called off with something undone → `aborted`; a handler failed → `failed`; something unfinished → `running`;
 * no failure but tolerated ones, beside a success → `partially_succeeded`; any error → `failed`;
 * else `succeeded`.
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

/** Something succeeded, something went wrong, and everything that went wrong was allowed to. */
function isPartial(nodes: readonly NodeOutcome[]): boolean {
  const succeeded = nodes.some(({ status }) => hasSucceeded(status));
  const flawed = nodes.some(
    ({ status, tolerated }) => status === 'partially_succeeded' || (status === 'failed' && tolerated),
  );
  const broken = nodes.some(
    ({ status, tolerated }) => (status === 'failed' || status === 'aborted') && !tolerated,
  );
  return succeeded && flawed && !broken;
}
