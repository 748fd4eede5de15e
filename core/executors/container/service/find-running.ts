import type Docker from 'dockerode';
import { engineFailure, isMissing } from '../engine/explain-error.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';

/** Returns the running container with this name. Rejects if it does not exist or is not running. */
export async function findRunning(
  { docker, name: engine }: ContainerEngine,
  name: string,
): Promise<Docker.Container> {
  if (name === '')
    throw new Error(
      'No container specified: both the image and the container name are empty. Set one of them.',
    );
  const container = docker.getContainer(name);
  let isRunning: boolean;
  try {
    isRunning = (await container.inspect()).State.Running;
  } catch (error) {
    if (!isMissing(error)) throw engineFailure(`Cannot inspect the container "${name}"`, error);
    throw new Error(
      `Container "${name}" not found on the container engine ${engine}. Start it first, or set an image.`,
      { cause: error },
    );
  }
  if (!isRunning) throw new Error(`Container "${name}" is not running. Start it first.`);
  return container;
}
