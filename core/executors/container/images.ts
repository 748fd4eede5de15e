import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type Docker from 'dockerode';
import type { AuthConfigObject } from 'dockerode';
import type { PullPolicy } from '../../model/executor-tables.ts';
import { isJsonObject } from '../../spec/expand.ts';
import type { RegistryAuths } from '../../model/settings.ts';
import type { StepContext, StepTask } from '../executor.ts';
import { engineFailure, isMissing, getStatus } from './explain-error.ts';
import type { ContainerEngine } from './engine.ts';

/** An image and how it is pulled. */
export interface ImageRequest {
  readonly image: string;
  readonly pull: PullPolicy;
  /** For example `linux/arm64`. Default: the platform of the container engine. */
  readonly platform?: string | undefined;
}

/** Dependencies of pulling an image. */
export type PullContext = Pick<StepContext, 'clock' | 'expand' | 'maskSecrets' | 'registryAuths'> & {
  readonly task: Pick<StepTask, 'signal' | 'output'>;
};

/**
 * Ensures that the container engine has an image, and pulls it if the pull policy requires it. Progress is written to
 * stderr of the log.
 */
export async function ensureImage(
  { docker, name }: ContainerEngine,
  request: ImageRequest,
  context: PullContext,
): Promise<void> {
  const { image, pull, platform } = request;
  if (pull !== 'always' && (await hasImage(docker, request))) return;
  if (pull === 'never')
    throw new Error(
      `Image ${image}${platform === undefined ? '' : ` for ${platform}`} not found on the container engine ${name}, and the pull policy is "never". Pull or build the image, or change the pull policy.`,
    );
  await pullImage(docker, request, context);
}

/** Whether the image exists for the requested platform. */
async function hasImage(docker: Docker, { image, platform }: ImageRequest): Promise<boolean> {
  try {
    const { Os, Architecture } = await docker.getImage(image).inspect();
    return platform === undefined || platform.startsWith(`${Os}/${Architecture}`);
  } catch (error) {
    if (isMissing(error)) return false;
    throw engineFailure(`Cannot inspect the image ${image}`, error);
  }
}

async function pullImage(
  docker: Docker,
  { image, platform }: ImageRequest,
  { clock, expand, maskSecrets, registryAuths, task: { signal, output } }: PullContext,
): Promise<void> {
  const say = (line: string): void => output.stderr(`${line}\n`);
  const authconfig = await findLogin(registryAuths, image, expand);
  if (authconfig?.password) maskSecrets(authconfig.password);
  say(`Pulling ${image}${authconfig === undefined ? '' : ` as ${authconfig.username}`}`);
  const progress = new PullProgress(say, () => clock.monotonic());
  try {
    const stream = await docker.pull(withDefaultTag(image), {
      ...(platform === undefined ? {} : { platform }),
      ...(authconfig === undefined ? {} : { authconfig }),
      abortSignal: signal,
    });
    for await (const message of readMessages(stream as AsyncIterable<Buffer>)) {
      const problem = findErrorMessage(message);
      if (problem !== undefined) throw new Error(problem);
      progress.add(message);
    }
  } catch (error) {
    if (signal.aborted) throw new Error(`stopped while pulling ${image}`, { cause: error });
    throw toPullError(image, authconfig !== undefined, error);
  }
}

function toPullError(image: string, hasLogin: boolean, error: unknown): Error {
  const failure = engineFailure(`Cannot pull the image ${image}`, error);
  const isRefused =
    [401, 403].includes(getStatus(error) ?? 0) || /unauthorized|denied|authenticat/i.test(failure.message);
  if (!isRefused) return failure;
  const registry = findRegistry(image);
  const hint = hasLogin
    ? `Check the credentials for ${registry} in "registryAuths".`
    : `If the image is private, add credentials for ${registry} to "registryAuths".`;
  return new Error(`${failure.message.replace(/\.?$/, '.')} ${hint}`, { cause: error });
}

/** An image that is built from a folder. */
export interface ImageBuild {
  /** Absolute path of the folder; its `.dockerignore` applies. */
  readonly folder: string;
  /** Path of the Dockerfile in the folder. Default: `Dockerfile`. */
  readonly dockerfile?: string;
  /** Name of the image. Generated if absent. */
  readonly tag?: string;
  /** Network of the commands in the Dockerfile. Default: the default network of the container engine. */
  readonly network?: string;
  /** Ignores the build cache and pulls current base images. Default: false. */
  readonly fresh?: boolean;
}

