import { mkdir } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createHash, randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { getErrorMessage } from '../../base/errors.ts';
import { splitWords } from '../../spec/split-words.ts';
import { runContainer, type ContainerRequest } from '../container/run-container.ts';
import type { StepTask, StepContext } from '../executor.ts';
import { openContainerEngine } from '../container/engine.ts';
import { fillText } from './evaluate.ts';
import type { DockerRuns } from './manifest.ts';
import { followOutput, withCommandFiles } from './run-program.ts';
import { inputVariables, type ActionInstance } from './instance.ts';
import type { Job, ActionResult } from './job.ts';
import { makeScope, stageVariables, stateVariables, type Stage } from './stage.ts';
import { commandFiles } from './commands.ts';

/** Runs one stage of a Docker action in a new container. Never rejects. */
export function runDocker(
  job: Job,
  instance: ActionInstance,
  runs: DockerRuns,
  stage: Stage,
): Promise<ActionResult> {
  return withCommandFiles(job, instance.record, async (folder, files) => {
    const { inputs, env } = instance.given!;
    const fixed = { ...stageVariables(job, instance), ...files };
    const programEnv = { ...env, ...inputVariables(inputs), ...stateVariables(instance) };
    const variables = job.environment(programEnv, fixed);
    const scope = makeScope(job, { inputs, env: variables, steps: {}, progress: job.progress });
    const declared: Record<string, string> = {};
    for (const [name, text] of Object.entries(runs.env)) declared[name] = await fillText(text, scope);
    const args: string[] = [];
    for (const text of runs.args) args.push(await fillText(text, scope));
    const folders = containerFolders(job, folder, variables['GITHUB_EVENT_PATH'] ?? '');
    await mkdir(folders.home, { recursive: true });
    const result = await runIntercepted(job, instance, variables, {
      ...chooseImage(job, instance, runs),
      entrypoint: chooseEntrypoint(instance, runs[stage]),
      // A plain image receives its arguments as one string.
      args: instance.folder === '' ? readWords(inputs['args']) : args.length === 0 ? undefined : args,
      env: containerEnvironment({ ...declared, ...variables }),
      mounts: folders.mounts,
      workingDir: inContainer.workspace,
      network: job.config.network,
      raw: { HostConfig: chooseCapabilities(job) },
      keeps: job.config.autoRemove === false,
    });
    const { exitCode, error } = result;
    const { lastError } = instance.record;
    const isReported = error !== undefined && exitCode !== undefined && lastError !== undefined;
    return {
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(error === undefined ? {} : { error: isReported ? `exit code ${exitCode}: ${lastError}` : error }),
    };
  });
}

/** Runs a container whose output is handled like a program's output. Messages of the container engine go to stderr. */
async function runIntercepted(
  job: Job,
  { record }: ActionInstance,
  env: Readonly<Record<string, string>>,
  request: ContainerRequest,
): Promise<ActionResult> {
  const { task } = job;
  const output = followOutput(job, env, record);
  const streams = { stdout: output.stream('stdout').resume(), stderr: output.stream('stderr').resume() };
  const intercepted: StepTask = {
    // A post stage after a stop may run until the end of the clean-up time.
    signal: task.signal.aborted ? task.killing : task.signal,
    killing: task.killing,
    output: {
      stdout: (text) => void job.write('stdout', text),
      stderr: (text) => void job.write('stderr', text),
      write: (name, bytes) => new Promise((resolve) => streams[name].write(bytes, () => resolve())),
      close: () => Promise.resolve(undefined),
    },
  };
  try {
    return await runContainer(engineContext(job), intercepted, request);
  } catch (error) {
    return { error: getErrorMessage(error) };
  } finally {
    streams.stdout.end();
    streams.stderr.end();
    await Promise.all([finished(streams.stdout), finished(streams.stderr)]);
  }
}

function chooseEntrypoint(
  { folder, given }: ActionInstance,
  written: string | undefined,
): string[] | undefined {
  if (folder === '') return readWords(given?.inputs['entrypoint']);
  return written === undefined || written.trim() === '' ? undefined : [written];
}

const readWords = (text: string | undefined): string[] | undefined =>
  text === undefined || text.trim() === '' ? undefined : splitWords(text);

