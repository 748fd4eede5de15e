import type Docker from 'dockerode';
import type { RunOwner } from '../../model/run.ts';
import type { StepContext } from '../executor.ts';
import { isMissing } from './explain-error.ts';

/** The containers that a run has created and must delete. */
export class ManagedContainers {
  readonly #docker: Docker;
  readonly #ids = new Set<string>();
  #isClosed = false;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** Registers a container to be deleted at the end of the run, unless it is deleted before. */
  add(id: string): void {
    this.#ids.add(id);
    // The attempt was abandoned while the engine created the container.
    if (this.#isClosed) this.remove(id).catch(() => {});
  }

  /** Keeps the container after the end of the run. */
  release(id: string): void {
    this.#ids.delete(id);
  }

  /** Kills and deletes a container and its anonymous volumes. Rejects if the engine fails to do so. */
  async remove(id: string): Promise<void> {
    await removeContainer(this.#docker, id);
    this.#ids.delete(id);
  }

  /**
   * Deletes all remaining containers. Never rejects: containers that cannot be deleted are found later by their label.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#ids].map((id) => this.remove(id)));
  }
}

/** Kills and deletes a container and its anonymous volumes. A container that no longer exists is not an error. */
export async function removeContainer(docker: Docker, id: string): Promise<void> {
  const container = docker.getContainer(id);
  // Podman would otherwise wait for the container to end by itself.
  await container.kill({ signal: 'SIGKILL' }).catch(() => {});
  if (await tryRemove(container)) return;
  // Already being deleted, or still being stopped, which ends it.
  await container.wait({ condition: 'not-running' }).catch(() => {});
  await tryRemove(container);
}

/** Returns whether the container is deleted; if not, the engine is busy with it (409). */
async function tryRemove(container: Docker.Container): Promise<boolean> {
  try {
    await container.remove({ force: true, v: true });
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 409) return false;
    if (!isMissing(error)) throw error;
  }
  return true;
}

/** Labels that identify the containers of Stepwright. */
export const labels = {
  /** JSON of the engine process that deletes the container; absent if the container is not deleted. */
  owner: 'stepwright.owner',
  dag: 'stepwright.dag',
  run: 'stepwright.run',
  step: 'stepwright.step',
  /** Fingerprint of the settings of a container that is not deleted. */
  settings: 'stepwright.settings',
} as const;

/** Returns the labels that describe which run and step created a container. */
export const stepLabels = ({ env, step }: Pick<StepContext, 'env' | 'step'>): Record<string, string> => ({
  [labels.dag]: env['DAG_NAME'] ?? '',
  [labels.run]: env['DAG_RUN_ID'] ?? '',
  [labels.step]: step.name,
});

/** Parses the engine process of a label; undefined if the label has none. */
export function readOwner(label: string | undefined): RunOwner | undefined {
  try {
    const owner = JSON.parse(label ?? '') as Partial<RunOwner>;
    const { host, pid, pidStart, bootId } = owner;
    if (typeof host !== 'string' || typeof pid !== 'number') return undefined;
    if (typeof pidStart !== 'string' || typeof bootId !== 'string') return undefined;
    return { host, pid, pidStart, bootId };
  } catch {
    return undefined;
  }
}
