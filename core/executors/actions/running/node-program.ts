import { captureCommand } from '../../../process/capture.ts';
import type { Job } from './job.ts';

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
export async function findNode(
  job: Job,
  env: Readonly<Record<string, string>>,
  wanted: number,
): Promise<NodeProgram> {
  const ownRuntime: NodeProgram = { argv: [process.execPath], env: asNode };
  const runtime = await readVersion(job, env);
  const ownVersion = Number.parseInt(process.versions.node, 10);
  if (runtime === undefined || (runtime < wanted && ownVersion >= wanted)) return ownRuntime;
  if (runtime < wanted)
    job.warn(
      `the action requires Node ${wanted}, but the latest installed version is ${runtime}. The action may fail; install a newer Node.`,
    );
  return { argv: ['node'], env: {} };
}

/** Returns the major version of the Node.js on PATH, or undefined if there is none. */
async function readVersion(job: Job, env: Readonly<Record<string, string>>): Promise<number | undefined> {
  const { context, task } = job.deps;
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
