import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import Docker, { type DockerOptions } from 'dockerode';
import type { Clock } from '../../base/clock.ts';
import { getCurrentProcess, hasOwnerEnded } from '../../process/process-table.ts';
import type { StepContext } from '../executor.ts';
import { explainUnreachable } from './explain-error.ts';
import { ManagedContainers, labels, readOwner, removeContainer } from './managed-containers.ts';

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

/** A possible address of a container engine. */
interface EngineEndpoint {
  /** A path or a URL, for messages. */
  readonly name: string;
  /** Name of the environment variable that sets the address; absent for a default address. */
  readonly setting?: string;
  readonly options: DockerOptions;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Environment variables in order of precedence: Stepwright's own, Docker's and Podman's. */
const settings = ['ENGINE_CONTAINER_HOST', 'DOCKER_HOST', 'CONTAINER_HOST'] as const;

/**
 * Lists the addresses of possible container engines, the most likely one first: only the address in an environment
 * variable if there is one, else the default sockets of Docker and Podman on this system.
 * @throws if an address is invalid
 */
export function listAddresses(
  env: Variables,
  platform: NodeJS.Platform = process.platform,
): EngineEndpoint[] {
  const setting = settings.find((name) => (env[name] ?? '').trim() !== '');
  if (setting !== undefined) return [{ ...readAddress(env[setting]!.trim(), setting, env), setting }];
  return defaultSockets(env, platform).map((name) => ({ name, options: { socketPath: name } }));
}

function defaultSockets(env: Variables, platform: NodeJS.Platform): string[] {
  if (platform === 'win32') return ['//./pipe/docker_engine', '//./pipe/podman-machine-default'];
  const home = env['HOME'] || homedir();
  const uid = process.getuid?.() ?? 0;
  const runtime = env['XDG_RUNTIME_DIR'] || `/run/user/${uid}`;
  const userSockets = [path.join(runtime, 'docker.sock'), path.join(runtime, 'podman/podman.sock')];
  const desktopSockets = [
    '.docker/run/docker.sock',
    '.docker/desktop/docker.sock',
    '.colima/default/docker.sock',
  ];
  return [
    '/var/run/docker.sock',
    ...(uid === 0 ? [] : userSockets),
    ...desktopSockets.map((file) => path.join(home, file)),
    '/run/podman/podman.sock',
    ...(uid === 0 ? userSockets : []),
  ];
}

function readAddress(text: string, setting: string, env: Variables): Omit<EngineEndpoint, 'setting'> {
  if (path.isAbsolute(text)) return { name: text, options: { socketPath: text } };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(formatUnreadable(setting, text));
  }
  switch (url.protocol) {
    case 'unix:':
    case 'npipe:': {
      const socketPath = decodeURIComponent(text.slice(`${url.protocol}//`.length));
      return { name: socketPath, options: { socketPath } };
    }
    case 'tcp:':
    case 'http:':
    case 'https:':
      return { name: text, options: readNetworkAddress(url, env) };
    case 'ssh:':
      throw new Error(
        `${setting} is ${text}, but SSH addresses are not supported. Forward the socket, such as "ssh -N -L /tmp/docker.sock:/var/run/docker.sock HOST", and set ${setting}=unix:///tmp/docker.sock.`,
      );
  }
  throw new Error(formatUnreadable(setting, text));
}

const formatUnreadable = (setting: string, text: string): string =>
  `Invalid container engine address "${text}" in ${setting}. Use unix:///path/of/the.sock or tcp://host:port.`;

const plainPort = 2375;
const tlsPort = 2376;

/** Uses TLS for `https`, with `DOCKER_TLS_VERIFY`, and on the standard TLS port. */
function readNetworkAddress(url: URL, env: Variables): DockerOptions {
  // The URL parser only splits off the host for protocols that browsers know.
  const { hostname: host, port: written } = new URL(url.href.replace(/^\w+:/, 'http:'));
  const isSecure =
    url.protocol === 'https:' ||
    (url.protocol === 'tcp:' && ((env['DOCKER_TLS_VERIFY'] ?? '') !== '' || written === String(tlsPort)));
  const port = written === '' ? (isSecure ? tlsPort : plainPort) : Number(written);
  if (!isSecure) return { protocol: 'http', host, port };
  return { protocol: 'https', host, port, ...readCertificates(env) };
}

function readCertificates(env: Variables): Pick<DockerOptions, 'ca' | 'cert' | 'key'> {
  const folder = env['DOCKER_CERT_PATH'] || path.join(env['HOME'] || homedir(), '.docker');
  const read = (file: string): Buffer | undefined => {
    const whole = path.join(folder, file);
    return existsSync(whole) ? readFileSync(whole) : undefined;
  };
  const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map(read);
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/**
 * Deletes the containers of engine processes that have certainly ended without cleaning up. Containers of a running
 * process, or of another machine that uses the same container engine, are left alone. Never rejects: the next run
 * retries what could not be deleted.
 */
async function removeStaleContainers(docker: Docker, clock: Clock): Promise<void> {
  const host = getCurrentProcess(clock.now());
  try {
    const containers = await docker.listContainers({ all: true, filters: { label: [labels.owner] } });
    const orphans = containers.filter(({ Labels }) => {
      const owner = readOwner(Labels[labels.owner]);
      return owner !== undefined && hasOwnerEnded(owner, host);
    });
    await Promise.allSettled(orphans.map(({ Id }) => removeContainer(docker, Id)));
  } catch {
    // If the containers cannot be listed, creating a container reports the same error.
  }
}
