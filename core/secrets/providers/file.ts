import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { SecretFacts, SecretProvider } from '../provider.ts';

/** The longest file taken for a secret; more is data in the wrong place. */
const maxBytes = 1024 * 1024;

/**
 * The content of a file, byte for byte (not trimmed, as in Dagu). A relative path is looked for in the working
 * directory, then beside the workflow.
 */
export const fileProvider: SecretProvider = {
  name: 'file',
  async resolve({ key }, facts) {
    const candidates = listCandidates(key, facts);
    for (const path of candidates) {
      const file = await openIfThere(path);
      if (file === undefined) continue;
      try {
        return decode(await readWhole(file, path), path);
      } finally {
        await file.close();
      }
    }
    const places = candidates.join(' and ');
    throw new Error(`file ${places} not found; create it, or set another file in "key"`);
  },
};

/** Paths to try, without repeats. */
function listCandidates(key: string, { variables, workingDir, fileDir }: SecretFacts): string[] {
  if (key === '~' || key.startsWith('~/')) return [join(variables['HOME'] || homedir(), key.slice(1))];
  if (isAbsolute(key)) return [key];
  return [...new Set([resolve(workingDir, key), resolve(fileDir, key)])];
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    // Not waiting for somebody to write, should it be a named pipe.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EPERM')
      throw new Error(`permission denied to read ${path}; change its permissions`, {
        cause: thrown,
      });
    throw new Error(`cannot open ${path}: ${message}`, { cause: thrown });
  }
}

async function readWhole(file: FileHandle, path: string): Promise<Buffer> {
  if (!(await file.stat()).isFile())
    throw new Error(`${path} is not a regular file; set the file with the value`);
  // What a file says of its size is not true of every file system.
  const buffer = Buffer.alloc(maxBytes + 1);
  let size = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size);
    size += bytesRead;
    if (size > maxBytes)
      throw new Error(`${path} has more than ${maxBytes} bytes; pass its path to the step instead`);
    if (bytesRead === 0) return buffer.subarray(0, size);
  }
}

/** Only text without zero bytes can be the value of a variable. */
function decode(bytes: Buffer, path: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw new Error(`${path} is not UTF-8 text; encode it (base64), or pass its path to the step instead`);
}