function chooseCapabilities(job: Job): NonNullable<NonNullable<ContainerRequest['raw']>['HostConfig']> {
  const { privileged, capabilities } = job.config;
  const { add = [], drop = [] } = (capabilities ?? {}) as { add?: string[]; drop?: string[] };
  return {
    ...(privileged === undefined ? {} : { Privileged: privileged }),
    ...(add.length === 0 ? {} : { CapAdd: add }),
    ...(drop.length === 0 ? {} : { CapDrop: drop }),
  };
}

const imagePrefix = 'docker://';

/**
 * Returns the image of a Docker action: a named image, or an image that the first stage builds and the other stages
 * reuse. The image of a remote action is not deleted, because the files of a commit never change; the image of a local
 * action is deleted at the end of the job.
 */
function chooseImage(
  job: Job,
  instance: ActionInstance,
  { image }: DockerRuns,
): Pick<ContainerRequest, 'image' | 'pull'> {
  if (image.startsWith(imagePrefix)) return { image: image.slice(imagePrefix.length) };
  const file = join(instance.folder, image);
  const built = job.images.get(file);
  if (built !== undefined) return { image: built, pull: 'never' };
  const isPersistent = instance.origin !== undefined;
  const mark = isPersistent ? createHash('sha256').update(file).digest('hex').slice(0, 24) : randomUUID();
  const tag = `stepwright-action:${mark}`;
  job.images.set(file, tag);
  if (!isPersistent) job.cleanups.push(() => removeImage(job, tag));
  const { network, forceRebuild = false } = job.config;
  return {
    image: {
      folder: dirname(file),
      dockerfile: basename(file),
      tag,
      fresh: forceRebuild,
      ...(network === undefined ? {} : { network }),
    },
  };
}

/** Returns the step context with the container engine that the step selects. */
function engineContext({ context, config }: Job): StepContext {
  const { dockerSocket } = config;
  if (dockerSocket === undefined) return context;
  const address = dockerSocket.includes('://') ? dockerSocket : `unix://${dockerSocket}`;
  return { ...context, env: { ...context.env, DOCKER_HOST: address } };
}

async function removeImage(job: Job, tag: string): Promise<void> {
  try {
    const { docker } = await openContainerEngine(engineContext(job));
    await docker.getImage(tag).remove({ force: true });
  } catch {
    // The image was not built, or the engine is unreachable. In both cases there is nothing to delete.
  }
}

/** Paths of the folders inside a Docker action's container, the same as on GitHub Actions. */
const inContainer = {
  workspace: '/github/workspace',
  event: '/github/workflow/event.json',
  home: '/github/home',
  files: '/github/file_commands',
  temp: '/github/runner_temp',
} as const;

/** Host folders that are mounted into a container. */
export interface ContainerFolders {
  readonly home: string;
  readonly mounts: NonNullable<ContainerRequest['mounts']>;
}

/**
 * @param files folder of the command files
 * @param eventFile path of the event file as the step specifies it
 */
function containerFolders(job: Job, files: string, eventFile: string): ContainerFolders {
  const { context, folder } = job;
  const home = join(folder, 'home');
  const sources = {
    workspace: context.workingDir,
    event: existsSync(eventFile) ? eventFile : job.eventFile,
    home,
    files,
    temp: job.temp,
  };
  const names = Object.keys(sources) as (keyof typeof sources)[];
  return { home, mounts: names.map((name) => ({ source: sources[name], target: inContainer[name] })) };
}

/** Variables that are only valid on this machine. */
const hostOnlyVariables =
  /^(PATH|HOME|SHELL|PWD|GITHUB_ACTION_PATH|RUNNER_TOOL_CACHE|AGENT_TOOLSDIRECTORY|RUNNER_WORKSPACE|DAG_RUN_.*_FILE|ENGINE_.*)$/i;

/**
 * Returns the environment of a container: the environment of a program on this machine, with host paths replaced by
 * container paths.
 */
function containerEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const passed = Object.entries(env).filter(([name]) => !hostOnlyVariables.test(name));
  const files = Object.entries(commandFiles).map(([variable, name]) => [
    variable,
    `${inContainer.files}/${name}`,
  ]);
  return {
    ...Object.fromEntries(passed),
    ...(Object.fromEntries(files) as Record<string, string>),
    HOME: inContainer.home,
    GITHUB_WORKSPACE: inContainer.workspace,
    RUNNER_WORKSPACE: dirname(inContainer.workspace),
    RUNNER_TEMP: inContainer.temp,
    RUNNER_OS: 'Linux',
    GITHUB_EVENT_PATH: inContainer.event,
  };
}
