import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { ghaTable } from '../../model/executors/gha.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import { evaluateConfig } from '../evaluate-config.ts';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from '../executor.ts';
import { openGit } from './repository/git.ts';
import { readServer } from './repository/server.ts';
import { prepareAction } from './running/instance.ts';
import { eventFileIn, Job, type ActionResult } from './running/job.ts';
import { runMain, runPosts, runPre } from './running/run-action.ts';
import { describeRun, toolCache } from './running/variables.ts';

/**
 * Runs a GitHub Action: fetches it with git and runs it on this machine. The step's output is a JSON object of the
 * action's outputs.
 */
export const actionsExecutor: ActionExecutor = {
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
    known: describeRun(context, server, eventFile),
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
    output.stderr(`Warning: cannot delete the files of the action in ${folder}: ${messageOf(error)}\n`);
  }
}