/**
 * Builds an image and writes the build output to stderr of the log. Rejects with the error of the builder.
 * @returns the name of the image
 */
export async function buildImage(
  { docker }: ContainerEngine,
  {
    folder,
    dockerfile = 'Dockerfile',
    tag = `stepwright-build-${randomUUID()}:latest`,
    network,
    fresh = false,
  }: ImageBuild,
  { signal, output }: Pick<StepTask, 'signal' | 'output'>,
): Promise<string> {
  if (!existsSync(path.join(folder, dockerfile)))
    throw new Error(`Cannot build an image: ${dockerfile} not found in ${folder}.`);
  try {
    const stream = await docker.buildImage(
      { context: folder, src: ['.'] },
      {
        t: tag,
        dockerfile,
        rm: true,
        forcerm: true,
        nocache: fresh,
        pull: fresh,
        ...(network === undefined ? {} : { networkmode: network }),
        abortSignal: signal,
      },
    );
    for await (const message of readMessages(stream as AsyncIterable<Buffer>)) {
      const problem = findErrorMessage(message);
      if (problem !== undefined) throw new Error(problem);
      if (typeof message['stream'] === 'string') output.stderr(message['stream']);
    }
    return tag;
  } catch (error) {
    if (signal.aborted) throw new Error(`stopped while building an image from ${folder}`, { cause: error });
    throw engineFailure(`Cannot build an image from ${folder}`, error);
  }
}

/** Default registry of images without a host in their name. */
const defaultRegistry = 'docker.io';

/** Returns the registry of an image: the first part of its name if it looks like a host. */
export function findRegistry(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, slash);
  return slash > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : defaultRegistry;
}

/** Adds the default tag to an image without one; otherwise the container engine would pull all tags. */
export function withDefaultTag(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return /[:@]/.test(name) ? image : `${image}:latest`;
}

/** Milliseconds between two lines about layers in progress. */
const betweenLinesMs = 5000;

/**
 * Converts the pull progress of a container engine to log lines: one line per completed layer and a periodic summary.
 * The container engine itself sends thousands of messages.
 */
export class PullProgress {
  readonly #layers = new Map<string, { done: boolean; current: number; total: number }>();
  readonly #say: (line: string) => void;
  readonly #monotonic: () => number;
  #reportedAt: number;

  constructor(say: (line: string) => void, monotonic: () => number) {
    this.#say = say;
    this.#monotonic = monotonic;
    this.#reportedAt = monotonic();
  }

  add({ status, id, progressDetail }: EngineMessage): void {
    if (typeof status !== 'string') return;
    if (typeof id !== 'string' || !/^[0-9a-f]{6,}$/.test(id)) {
      if (/^(Digest|Status):/.test(status)) this.#say(status);
      return;
    }
    const layer = this.#layers.get(id) ?? { done: false, current: 0, total: 0 };
    this.#layers.set(id, layer);
    const detail = (progressDetail ?? {}) as { current?: unknown; total?: unknown };
    if (status === 'Downloading' && typeof detail.current === 'number') {
      layer.current = detail.current;
      layer.total = typeof detail.total === 'number' ? detail.total : layer.total;
    }
    if (!layer.done && /^(Pull complete|Download complete|Already exists)/.test(status)) {
      layer.done = true;
      this.#notify(`${status}: layer ${id.slice(0, 12)}`);
    } else if (this.#monotonic() - this.#reportedAt >= betweenLinesMs) this.#notify('Downloading');
  }

  #notify(what: string): void {
    this.#reportedAt = this.#monotonic();
    const layers = [...this.#layers.values()];
    const done = layers.filter((layer) => layer.done).length;
    const bytes = layers.reduce((sum, { current }) => sum + current, 0);
    const size = bytes === 0 ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
    this.#say(`${what} (${done} of ${layers.length} layers${size})`);
  }
}

/** One progress message of the container engine while it pulls or builds an image. */
type EngineMessage = Readonly<Record<string, unknown>>;

/** Maximum length of a message line, in UTF-16 code units. */
const maxLine = 1024 * 1024;

/** Parses progress messages as JSON lines. Skips lines that are invalid. */
async function* readMessages(stream: AsyncIterable<Uint8Array>): AsyncGenerator<EngineMessage> {
  const decoder = new TextDecoder();
  let buffered = '';
  for await (const chunk of stream) {
    buffered += decoder.decode(chunk, { stream: true });
    const lines = buffered.split('\n');
    buffered = lines.pop() ?? '';
    if (buffered.length > maxLine) buffered = '';
    for (const line of lines) yield* parseMessage(line);
  }
  yield* parseMessage(buffered);
}

function* parseMessage(line: string): Generator<EngineMessage> {
  if (line.trim() === '') return;
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) yield value;
  } catch {
    // An incomplete line of a broken connection.
  }
}

