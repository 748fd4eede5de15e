import type Docker from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import { describeOwnProcess, hasOwnerEnded } from '../../../process/tracking/own-process.ts';
import { labels, readOwner } from './labels.ts';
import { removeContainer } from './managed-containers.ts';

/**
 * Deletes the containers of engine processes that have certainly ended without cleaning up. Containers of a running
 * process, or of another machine that uses the same container engine, are left alone. Never rejects: the next run
 * retries what could not be deleted.
 */
export async function removeStaleContainers(docker: Docker, clock: Clock): Promise<void> {
  const host = describeOwnProcess(clock.now());
  try {
    const containers = await docker.listContainers({ all: true, filters: { label: [labels.owner] } });
    const left = containers.filter(({ Labels }) => {
      const owner = readOwner(Labels[labels.owner]);
      return owner !== undefined && hasOwnerEnded(owner, host);
    });
    await Promise.allSettled(left.map(({ Id }) => removeContainer(docker, Id)));
  } catch {
    // If the containers cannot be listed, creating a container reports the same error.
  }
}
