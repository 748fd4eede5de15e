import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { fsyncDirSync, writeFileDurable } from '../write-file-durable.ts';
import type { KeyHolderKind } from '../../contract/home-files.ts';
import type { KeyHolder } from './key-holder.ts';

/** The environment variable with the key of the secret store. */
export const secretsKeyVariable = 'ENGINE_SECRETS_KEY';

/** Shorter keys can be guessed. */
const minCharacters = 16;

const derive = promisify<string, Buffer, number, { N: number; maxmem: number }, Buffer>(scrypt);

/** The key of a variable: any string of 16 characters or more. */
export const variableKey = (value: string): KeyHolder =>
  holderOf('variable', `the variable ${secretsKeyVariable}`, {
    read: () => checkText(value, secretsKeyVariable),
    create: () => checkText(value, secretsKeyVariable),
  });

/**
 * The key of a file that only its owner may read; created with the first secret.
 * @param file absolute path
 */
export const fileKey = (file: string, platform: NodeJS.Platform): KeyHolder =>
  holderOf('file', `the key file ${file}`, {
    read: () => readKeyFile(file, platform),
    create: () => readKeyFile(file, platform) ?? createKeyFile(file, platform),
  });

interface TextSource {
  /** Returns the text of the key; undefined if there is none. Throws if it cannot be used. */
  read(): string | undefined;
  create(): string;
}

function holderOf(kind: KeyHolderKind, place: string, source: TextSource): KeyHolder {
  return {
    kind,
    place,
    async create() {
      const salt = randomBytes(16);
      return { key: await deriveKey(source.create(), salt), hint: salt.toString('base64') };
    },
    async find(_id, { hint }) {
      const text = source.read();
      return text === undefined ? undefined : deriveKey(text, Buffer.from(hint, 'base64'));
    },
  };
}

/** Length of 32 random bytes in Base64 without padding, which cannot be guessed. */
const randomCharacters = 43;

/** Slow on purpose for short texts (about 60 ms), because people may choose them. */
const deriveKey = async (text: string, salt: Buffer): Promise<Buffer> =>
  text.length >= randomCharacters
    ? Buffer.from(hkdfSync('sha256', text, salt, 'stepwright secrets', 32))
    : derive(text, salt, 32, { N: 2 ** 15, maxmem: 64 * 1024 * 1024 });

function checkText(text: string, source: string): string {
  const trimmed = text.trim();
  if (trimmed.length >= minCharacters) return trimmed;
  throw new Error(
    `${source} has fewer than ${minCharacters} characters; use a random key, such as the output of "openssl rand -base64 32"`,
  );
}

function readKeyFile(file: string, platform: NodeJS.Platform): string | undefined {
  try {
    const { mode } = statSync(file);
    if (platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Error(`other users can read ${file}; run "chmod 600 ${file}"`);
    return checkText(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file atomically, unless another process was faster: then its key is used. */
function createKeyFile(file: string, platform: NodeJS.Platform): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.new`;
  writeFileDurable(draft, `${randomBytes(32).toString('base64')}\n`);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  fsyncDirSync(path.dirname(file));
  return readKeyFile(file, platform)!;
}
