import Docker from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import type { StepContext } from '../../executor.ts';
import { explainUnreachable } from './explain-error.ts';
import { removeLeftovers } from './leftovers.ts';
import { listAddresses, type EngineAddress } from './list-addresses.ts';
import { OwnContainers } from './own-containers.ts';

/** A container engine that has answered: Docker, or Podman in the manner of Docker. */
export interface ContainerEngine {
  readonly docker: Docker;
  /** Where it answers, for messages. */
  readonly name: string;
  /** It runs on this machine, so that it sees the same files. */
  readonly isLocal: boolean;
  /** Containers of this run that are to be removed. */
  readonly own: OwnContainers;
}

/** Milliseconds until an engine that does not answer counts as absent. */
const answerMs = 15_000;

/**
 * The container engine for the steps of a run: looked for when the first step needs it. What an engine process that
 * was killed has left there is removed on the way. Rejects with a sentence that says where it was looked for.
 */
export function openContainerEngine(context: Pick<StepContext, 'env' | 'resources' | 'clock'>) {
  const addresses = listAddresses({ ...process.env, ...context.env });
  return context.resources.get(`container engine ${JSON.stringify(addresses)}`, async () => {
    const { docker, name, options } = await findAnswering(addresses, context.clock);
    const own = new OwnContainers(docker);
    await removeLeftovers(docker, context.clock);
    const engine: ContainerEngine = { docker, name, isLocal: options.socketPath !== undefined, own };
    return { value: engine, close: () => own.close() };
  });
}

async function findAnswering(
  addresses: readonly EngineAddress[],
  clock: Clock,
): Promise<EngineAddress & { readonly docker: Docker }> {
  const tried: string[] = [];
  for (const address of addresses) {
    const docker = new Docker(address.options);
    try {
      await ping(docker, clock);
      return { ...address, docker };
    } catch (thrown) {
      tried.push(`${address.name} (${explainUnreachable(thrown)})`);
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
    // The types do not know what the library takes.
    const send = docker.ping.bind(docker) as (options: { abortSignal: AbortSignal }) => Promise<unknown>;
    await send({ abortSignal: waiting.signal });
  } catch (thrown) {
    throw waiting.signal.aborted ? waiting.signal.reason : thrown;
  } finally {
    dispose();
  }
}
