import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorMessage } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { ghaTable } from '../model/executor-tables.ts';
import type { ExecutorAction } from '../model/step.ts';
import { evaluateConfig } from './evaluate-config.ts';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from './executor.ts';
import { openGit, readServer } from './actions/git.ts';
import { prepareAction, resolveInputs, type ActionInstance, type StageInput } from './actions/instance.ts';
import { eventFileIn, Job, type ActionResult, toRunVariables, toolCache } from './actions/job.ts';
import { evaluateUse, runComposite, type ActionUse } from './actions/composite-action.ts';
import { runDocker } from './actions/docker-action.ts';
import { runJavaScript } from './actions/javascript-action.ts';
import { makeScope, isStageDue, stageVariables, type Stage } from './actions/stage.ts';

/**
 * Runs a GitHub Action: fetches it with git and runs it on this machine. The step's output is a JSON object of the
 * action's outputs.
 */
export const executor: ActionExecutor = {
  async run(context, action, task) {
    const folder = join(context.attemptDir, 'action');
    try {
      return await runInFolder(context, action, task, folder);
    } catch (error) {
      if (task.signal.aborted) return { error: 'stopped before the action ran' };
      throw error;
    } finally {
      await removeFolder(folder, task);
    }
  },
};

async function runInFolder(
  context: StepContext,
  action: ExecutorAction,
  task: StepTask,
  folder: string,
): Promise<ExecutorResult> {
  const { expand, cacheDir, clock, workingDir } = context;
  const config = await evaluateConfig(ghaTable, action.config as JsonObject, expand);
  const server = readServer(config.githubInstance);
  const command = (await expand(action.command ?? '')).trim();
  const withInputs: Record<string, string> = {};
  for (const { name, value } of action.params ?? []) withInputs[name] = await expand(value);
  const eventFile = await makeFolders(folder, cacheDir);
  const tools = {
    root: join(cacheDir, 'actions'),
    server,
    git: openGit(context.env, context.attemptDir, task.signal),
    clock,
    signal: task.signal,
    workingDir,
    warn: (message: string) => task.output.stderr(`Warning: ${message}\n`),
    onFound: (shown: string, commit: string) => task.output.stderr(`${shown} resolved to commit ${commit}\n`),
  };
  const job = new Job({
    context,
    task,
    config,
    folder,
    tools,
    known: toRunVariables(context, server, eventFile),
  });
  const instance = await prepareAction(tools, command, context.step.name);
  const end = await runStages(
    job,
    () => runPre(job, instance, { given: withInputs, env: {} }),
    () => runMain(job, instance, { given: withInputs, env: {} }),
  );
  const output = Object.fromEntries(instance.record.outputs);
  if (end.error === undefined) return { exitCode: 0, output };
  return { ...end, error: job.maskSecrets(end.error), output };
}

/** Runs the stages of an action. The post stages run even if an earlier stage failed. */
async function runStages(
  job: Job,
  pre: () => Promise<ActionResult>,
  main: () => Promise<ActionResult>,
): Promise<ActionResult> {
  let end = await pre();
  if (end.error === undefined) end = await main();
  if (end.error !== undefined) job.fail();
  const after = await runPosts(job);
  for (const close of job.cleanups.toReversed()) await close();
  return end.error === undefined ? after : end;
}

/** @returns the path of the empty event file */
async function makeFolders(folder: string, cacheDir: string): Promise<string> {
  await mkdir(join(folder, 'temp'), { recursive: true, mode: 0o700 });
  await mkdir(toolCache(cacheDir), { recursive: true, mode: 0o700 });
  const eventFile = eventFileIn(folder);
  await writeFile(eventFile, '{}\n');
  return eventFile;
}

/** A container may have left files that this user cannot delete. */
async function removeFolder(folder: string, { output }: StepTask): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    output.stderr(`Warning: cannot delete the files of the action in ${folder}: ${getErrorMessage(error)}\n`);
  }
}

/** Runs the pre stages of the action and of the remote actions that it uses. Never rejects. */
async function runPre(job: Job, instance: ActionInstance, use: ActionUse): Promise<ActionResult> {
  const { runs } = instance.manifest;
  try {
    if (runs.using === 'composite') {
      const stageInput = await setStageInput(job, instance, use);
      for (const [index, child] of instance.children) {
        const { work, env } = runs.steps[index]!;
        const given = work.kind === 'uses' ? work.with : {};
        const contexts = {
          inputs: stageInput.inputs,
          env: stageInput.env,
          steps: {},
          progress: job.progress,
        };
        const end = await runPre(job, child, await evaluateUse(job, instance, contexts, { given, env }));
        if (end.error !== undefined) return end;
      }
      return {};
    }
    if (runs.pre === undefined) return {};
    const stageInput = await setStageInput(job, instance, use);
    if (!(await isStageDue(job, instance, stageInput, runs.preIf))) return {};
    return await runStage(job, instance, 'pre');
  } catch (error) {
    return { error: getErrorMessage(error) };
  }
}

/** Runs the main stage of an action and registers its post stage. Never rejects. */
async function runMain(job: Job, instance: ActionInstance, use: ActionUse): Promise<ActionResult> {
  try {
    await setStageInput(job, instance, use);
    return await runStage(job, instance, 'main');
  } catch (error) {
    return { error: getErrorMessage(error) };
  }
}

/** Runs the post stages of all actions that have started, in reverse order. Never rejects. */
async function runPosts(job: Job): Promise<ActionResult> {
  let first: ActionResult = {};
  for (let post = job.posts.pop(); post !== undefined; post = job.posts.pop()) {
    if (job.task.killing.aborted) break;
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
    if (!(await isStageDue(job, instance, instance.given!, runs.postIf))) return {};
    return await runStage(job, instance, 'post');
  } catch (error) {
    return { error: getErrorMessage(error) };
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
