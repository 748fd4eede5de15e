import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.ts';
import type { JavaScriptRuns } from '../manifest/manifest.ts';
import { inputVariables } from './inputs.ts';
import type { ActionInstance } from './instance.ts';
import type { Job, ActionResult } from './job.ts';
import { findNode } from './node-program.ts';
import { runProgram } from './run-program.ts';
import { stageVariables, stateVariables, type Stage } from './stage.ts';

/** Runs one stage of a JavaScript action with Node.js on this machine. Never rejects. */
export async function runJavaScript(
  job: Job,
  instance: ActionInstance,
  runs: JavaScriptRuns,
  stage: Stage,
): Promise<ActionResult> {
  try {
    const file = join(instance.folder, runs[stage] ?? '');
    await checkProgram(instance, file, stage);
    const { inputs, env } = instance.given!;
    const ownEnv = { ...env, ...inputVariables(inputs), ...stateVariables(instance) };
    const fixed = stageVariables(job, instance);
    const node = await findNode(job, job.environment(ownEnv, fixed), runs.version);
    const program = {
      argv: [...node.argv, file],
      cwd: job.deps.context.workingDir,
      ownEnv,
      fixed: { ...fixed, ...node.env },
    };
    return await runProgram(job, program, instance.record);
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/**
 * Checks that the program exists. Many actions are compiled only for releases and have no program at other commits.
 */
async function checkProgram({ shown, manifest }: ActionInstance, file: string, stage: Stage): Promise<void> {
  const isThere = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (isThere) return;
  throw new Error(
    `${shown} has no file ${file} (runs.${stage} in ${manifest.file}). Use a release of the action that includes the built files.`,
  );
}
