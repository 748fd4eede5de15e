import { holds } from '../expressions/evaluate.ts';
import { describeRunner } from './variables.ts';
import type { ActionInstance, StageGift } from './instance.ts';
import type { Job } from './job.ts';
import { makeScope } from './scope.ts';

/** A part of an action, in the order they run in. */
export type Stage = 'pre' | 'main' | 'post';

/** Variables of an action's programs that nothing can change. */
export function stageVariables(
  job: Job,
  { id, folder, origin }: Pick<ActionInstance, 'id' | 'folder' | 'origin'>,
): Record<string, string> {
  return {
    ...describeRunner(job.parts.context, job.temp),
    GITHUB_ACTION: id,
    GITHUB_ACTION_PATH: folder,
    GITHUB_ACTION_REPOSITORY: origin?.repository ?? '',
    GITHUB_ACTION_REF: origin?.ref ?? '',
  };
}

/** Values that an earlier stage kept for the later ones. */
export const stateVariables = ({ record }: ActionInstance): Record<string, string> =>
  Object.fromEntries(Array.from(record.state, ([name, value]) => [`STATE_${name}`, value]));

/** Whether `pre-if` or `post-if` holds: they imply nothing. Rejects when it cannot be evaluated. */
export function stageIsDue(
  job: Job,
  instance: ActionInstance,
  { inputs, env }: StageGift,
  condition: string,
): Promise<boolean> {
  const { progress } = job;
  const scope = makeScope(job, {
    inputs,
    env: job.environment(env, stageVariables(job, instance)),
    steps: {},
    progress,
  });
  return holds(condition, scope, false);
}
