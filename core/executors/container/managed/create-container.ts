import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { describeOwnProcess } from '../../../process/tracking/own-process.ts';
import type { StepContext } from '../../executor.ts';
import { engineFailure, explainEngineError, statusOf } from '../engine/explain-error.ts';
import { stepLabels, labels } from '../engine/labels.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';

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
    : { [labels.owner]: JSON.stringify(describeOwnProcess(context.clock.now())) };
  let container: Docker.Container;
  try {
    container = await engine.docker.createContainer({
      ...options,
      Labels: { ...options.Labels, ...stepLabels(context), ...owner },
    });
  } catch (error) {
    throw describeCreateError(options, error);
  }
  if (!keeps) engine.managed.add(container.id);
  return container;
}

function describeCreateError({ name, Image }: ContainerCreateOptions, error: unknown): Error {
  const isTaken = statusOf(error) === 409 || /name .*already in use/i.test(explainEngineError(error));
  if (name !== undefined && isTaken)
    return new Error(`Container "${name}" already exists. Remove it, or use another name.`, {
      cause: error,
    });
  return engineFailure(`Cannot create a container from the image ${Image ?? ''}`, error);
}
