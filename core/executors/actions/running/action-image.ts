import { createHash, randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { openContainerEngine } from '../../container/engine/open-engine.ts';
import type { ContainerRequest } from '../../container/run-container.ts';
import type { StepContext } from '../../executor.ts';
import type { DockerRuns } from '../manifest/manifest.ts';
import type { ActionInstance } from './instance.ts';
import type { Job } from './job.ts';

const imagePrefix = 'docker://';

/**
 * Returns the image of a Docker action: a named image, or an image that the first stage builds and the other stages
 * reuse. The image of a remote action is not deleted, because the files of a commit never change; the image of a local
 * action is deleted at the end of the job.
 */
export function chooseImage(
  job: Job,
  instance: ActionInstance,
  { image }: DockerRuns,
): Pick<ContainerRequest, 'image' | 'pull'> {
  if (image.startsWith(imagePrefix)) return { image: image.slice(imagePrefix.length) };
  const file = join(instance.folder, image);
  const built = job.images.get(file);
  if (built !== undefined) return { image: built, pull: 'never' };
  const isKept = instance.origin !== undefined;
  const mark = isKept ? createHash('sha256').update(file).digest('hex').slice(0, 24) : randomUUID();
  const tag = `stepwright-action:${mark}`;
  job.images.set(file, tag);
  if (!isKept) job.cleanups.push(() => removeImage(job, tag));
  const { network, forceRebuild = false } = job.deps.config;
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
export function engineContext({ deps: { context, config } }: Job): StepContext {
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