/** Returns the error in a message, if any. */
function findErrorMessage({ error, errorDetail }: EngineMessage): string | undefined {
  if (typeof error === 'string' && error !== '') return error.trim();
  return isJsonObject(errorDetail) && typeof errorDetail['message'] === 'string'
    ? errorDetail['message'].trim()
    : undefined;
}

/** Aliases of Docker Hub. */
const defaultNames: ReadonlySet<string> = new Set([
  'docker.io',
  'index.docker.io',
  'registry-1.docker.io',
  'hub.docker.com',
]);

/**
 * Returns the credentials for the registry of an image. `registryAuths` maps hosts to credentials, or is that map as a
 * JSON string, which may be a Docker configuration with `auths`; credentials are a map or its JSON string. Returns
 * undefined if there are none. Rejects if a string is invalid JSON; the message never quotes the string.
 */
export async function findLogin(
  auths: RegistryAuths | undefined,
  image: string,
  expand: (text: string) => Promise<string>,
): Promise<AuthConfigObject | undefined> {
  if (auths === undefined) return undefined;
  const logins = typeof auths === 'string' ? parseLogins(await expand(auths)) : auths;
  const registry = findRegistry(image);
  for (const [host, login] of Object.entries(logins)) {
    if (normalizeHost(await expand(host)) !== registry) continue;
    return toAuthConfig(await readLogin(host, login, expand), registry);
  }
  return undefined;
}

/** Normalizes forms such as `https://index.docker.io/v1/`. */
function normalizeHost(written: string): string {
  const host = written
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '');
  return defaultNames.has(host) ? defaultRegistry : host;
}

function parseLogins(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  const value = parseMap(text, 'registryAuths', 'of registry hosts to credentials');
  return isJsonObject(value['auths']) ? value['auths'] : value;
}

interface Login {
  readonly username: string;
  /** Password or token. */
  readonly password: string;
  readonly auth: string;
}

async function readLogin(
  host: string,
  login: unknown,
  expand: (text: string) => Promise<string>,
): Promise<Login> {
  const fields =
    typeof login === 'string'
      ? parseMap(await expand(login), `registryAuths.${host}`, 'with "username" and "password"')
      : login;
  const read = async (key: keyof Login | 'token'): Promise<string> => {
    const value = isJsonObject(fields) ? fields[key] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? expand(String(value)) : '';
  };
  const password = (await read('password')) || (await read('token'));
  return { username: await read('username'), password, auth: await read('auth') };
}

/** Messages of `JSON.parse` quote a part of the input, so they are not passed on. */
function parseMap(text: string, field: string, content: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isJsonObject(value)) return value;
  throw new Error(`${field} must be a map ${content}, or the same as a JSON string.`);
}

/** A registry that only needs a token still requires a user name. */
function toAuthConfig({ username, password, auth }: Login, registry: string): AuthConfigObject | undefined {
  const serveraddress = registry === defaultRegistry ? 'https://index.docker.io/v1/' : registry;
  if (username !== '' || password !== '') return { username: username || 'token', password, serveraddress };
  if (auth === '') return undefined;
  const decoded = Buffer.from(auth, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1)
    throw new Error(
      `"auth" of the registry ${registry} must be the Base64 of USER:PASSWORD. Fix it, or set "username" and "password".`,
    );
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1), serveraddress };
}
