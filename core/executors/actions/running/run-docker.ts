import { mkdir } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { messageOf } from '../../../base/errors.ts';
import { splitWords } from '../../../spec/split-words.ts';
import { runContainer, type ContainerRequest } from '../../container/run-container.ts';
import type { StepTask } from '../../executor.ts';
import { fillText } from '../expressions/evaluate.ts';
import type { DockerRuns } from '../manifest/manifest.ts';
import { chooseImage, engineContext } from './action-image.ts';
import { containerEnvironment, containerFolders, inContainer } from './container-folders.ts';
import { followOutput } from './follow-output.ts';
import { inputVariables } from './inputs.ts';
import type { ActionInstance } from './instance.ts';
import type { Job, ActionResult } from './job.ts';
import { withCommandFiles } from './run-program.ts';
import { makeScope } from './scope.ts';
import { stageVariables, stateVariables, type Stage } from './stage.ts';

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
    const ownEnv = { ...env, ...inputVariables(inputs), ...stateVariables(instance) };
    const variables = job.environment(ownEnv, fixed);
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
      network: job.deps.config.network,
      raw: { HostConfig: chooseCapabilities(job) },
      keeps: job.deps.config.autoRemove === false,
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
  const { task } = job.deps;
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
    return { error: messageOf(error) };
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
  const { privileged, capabilities } = job.deps.config;
  const { add = [], drop = [] } = (capabilities ?? {}) as { add?: string[]; drop?: string[] };
  return {
    ...(privileged === undefined ? {} : { Privileged: privileged }),
    ...(add.length === 0 ? {} : { CapAdd: add }),
    ...(drop.length === 0 ? {} : { CapDrop: drop }),
  };
}
