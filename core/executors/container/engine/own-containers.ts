import type Docker from 'dockerode';
import { isMissing } from './explain-error.ts';

/** The containers that a run has made and must not leave behind. */
export class OwnContainers {
  readonly #docker: Docker;
  readonly #ids = new Set<string>();
  #isClosed = false;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** From now on the container is removed at the end of the run, unless that has been done before. */
  add(id: string): void {
    this.#ids.add(id);
    // The attempt was given up while the engine made the container.
    if (this.#isClosed) this.remove(id).catch(() => {});
  }

  /** The container stays, whatever becomes of the run. */
  release(id: string): void {
    this.#ids.delete(id);
  }

  /** Ends and removes a container with the volumes that have no name. Rejects when the engine cannot do it. */
  async remove(id: string): Promise<void> {
    await removeContainer(this.#docker, id);
    this.#ids.delete(id);
  }

  /** Removes all that are left. Never rejects: what cannot be removed is found again by its label. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#ids].map((id) => this.remove(id)));
  }
}

/** Ends and removes a container with its nameless volumes; one that is gone already is no error. */
export async function removeContainer(docker: Docker, id: string): Promise<void> {
  const container = docker.getContainer(id);
  // Podman would first wait for it to end by itself.
  await container.kill({ signal: 'SIGKILL' }).catch(() => {});
  try {
    await container.remove({ force: true, v: true });
  } catch (thrown) {
    // 409: it is being removed already.
    if (!isMissing(thrown) && (thrown as { statusCode?: number }).statusCode !== 409) throw thrown;
  }
}
