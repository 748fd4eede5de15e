import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorMessage } from '../../base/errors.ts';
import { captureCommand } from '../../process/capture.ts';
import type { JavaScriptRuns } from './manifest.ts';
import { inputVariables, type ActionInstance } from './instance.ts';
import type { Job, ActionResult } from './job.ts';
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
    const programEnv = { ...env, ...inputVariables(inputs), ...stateVariables(instance) };
    const fixed = stageVariables(job, instance);
    const node = await findNode(job, job.environment(programEnv, fixed), runs.version);
    const program = {
      argv: [...node.argv, file],
      cwd: job.context.workingDir,
      programEnv,
      fixed: { ...fixed, ...node.env },
    };
    return await runProgram(job, program, instance.record);
  } catch (error) {
    return { error: getErrorMessage(error) };
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

/** A Node.js executable that runs actions. */
export interface NodeProgram {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Makes Electron run as plain Node.js. */
const asNode: Readonly<Record<string, string>> =
  process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };

/**
 * Returns the Node.js for an action: the one on the step's PATH, unless it is older than the action requires and the
 * engine's own is not. Falls back to the engine's own if PATH has none.
 */
async function findNode(
  job: Job,
  env: Readonly<Record<string, string>>,
  requiredVersion: number,
): Promise<NodeProgram> {
  const engineRuntime: NodeProgram = { argv: [process.execPath], env: asNode };
  const runtime = await readVersion(job, env);
  const engineVersion = Number.parseInt(process.versions.node, 10);
  if (runtime === undefined || (runtime < requiredVersion && engineVersion >= requiredVersion))
    return engineRuntime;
  if (runtime < requiredVersion)
    job.warn(
      `the action requires Node ${requiredVersion}, but the latest installed version is ${runtime}. The action may fail; install a newer Node.`,
    );
  return { argv: ['node'], env: {} };
}

/** Returns the major version of the Node.js on PATH, or undefined if there is none. */
async function readVersion(job: Job, env: Readonly<Record<string, string>>): Promise<number | undefined> {
  const { context, task } = job;
  const { stdout } = await captureCommand({
    argv: ['node', '--version'],
    env,
    cwd: context.workingDir,
    tag: context.attemptDir,
    signal: task.killing,
    maxBytes: 100,
  });
  const major = /^v(\d+)\./.exec(stdout.trim())?.[1];
  return major === undefined ? undefined : Number(major);
}
