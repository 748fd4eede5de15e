import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { describeOwnProcess } from '../../../process/living/own-process.ts';
import type { StepContext } from '../../executor.ts';
import { engineFailure, explainEngineError, statusOf } from '../engine/explain-error.ts';
import { describeOrigin, labels } from '../engine/labels.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';

/** Whether a container is deleted after use. */
export interface Stay {
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
  { keeps }: Stay,
): Promise<Docker.Container> {
  const owner: Record<string, string> = keeps
    ? {}
    : { [labels.owner]: JSON.stringify(describeOwnProcess(context.clock.now())) };
  let container: Docker.Container;
  try {
    container = await engine.docker.createContainer({
      ...options,
      Labels: { ...options.Labels, ...describeOrigin(context), ...owner },
    });
  } catch (thrown) {
    throw describeRefusal(options, thrown);
  }
  if (!keeps) engine.own.add(container.id);
  return container;
}

function describeRefusal({ name, Image }: ContainerCreateOptions, thrown: unknown): Error {
  const isTaken = statusOf(thrown) === 409 || /name .*already in use/i.test(explainEngineError(thrown));
  if (name !== undefined && isTaken)
    return new Error(`Container "${name}" already exists. Remove it, or use another name.`, {
      cause: thrown,
    });
  return engineFailure(`Cannot create a container from the image ${Image ?? ''}`, thrown);
}
