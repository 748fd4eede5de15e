import type Docker from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import { describeOwnProcess, isOwnerGone } from '../../../process/living/own-process.ts';
import { labels, readOwner } from './labels.ts';
import { removeContainer } from './own-containers.ts';

/**
 * Removes the containers of engine processes that are certainly gone: they were killed before they could. Those of a
 * living process, or of another machine that uses the same container engine, are left alone. Never rejects: what
 * cannot be removed now is tried again by the next run.
 */
export async function removeLeftovers(docker: Docker, clock: Clock): Promise<void> {
  const own = describeOwnProcess(clock.now());
  try {
    const found = await docker.listContainers({ all: true, filters: { label: [labels.owner] } });
    const left = found.filter(({ Labels }) => {
      const owner = readOwner(Labels[labels.owner]);
      return owner !== undefined && isOwnerGone(owner, own);
    });
    await Promise.allSettled(left.map(({ Id }) => removeContainer(docker, Id)));
  } catch {
    // An engine that does not list its containers says so again to whoever makes one.
  }
}
