import type Docker from 'dockerode';
import { engineFailure, isMissing } from '../engine/explain-error.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';

/** The container of that name, which must run. Rejects with what is wrong with it. */
export async function findRunning(
  { docker, name: engine }: ContainerEngine,
  name: string,
): Promise<Docker.Container> {
  if (name === '')
    throw new Error(
      'No container is given to run in: both image and container name are empty. Write one of them.',
    );
  const container = docker.getContainer(name);
  let isRunning: boolean;
  try {
    isRunning = (await container.inspect()).State.Running;
  } catch (thrown) {
    if (!isMissing(thrown))
      throw engineFailure(`The container engine does not tell of the container "${name}"`, thrown);
    throw new Error(
      `The container engine ${engine} has no container "${name}". Start it before, or give an image to make one of.`,
      { cause: thrown },
    );
  }
  if (!isRunning)
    throw new Error(
      `The container "${name}" does not run, so no command can be carried out in it. Start it before.`,
    );
  return container;
}
