import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import type { PullPolicy } from '../../model/executor-tables.ts';
import { getCurrentProcess } from '../../process/process-table.ts';
import type { ExecutorResult, StepContext, StepTask } from '../executor.ts';
import { openContainerEngine, type ContainerEngine } from './engine.ts';
import { buildImage, type ImageBuild, ensureImage } from './images.ts';
import { copyScript, type ContainerScript, runCreatedContainer } from './run-created-container.ts';
import { engineFailure, explainEngineError, getStatus } from './explain-error.ts';
import { stepLabels, labels } from './managed-containers.ts';

/** A container that is created, run to its end and deleted. */
export interface ContainerRequest extends Omit<ContainerSettings, 'image'> {
  /** Name of the image, or the folder to build it from. */
  readonly image: string | ImageBuild;
  /** When a named image is pulled. Default: `missing`. */
  readonly pull?: PullPolicy;
  /** Written into the container before it starts. */
  readonly script?: ContainerScript | undefined;
  /** Keeps the container after its end. */
  readonly keeps?: boolean;
}

/**
 * Runs a container to its end: pulls or builds the image, creates and starts the container, copies its output to the
 * log, stops it when the attempt must end, and deletes it together with an unnamed image that was built. Messages
 * about pulling and building go to stderr of the log. Rejects with a user-facing message if there is no container
 * engine or no image, or the container cannot be created or started.
 */
export async function runContainer(
  context: StepContext,
  task: StepTask,
  request: ContainerRequest,
): Promise<ExecutorResult> {
  const engine = await openContainerEngine(context);
  const image = await provideImage(engine, request, { ...context, task });
  try {
    return await runOnce(engine, { ...request, image }, { ...context, task });
  } finally {
    if (typeof request.image !== 'string' && request.image.tag === undefined)
      await engine.docker
        .getImage(image)
        .remove({ force: true })
        .catch(() => {});
  }
}

type ContainerContext = StepContext & { readonly task: StepTask };

async function provideImage(
  engine: ContainerEngine,
  { image, pull = 'missing', platform }: ContainerRequest,
  context: ContainerContext,
): Promise<string> {
  if (typeof image !== 'string') return buildImage(engine, image, context.task);
  await ensureImage(engine, { image, pull, platform }, context);
  return image;
}

async function runOnce(
  engine: ContainerEngine,
  { script, keeps = false, ...settings }: ContainerRequest & ContainerSettings,
  context: ContainerContext,
): Promise<ExecutorResult> {
  if (context.task.signal.aborted) return { error: 'stopped before the container started' };
  const options = toCreateOptions(settings);
  const container = await createContainer(engine, options, context, { keeps });
  try {
    if (script !== undefined) await copyScript(container, script);
    return await runCreatedContainer(container, options.Tty === true, context);
  } finally {
    if (!keeps) await engine.managed.remove(container.id);
  }
}

/** Whether a container is deleted after use. */
export interface ContainerLifetime {
  /** Only the user deletes the container. */
  readonly keeps: boolean;
}

/**
 * Creates a container. Unless `keeps` is set, it is deleted at the end of the run at the latest; if this process dies,
 * the next engine process deletes it. Rejects with the error of the container engine.
 */
export async function createContainer(
  engine: ContainerEngine,
  options: ContainerCreateOptions,
  context: Pick<StepContext, 'clock' | 'env' | 'step'>,
  { keeps }: ContainerLifetime,
): Promise<Docker.Container> {
  const owner: Record<string, string> = keeps
    ? {}
    : { [labels.owner]: JSON.stringify(getCurrentProcess(context.clock.now())) };
  let container: Docker.Container;
  try {
    container = await engine.docker.createContainer({
      ...options,
      Labels: { ...options.Labels, ...stepLabels(context), ...owner },
    });
  } catch (error) {
    throw toCreateError(options, error);
  }
  if (!keeps) engine.managed.add(container.id);
  return container;
}

function toCreateError({ name, Image }: ContainerCreateOptions, error: unknown): Error {
  const isTaken = getStatus(error) === 409 || /name .*already in use/i.test(explainEngineError(error));
  if (name !== undefined && isTaken)
    return new Error(`Container "${name}" already exists. Remove it, or use another name.`, {
      cause: error,
    });
  return engineFailure(`Cannot create a container from the image ${Image ?? ''}`, error);
}

/** A host folder or file mounted into a container. */
export interface ContainerMount {
  /** Absolute path of an existing folder or file. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  readonly readOnly?: boolean;
}

/** Common settings of a container. Absent settings use the values of the image. */
export interface ContainerSettings {
  /** Generated by the container engine if absent. */
  readonly name?: string | undefined;
  readonly image: string;
  readonly platform?: string | undefined;
  readonly entrypoint?: readonly string[] | undefined;
  /** Arguments of the entry point; program and arguments if there is no entry point. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly mounts?: readonly ContainerMount[] | undefined;
  readonly user?: string | undefined;
  /** Absolute path in the container. */
  readonly workingDir?: string | undefined;
  /** Name of a network, or `host`, `none`, `bridge`. */
  readonly network?: string | undefined;
  /**
   * Further options in the format of the Docker Engine API. The fields above take precedence; lists and maps are
   * merged.
   */
  readonly raw?: ContainerCreateOptions | undefined;
}

/** Converts the settings to the format of the Docker Engine API. */
export function toCreateOptions(settings: ContainerSettings): ContainerCreateOptions {
  const { name, platform, image, entrypoint, args, user, workingDir, raw = {} } = settings;
  return {
    ...raw,
    ...ifDefined('name', name),
    ...ifDefined('platform', platform),
    Image: image,
    ...ifDefined('Entrypoint', entrypoint && [...entrypoint]),
    ...ifDefined('Cmd', args && [...args]),
    ...ifDefined('User', user),
    ...ifDefined('WorkingDir', workingDir),
    Env: [...(raw.Env ?? []), ...toAssignments(settings.env)],
    HostConfig: toHostConfig(settings),
  };
}

function toHostConfig({
  mounts = [],
  network,
  raw,
}: ContainerSettings): ContainerCreateOptions['HostConfig'] {
  const host = raw?.HostConfig ?? {};
  const made = mounts.map(({ source, target, readOnly = false }) => ({
    Type: 'bind' as const,
    Source: source,
    Target: target,
    ReadOnly: readOnly,
  }));
  return {
    ...host,
    ...ifDefined('Mounts', made.length === 0 ? host.Mounts : [...(host.Mounts ?? []), ...made]),
    ...ifDefined('NetworkMode', network),
  };
}

/** Formats variables as `KEY=value`. */
export const toAssignments = (env: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** Omits the property instead of setting it to undefined. */
function ifDefined<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [name in Key]: Value });
}
