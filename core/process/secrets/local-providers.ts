import { constants, existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Secret } from '../../model/settings.ts';
import { splitWords } from '../../spec/split-words.ts';
import { captureCommand } from '../capture.ts';
import { isWithheld } from '../environment.ts';
import type { SecretContext, SecretProvider } from './provider.ts';
import { Masker } from './masker.ts';

/** Maximum size of a secret file in bytes; larger files are data. */
const maxBytes = 1024 * 1024;

/**
 * Returns the content of a file unchanged (not trimmed, as in Dagu). A relative path is resolved from the working
 * directory, then from the folder of the workflow.
 */
export const fileProvider: SecretProvider = {
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

/** Time that a command may take, in milliseconds. */
const timeoutMs = 10_000;

/** Maximum size of a value in bytes; larger output is data. */
const maxOutputBytes = 1024 * 1024;

/**
 * Returns what a command prints, without its trailing line breaks, as `$(…)` does. The command is run without a shell,
 * unless `options.shell` is true.
 */
export const commandProvider: SecretProvider = {
  name: 'command',
  async resolve(secret, context) {
    const argv = readArgv(secret);
    const controller = new AbortController();
    const stopTimer = context.clock?.after(timeoutMs, () => controller.abort());
    try {
      const captured = await captureCommand({
        argv,
        env: listVariables(context),
        cwd: existsSync(context.workingDir) ? context.workingDir : context.fileDir,
        signal: controller.signal,
        maxBytes: maxOutputBytes + 1,
      });
      if (controller.signal.aborted) throw new Error(`the command took longer than ${timeoutMs / 1000} s`);
      // The command may have printed the value on stderr, too.
      const { error, stdout } = captured;
      if (error !== undefined) throw new Error(`the command failed: ${new Masker([stdout]).mask(error)}`);
      return checkOutput(stdout);
    } finally {
      stopTimer?.();
    }
  },
};

function readArgv({ key, options }: Secret): readonly string[] {
  if (options['shell'] === 'true')
    return process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', key] : ['/bin/sh', '-c', key];
  return splitWords(key);
}

/** The variables of the engine, which programs such as `pass` and `op` need, without the secrets of the server. */
const listVariables = ({ variables }: SecretContext): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !isWithheld(entry[0]),
    ),
  );

function stripLineBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n'.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

function checkOutput(stdout: string): string {
  if (Buffer.byteLength(stdout) > maxOutputBytes)
    throw new Error(`the command printed more than ${maxOutputBytes} bytes`);
  const value = stripLineBreaks(stdout);
  if (value === '') throw new Error('the command printed nothing');
  if (value.includes('\0')) throw new Error('the command printed a NUL byte; encode the value (base64)');
  return value;
}
