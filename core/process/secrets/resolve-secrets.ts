import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { getErrorMessage } from '../../base/errors.ts';
import type { Secret } from '../../model/settings.ts';
import type { SecretProvider, SecretContext } from './provider.ts';

/** Returns the value of an environment variable. An unset variable is an error, an empty one is not. */
const envProvider: SecretProvider = {
  name: 'env',
  resolve({ key }, { variables }) {
    const value = Object.hasOwn(variables, key) ? variables[key] : undefined;
    if (value !== undefined) return Promise.resolve(value);
    return Promise.reject(
      new Error(
        `the variable ${key} is not set; set it in the environment of the engine, in "env" or in a dotenv file`,
      ),
    );
  },
};

/** Maximum size of a secret file in bytes; larger files are data. */
const maxBytes = 1024 * 1024;

/**
 * Returns the content of a file unchanged (not trimmed, as in Dagu). A relative path is resolved from the working
 * directory, then from the folder of the workflow.
 */
const fileProvider: SecretProvider = {
  name: 'file',
  async resolve({ key }, context) {
    const candidates = listCandidates(key, context);
    for (const path of candidates) {
      const file = await openIfThere(path);
      if (file === undefined) continue;
      try {
        return decode(await readWhole(file, path), path);
      } finally {
        await file.close();
      }
    }
    const paths = candidates.join(' and ');
    throw new Error(`file ${paths} not found; create it, or set another file in "key"`);
  },
};

/** Lists the paths to try, without duplicates. */
function listCandidates(key: string, { variables, workingDir, fileDir }: SecretContext): string[] {
  if (key === '~' || key.startsWith('~/')) return [join(variables['HOME'] || homedir(), key.slice(1))];
  if (isAbsolute(key)) return [key];
  return [...new Set([resolve(workingDir, key), resolve(fileDir, key)])];
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    // O_NONBLOCK: opening a named pipe must not block until a writer opens it.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EPERM')
      throw new Error(`permission denied to read ${path}; change its permissions`, {
        cause: error,
      });
    throw new Error(`cannot open ${path}: ${message}`, { cause: error });
  }
}

async function readWhole(file: FileHandle, path: string): Promise<Buffer> {
  if (!(await file.stat()).isFile())
    throw new Error(`${path} is not a regular file; set the file with the value`);
  // Not every file system reports the correct size of a file.
  const buffer = Buffer.alloc(maxBytes + 1);
  let size = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size);
    size += bytesRead;
    if (size > maxBytes)
      throw new Error(`${path} is larger than ${maxBytes} bytes; pass its path to the step instead`);
    if (bytesRead === 0) return buffer.subarray(0, size);
  }
}

/** Decodes the content; only text without zero bytes can be the value of a variable. */
function decode(bytes: Buffer, path: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new Error(`${path} is not UTF-8 text; encode it (base64), or pass its path to the step instead`);
}

/**
 * Returns a value from the keychain of the desktop app. Other hosts have no keychain: the encryption key is in the
 * user's session, and only the app requests it.
 */
const keychainProvider: SecretProvider = {
  name: 'keychain',
  async resolve({ key }, { keychain }) {
    if (keychain === undefined) {
      throw new Error(
        'the keychain is only available in the desktop app; start the workflow there, or use "env" or "file"',
      );
    }
    const value = await keychain.read(key);
    if (value !== undefined) return value;
    throw new Error(
      `keychain entry ${key} not found; add it in the desktop app (Settings, System, Keychain)`,
    );
  },
};

/** A new provider must be added here and in `core/spec/rules/env.ts`. */
const providers: Readonly<Record<string, SecretProvider>> = {
  env: envProvider,
  file: fileProvider,
  keychain: keychainProvider,
};

/** A secret without a value. The message names the secret, its provider and its key, and how to provide it. */
export class SecretError extends Error {
  readonly secret: Pick<Secret, 'name' | 'provider' | 'key'>;

  constructor({ name, provider, key }: Secret, cause: unknown) {
    super(`secret ${name} (provider ${provider}, key ${key}) has no value: ${getErrorMessage(cause)}`, {
      cause,
    });
    this.name = 'SecretError';
    this.secret = { name, provider, key };
  }
}

/**
 * Resolves the secrets of a run by name. Rejects with a `SecretError` for the first one without a value; the run then
 * fails before any step.
 */
export async function resolveSecrets(
  secrets: readonly Secret[],
  context: SecretContext,
): Promise<Record<string, string>> {
  const values: [name: string, value: string][] = [];
  for (const secret of secrets) {
    try {
      values.push([secret.name, await findProvider(secret.provider).resolve(secret, context)]);
    } catch (error) {
      throw new SecretError(secret, error);
    }
  }
  return Object.fromEntries(values);
}

/**
 * Returns the values of the secrets that can be resolved, to mask them in messages about a run whose secrets were not
 * resolved. Never rejects.
 */
export async function findSecretValues(
  secrets: readonly Secret[],
  context: SecretContext,
): Promise<string[]> {
  const results = await Promise.allSettled(
    secrets.map(async (secret) => findProvider(secret.provider).resolve(secret, context)),
  );
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function findProvider(name: string): SecretProvider {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider) return provider;
  throw new Error(`unknown provider; use ${nameProviders(Object.keys(providers))}`);
}

const nameProviders = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** Minimum number of non-blank characters; shorter values reveal nothing and would match everywhere. */
const minCharacters = 4;

/**
 * Whether to mask a value that is not declared as a secret itself, for example from a file of secrets. Excludes values
 * that are too short, and `true` and `false`, which would make all text unreadable.
 */
export const shouldMask = (value: string): boolean =>
  value.replaceAll(/\s/g, '').length >= minCharacters && !/^\s*(true|false)\s*$/i.test(value);
