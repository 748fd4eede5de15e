import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isConditionMet, type ExpressionScope } from './evaluate.ts';
import { toRunnerVariables, type Job } from './job.ts';
import type { ActionInstance, StageInput } from './instance.ts';
import { hashFiles } from './hash-files.ts';

/** A stage of an action, in order of execution. */
export type Stage = 'pre' | 'main' | 'post';

/** Returns the variables of an action's programs that nothing can override. */
export function stageVariables(
  job: Job,
  { id, folder, origin }: Pick<ActionInstance, 'id' | 'folder' | 'origin'>,
): Record<string, string> {
  return {
    ...toRunnerVariables(job.context, job.temp),
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
export function isStageDue(
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

/** Contexts of one action for expressions, in addition to those of the job. */
export interface ActionContexts {
  readonly inputs: Readonly<Record<string, string>>;
  /** All variables of the program or step that the expression belongs to. */
  readonly env: Readonly<Record<string, string>>;
  /** Finished steps of a composite action, by id. */
  readonly steps: JsonObject;
  readonly progress: ExpressionScope['progress'];
}

/** Larger event files are not parsed, because each evaluation copies the event. Bytes. */
const eventLimit = 4 * 1024 * 1024;

/**
 * Builds the contexts for expressions. `github.x` is the variable `GITHUB_X` and `runner.x` is `RUNNER_X`, so that the
 * `env` of a step applies to expressions, too; for example, `github.token` is `GITHUB_TOKEN`.
 */
export function makeScope(job: Job, { inputs, env, steps, progress }: ActionContexts): ExpressionScope {
  const { context, task } = job;
  return {
    progress,
    contexts: {
      github: {
        ...pickVariables(env, 'GITHUB_'),
        token: env['GITHUB_TOKEN'] ?? '',
        event: readEvent(env['GITHUB_EVENT_PATH']),
        action_status: progress,
      },
      runner: pickVariables(env, 'RUNNER_'),
      env: { ...env },
      inputs: { ...inputs },
      steps,
      job: { status: progress },
      strategy: {},
      matrix: {},
    },
    hashFiles: (patterns) => hashFiles(context.workingDir, patterns, task.killing),
  };
}

const pickVariables = (env: Readonly<Record<string, string>>, prefix: string): JsonObject =>
  Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length).toLowerCase(), value]),
  );

function readEvent(file: string | undefined): JsonValue {
  if (file === undefined) return {};
  try {
    const bytes = readFileSync(file);
    return bytes.length > eventLimit ? {} : (JSON.parse(bytes.toString('utf8')) as JsonValue);
  } catch {
    // The step may specify an event file that does not exist. The action reports this if it needs the event.
    return {};
  }
}
