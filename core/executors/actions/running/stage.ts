import { isConditionMet } from '../expressions/evaluate.ts';
import { describeRunner } from './variables.ts';
import type { ActionInstance, StageInput } from './instance.ts';
import type { Job } from './job.ts';
import { makeScope } from './scope.ts';

/** A stage of an action, in order of execution. */
export type Stage = 'pre' | 'main' | 'post';

/** Returns the variables of an action's programs that nothing can override. */
export function stageVariables(
  job: Job,
  { id, folder, origin }: Pick<ActionInstance, 'id' | 'folder' | 'origin'>,
): Record<string, string> {
  return {
    ...describeRunner(job.deps.context, job.temp),
    GITHUB_ACTION: id,
    GITHUB_ACTION_PATH: folder,
    GITHUB_ACTION_REPOSITORY: origin?.repository ?? '',
    GITHUB_ACTION_REF: origin?.ref ?? '',
  };
}

/** Returns the state that earlier stages saved. */
export const stateVariables = ({ record }: ActionInstance): Record<string, string> =>
  Object.fromEntries(Array.from(record.state, ([name, value]) => [`STATE_${name}`, value]));

/**
 * Whether `pre-if` or `post-if` is true. These conditions do not imply `success()`. Rejects if the condition cannot be
 * evaluated.
 */
export function stageIsDue(
  job: Job,
  instance: ActionInstance,
  { inputs, env }: StageInput,
  condition: string,
): Promise<boolean> {
  const { progress } = job;
  const scope = makeScope(job, {
    inputs,
    env: job.environment(env, stageVariables(job, instance)),
    steps: {},
    progress,
  });
  return isConditionMet(condition, scope, false);
}
