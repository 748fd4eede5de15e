import type { PullPolicy } from '../../model/executors/container.ts';
import type { ExecutorEnd, StepContext, StepTask } from '../executor.ts';
import { openContainerEngine, type ContainerEngine } from './engine/open-engine.ts';
import { buildImage, type ImageBuild } from './images/build-image.ts';
import { ensureImage } from './images/ensure-image.ts';
import { createContainer } from './own/create-container.ts';
import { toCreateOptions, type ContainerSettings } from './own/create-options.ts';
import { placeScript, type PlacedScript } from './own/place-script.ts';
import { runCreated } from './own/run-created.ts';

/** One container that is made, run to its end and removed. */
export interface ContainerRequest extends Omit<ContainerSettings, 'image'> {
  /** Its name, or the folder that it is built of. */
  readonly image: string | ImageBuild;
  /** When an image that is named is pulled; `missing` when absent. */
  readonly pull?: PullPolicy;
  /** Written into it before it starts. */
  readonly script?: PlacedScript | undefined;
  /** It stays when it has ended. */
  readonly keeps?: boolean;
}

/**
 * Runs a container to its end: gets or builds the image, makes and starts the container, copies what it writes into
 * the log, ends it when the attempt is to end, and removes it, with an image that was built without a name. What the
 * engine says of pulling and building goes to the log's stderr. Rejects with a sentence for people when there is no
 * engine, no image, or the container cannot be made or started.
 */
export async function runContainer(
  context: StepContext,
  task: StepTask,
  request: ContainerRequest,
): Promise<ExecutorEnd> {
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

type Surroundings = StepContext & { readonly task: StepTask };

async function provideImage(
  engine: ContainerEngine,
  { image, pull = 'missing', platform }: ContainerRequest,
  around: Surroundings,
): Promise<string> {
  if (typeof image !== 'string') return buildImage(engine, image, around.task);
  await ensureImage(engine, { image, pull, platform }, around);
  return image;
}

async function runOnce(
  engine: ContainerEngine,
  { script, keeps = false, ...settings }: ContainerRequest & ContainerSettings,
  around: Surroundings,
): Promise<ExecutorEnd> {
  if (around.task.signal.aborted) return { error: 'stopped before the container started' };
  const options = toCreateOptions(settings);
  const container = await createContainer(engine, options, around, { keeps });
  try {
    if (script !== undefined) await placeScript(container, script);
    return await runCreated(container, options.Tty === true, around);
  } finally {
    if (!keeps) await engine.own.remove(container.id);
  }
}
