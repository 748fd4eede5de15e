import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { DockerOptions } from 'dockerode';

/** A possible address of a container engine. */
export interface EngineEndpoint {
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
  const ofDesktop = ['.docker/run/docker.sock', '.docker/desktop/docker.sock', '.colima/default/docker.sock'];
  return [
    '/var/run/docker.sock',
    ...(uid === 0 ? [] : userSockets),
    ...ofDesktop.map((file) => path.join(home, file)),
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
    throw new Error(describeUnreadable(setting, text));
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
  throw new Error(describeUnreadable(setting, text));
}

const describeUnreadable = (setting: string, text: string): string =>
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
