import Docker from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import type { StepContext } from '../../executor.ts';
import { explainUnreachable } from './explain-error.ts';
import { removeStaleContainers } from './leftovers.ts';
import { listAddresses, type EngineEndpoint } from './list-addresses.ts';
import { ManagedContainers } from './managed-containers.ts';

/** A container engine that has responded: Docker, or Podman with the Docker API. */
export interface ContainerEngine {
  readonly docker: Docker;
  /** Its address, for messages. */
  readonly name: string;
  /** Whether it runs on this machine and so sees the same files. */
  readonly isLocal: boolean;
  /** Containers of this run that must be deleted. */
  readonly managed: ManagedContainers;
}

/** Milliseconds after which an engine that does not respond counts as unavailable. */
const answerMs = 15_000;

/**
 * Returns the container engine for the steps of a run; looks for it when the first step needs it. Also deletes
 * leftover containers of engine processes that were killed. Rejects with a message that lists the addresses that were
 * tried.
 */
export function openContainerEngine(context: Pick<StepContext, 'env' | 'resources' | 'clock'>) {
  const addresses = listAddresses({ ...process.env, ...context.env });
  return context.resources.get(`container engine ${JSON.stringify(addresses)}`, async () => {
    const { docker, name, options } = await findReachable(addresses, context.clock);
    const managed = new ManagedContainers(docker);
    await removeStaleContainers(docker, context.clock);
    const engine: ContainerEngine = { docker, name, isLocal: options.socketPath !== undefined, managed };
    return { value: engine, close: () => managed.close() };
  });
}

async function findReachable(
  addresses: readonly EngineEndpoint[],
  clock: Clock,
): Promise<EngineEndpoint & { readonly docker: Docker }> {
  const tried: string[] = [];
  for (const address of addresses) {
    const docker = new Docker(address.options);
    try {
      await ping(docker, clock);
      return { ...address, docker };
    } catch (error) {
      tried.push(`${address.name} (${explainUnreachable(error)})`);
    }
  }
  const [{ setting } = {}] = addresses;
  throw new Error(
    setting === undefined
      ? `No container engine found. Tried ${tried.join('; ')}. Start Docker, or Podman with "systemctl --user start podman.socket", or set DOCKER_HOST.`
      : `Cannot connect to the container engine of ${setting}: ${tried.join('; ')}. Start the engine, or fix ${setting}.`,
  );
}

async function ping(docker: Docker, clock: Clock): Promise<void> {
  const waiting = new AbortController();
  const dispose = clock.after(answerMs, () =>
    waiting.abort(new Error(`no response within ${answerMs / 1000} s`)),
  );
  try {
    // The types lack an option that the library accepts.
    const send = docker.ping.bind(docker) as (options: { abortSignal: AbortSignal }) => Promise<unknown>;
    await send({ abortSignal: waiting.signal });
  } catch (error) {
    throw waiting.signal.aborted ? waiting.signal.reason : error;
  } finally {
    dispose();
  }
}
