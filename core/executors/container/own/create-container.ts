import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { describeOwnProcess } from '../../../process/living/own-process.ts';
import type { StepContext } from '../../executor.ts';
import { engineFailure, explainEngineError, statusOf } from '../engine/explain-error.ts';
import { describeOrigin, labels } from '../engine/labels.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';

/** Whether a container is removed at the end of what it is for. */
export interface Stay {
  /** It is left there, and nobody but a person removes it. */
  readonly keeps: boolean;
}

/**
 * Makes a container that is removed at the end of the run at the latest, and after the end of this process by the next
 * one, unless it stays. Rejects with what the engine said.
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
