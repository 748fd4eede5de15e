import { messageOf } from '../../../base/errors.ts';
import { evaluateUse, runComposite, type ActionUse } from './composite.ts';
import { resolveInputs } from './inputs.ts';
import type { ActionInstance, StageInput } from './instance.ts';
import type { Job, ActionResult } from './job.ts';
import { runDocker } from './run-docker.ts';
import { runJavaScript } from './run-javascript.ts';
import { makeScope } from './scope.ts';
import { stageIsDue, stageVariables, type Stage } from './stage.ts';

/** Runs the pre stages of the action and of the remote actions that it uses. Never rejects. */
export async function runPre(job: Job, instance: ActionInstance, use: ActionUse): Promise<ActionResult> {
  const { runs } = instance.manifest;
  try {
    if (runs.using === 'composite') {
      const stageInput = await setStageInput(job, instance, use);
      for (const [index, child] of instance.children) {
        const { work, env } = runs.steps[index]!;
        const given = work.kind === 'uses' ? work.with : {};
        const scopeDeps = {
          inputs: stageInput.inputs,
          env: stageInput.env,
          steps: {},
          progress: job.progress,
        };
        const end = await runPre(job, child, await evaluateUse(job, instance, scopeDeps, { given, env }));
        if (end.error !== undefined) return end;
      }
      return {};
    }
    if (runs.pre === undefined) return {};
    const stageInput = await setStageInput(job, instance, use);
    if (!(await stageIsDue(job, instance, stageInput, runs.preIf))) return {};
    return await runStage(job, instance, 'pre');
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Runs the main stage of an action and registers its post stage. Never rejects. */
export async function runMain(job: Job, instance: ActionInstance, use: ActionUse): Promise<ActionResult> {
  try {
    await setStageInput(job, instance, use);
    return await runStage(job, instance, 'main');
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Runs the post stages of all actions that have started, in reverse order. Never rejects. */
export async function runPosts(job: Job): Promise<ActionResult> {
  let first: ActionResult = {};
  for (let post = job.posts.pop(); post !== undefined; post = job.posts.pop()) {
    if (job.deps.task.killing.aborted) break;
    const end = await post();
    if (first.error === undefined) first = end;
    if (end.error !== undefined) job.fail();
  }
  return first;
}

/** Sets the inputs and environment of an action. Registers the post stage before the first stage runs. */
async function setStageInput(
  job: Job,
  instance: ActionInstance,
  { given, env }: ActionUse,
): Promise<StageInput> {
  const { shown, manifest } = instance;
  const isFirst = instance.given === undefined;
  const scope = makeScope(job, {
    inputs: {},
    env: job.environment(env, stageVariables(job, instance)),
    steps: {},
    progress: job.progress,
  });
  const warn = (message: string): void => {
    if (isFirst) job.warn(message);
  };
  const inputs = await resolveInputs({ shown, inputs: manifest.inputs }, given, scope, warn);
  instance.given = { inputs, env };
  if (isFirst && manifest.runs.using !== 'composite' && manifest.runs.post !== undefined)
    job.posts.push(() => runPost(job, instance));
  return instance.given;
}

async function runPost(job: Job, instance: ActionInstance): Promise<ActionResult> {
  const { runs } = instance.manifest;
  if (runs.using === 'composite') return {};
  try {
    if (!(await stageIsDue(job, instance, instance.given!, runs.postIf))) return {};
    return await runStage(job, instance, 'post');
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function runStage(job: Job, instance: ActionInstance, stage: Stage): Promise<ActionResult> {
  const { runs } = instance.manifest;
  switch (runs.using) {
    case 'node':
      return runJavaScript(job, instance, runs, stage);
    case 'docker':
      return runDocker(job, instance, runs, stage);
    case 'composite':
      return runComposite(job, instance, runs, { runPre, runMain });
  }
}
