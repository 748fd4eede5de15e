import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { getErrorMessage } from '../../base/errors.ts';
import type { Secret } from '../../model/settings.ts';
import type { SecretProvider, VaultSettings } from './provider.ts';

/** Time that reading one secret may take, in milliseconds. */
const timeoutMs = 10_000;
const maxBytes = 4 * 1024 * 1024;

/** Returns a field of a secret of HashiCorp Vault (KV version 2). */
export const vaultProvider: SecretProvider = {
  name: 'vault',
  async resolve(secret, { vault, clock }) {
    if (vault?.address === undefined)
      throw new Error('no Vault server; set "secrets.vault.address" in the configuration, or VAULT_ADDR');
    const controller = new AbortController();
    const stopTimer = clock?.after(timeoutMs, () => controller.abort());
    const server = { ...vault, address: vault.address, signal: controller.signal };
    try {
      return await readField(server, secret);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      throw new Error(`${vault.address} did not answer in ${timeoutMs / 1000} s`, { cause: error });
    } finally {
      stopTimer?.();
    }
  },
};

interface VaultServer extends VaultSettings {
  readonly address: string;
  readonly signal: AbortSignal;
}

async function readField(server: VaultServer, secret: Secret): Promise<string> {
  const { path, field } = parseKey(secret, server.mount);
  const namespace = secret.options['namespace'] ?? server.namespace;
  const token = await findToken(server, namespace);
  const body = await callVault(server, { path, token, namespace });
  const fields = asRecord(asRecord(asRecord(body)['data'])['data']);
  const name = field ?? onlyField(fields, path);
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null)
    throw new Error(`${path} has no field "${name}"; it has ${listNames(fields)}`);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parses `PATH`, `PATH#FIELD` or, without the option `mount`, the path of the API: `MOUNT/data/PATH`. */
function parseKey({ key, options }: Secret, mount: string): { path: string; field: string | undefined } {
  const [written = '', fieldPart] = key.split('#', 2);
  const path = trimSlashes(written);
  const field = options['field'] ?? fieldPart;
  if (path === '') throw new Error('the key has no path; use PATH#FIELD');
  if (options['mount'] === undefined && /^[^/]+\/data\//.test(path)) return { path, field };
  return { path: `${trimSlashes(options['mount'] ?? mount)}/data/${path}`, field };
}

const trimSlashes = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');

function onlyField(fields: Readonly<Record<string, unknown>>, path: string): string {
  const [name, ...more] = Object.keys(fields);
  if (name !== undefined && more.length === 0) return name;
  throw new Error(`${path} has ${listNames(fields)}; add the field to the key: PATH#FIELD`);
}

const listNames = (fields: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(fields);
  return names.length === 0 ? 'no fields' : `the fields ${names.join(', ')}`;
};

async function findToken(server: VaultServer, namespace: string | undefined): Promise<string> {
  const { token, tokenFile, roleId, secretId } = server;
  if (token !== undefined) return token;
  if (tokenFile !== undefined) return readText(tokenFile, 'token file');
  if (roleId === undefined)
    throw new Error(
      'no Vault token; set VAULT_TOKEN, or "secrets.vault.tokenFile" or "secrets.vault.roleId" in the configuration',
    );
  const login = { role_id: roleId, ...(secretId !== undefined && { secret_id: secretId }) };
  const body = await callVault(server, { path: 'auth/approle/login', namespace, body: login });
  const issued = asRecord(asRecord(body)['auth'])['client_token'];
  if (typeof issued === 'string') return issued;
  throw new Error('the AppRole login returned no token');
}

interface VaultCall {
  readonly path: string;
  readonly namespace: string | undefined;
  readonly token?: string;
  readonly body?: object;
}

async function callVault(server: VaultServer, { path, namespace, token, body }: VaultCall): Promise<unknown> {
  const url = new URL(
    `${server.address.replace(/\/$/, '')}/v1/${path.split('/').map(encodeURIComponent).join('/')}`,
  );
  const headers = {
    'X-Vault-Request': 'true',
    ...(token !== undefined && { 'X-Vault-Token': token }),
    ...(namespace !== undefined && { 'X-Vault-Namespace': namespace }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const ca = server.caFile === undefined ? {} : { ca: readText(server.caFile, 'CA file') };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asking = request(url, { method, headers, signal: server.signal, ...ca });
    asking.once('response', resolve);
    asking.once('error', (error) =>
      reject(new Error(`cannot reach ${url.origin}: ${getErrorMessage(error)}`)),
    );
    asking.end(body && JSON.stringify(body));
  });
  const text = await readBody(response);
  const { statusCode = 0 } = response;
  if (statusCode === 200) return parse(text, url);
  throw new Error(explainStatus(statusCode, path, text));
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string, url: URL): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not with the text, which may contain the value.
    throw new Error(`${url.origin} did not answer with JSON; check "secrets.vault.address"`);
  }
}

function explainStatus(status: number, path: string, text: string): string {
  const errors = readErrors(text);
  const reason = errors === '' ? '' : `: ${errors}`;
  if (status === 404 && isDeleted(text))
    return `the latest version of ${path} was deleted in Vault; write it again`;
  if (status === 404)
    return `${path} not found in Vault${reason}; check the path, the mount and the namespace`;
  if (status === 403) return `Vault denied access to ${path}${reason}; check the token and its policies`;
  if (status === 503) return `Vault is sealed or in maintenance${reason}`;
  return `Vault answered with status ${status}${reason}`;
}

/** Vault answers with the metadata of a deleted version. */
function isDeleted(text: string): boolean {
  const { data, metadata } = asRecord(parseOrEmpty(text)['data']);
  return data === null && asRecord(metadata)['deletion_time'] !== undefined;
}

function readErrors(text: string): string {
  const { errors } = parseOrEmpty(text);
  return Array.isArray(errors) ? errors.map(String).join('; ').trim().slice(0, 300) : '';
}

function parseOrEmpty(text: string): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`cannot read the ${what} ${file}: ${getErrorMessage(error)}`, { cause: error });
  }
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
