import type { PullPolicy } from '../../model/executors/container.ts';
import type { ExecutorResult, StepContext, StepTask } from '../executor.ts';
import { openContainerEngine, type ContainerEngine } from './engine/open-engine.ts';
import { buildImage, type ImageBuild } from './images/build-image.ts';
import { ensureImage } from './images/ensure-image.ts';
import { createContainer } from './managed/create-container.ts';
import { toCreateOptions, type ContainerSettings } from './managed/create-options.ts';
import { copyScript, type ContainerScript } from './managed/place-script.ts';
import { runCreated } from './managed/run-created.ts';

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
    return await runCreated(container, options.Tty === true, context);
  } finally {
    if (!keeps) await engine.managed.remove(container.id);
  }
}
