import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AppError } from '../base/errors.ts';
import type { CommandContext } from './command-context.ts';

const minCharacters = 8;
const maxBytes = 4096;

/**
 * Reads a new password: the first line of stdin, or typed twice without echo. Throws `bad_request` for a short
 * password, and without a terminal. A password is never an argument, because other processes can see arguments.
 */
export async function readNewPassword(
  context: CommandContext,
  { passwordStdin, username }: { readonly passwordStdin: boolean; readonly username: string },
): Promise<string> {
  const password = passwordStdin ? await readLine() : await ask(context, username);
  if ([...password].length >= minCharacters) return password;
  throw new AppError('bad_request', `Passwords must have at least ${minCharacters} characters.`);
}

/** Reads the first line of stdin. */
export async function readLine(): Promise<string> {
  const [line = ''] = await readChunks((part) => part.includes('\n'));
  return line;
}

/** Reads all lines of stdin. */
export const readLines = (): Promise<string[]> => readChunks(() => false);

async function readChunks(isEnough: (part: Buffer) => boolean): Promise<string[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(part);
    size += part.length;
    if (size > maxBytes || isEnough(part)) break;
  }
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
}

async function ask(context: CommandContext, username: string): Promise<string> {
  if (!context.terminal.interactive) {
    throw new AppError('bad_request', 'Cannot ask for a password without a terminal.', {
      details: { hint: 'Add --password-stdin and pipe the password to standard input.' },
    });
  }
  const first = await askHidden(`Password for ${username}: `);
  const second = await askHidden('Repeat password: ');
  if (first === second) return first;
  throw new AppError('bad_request', 'The passwords do not match. Nothing was changed.');
}

/**
 * Reads a line without echo: in raw mode, readline echoes to a discarded stream.
 * @throws `bad_request` with the message if the user cancels
 */
export async function askHidden(
  question: string,
  cancelled = 'No password entered. Nothing was changed.',
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const controller = new AbortController();
  asking.once('SIGINT', () => controller.abort()).once('close', () => controller.abort());
  process.stderr.write(question);
  try {
    return await asking.question('', { signal: controller.signal });
  } catch {
    throw new AppError('bad_request', cancelled);
  } finally {
    process.stderr.write('\n');
    asking.close();
  }
}
