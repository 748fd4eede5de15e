import type { AuthConfigObject } from 'dockerode';
import { isJsonObject } from '../../../spec/expand/exact-json.ts';
import type { RegistryAuths } from '../../../model/settings.ts';
import { defaultRegistry, findRegistry } from './image-reference.ts';

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
