import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AppError } from '../base/errors.ts';
import type { ParamField } from '../model/param-form.ts';
import { formatParamText } from '../spec/params.ts';
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

/**
 * Asks for confirmation of an irreversible action; anything but yes means no. Throws `bad_request` without a terminal.
 * @param question without its question mark
 * @param advice what to do without a terminal
 */
export async function confirm(context: CommandContext, question: string, advice: string): Promise<boolean> {
  if (!context.terminal.interactive) {
    throw new AppError('bad_request', `${question}: cannot ask for confirmation without a terminal.`, {
      details: { hint: advice },
    });
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const controller = new AbortController();
  asking.once('SIGINT', () => controller.abort()).once('close', () => controller.abort());
  try {
    const answer = await asking.question(`${question}? [y/N] `, { signal: controller.signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    asking.close();
  }
}

/** Parameters of a command line: one string, or one parameter each. */
export type TypedParams = string | readonly string[] | undefined;

/**
 * Returns the parameters with those that a rejected start has missed, asked for on a terminal. Rejects with the error of
 * the start if it is another one; without a terminal, it names all missing parameters.
 * @param asked names of parameters that were asked for before; grows
 */
export async function askForMissing(
  context: CommandContext,
  error: unknown,
  params: TypedParams,
  asked: Set<string>,
): Promise<TypedParams> {
  const missing = findMissing(error).filter(({ name }) => !asked.has(name));
  if (missing.length === 0) throw error;
  if (!context.terminal.interactive) throw withHint(error as AppError, missing);
  let completed = params;
  for (const field of missing) {
    asked.add(field.name);
    completed = addParam(completed, { name: field.name, value: await askFor(context, field) });
  }
  return completed;
}

function findMissing(error: unknown): readonly ParamField[] {
  const missing = error instanceof AppError ? error.details?.['missing'] : undefined;
  return Array.isArray(missing) ? (missing as unknown as readonly ParamField[]) : [];
}

function withHint({ code, message, details }: AppError, missing: readonly ParamField[]): AppError {
  const words = missing.slice(0, 5).map(({ name, choices }) => `${name}=${choices?.[0]?.value || 'VALUE'}`);
  const hint = `Pass parameters after --, for example: -- ${words.join(' ')}`;
  return new AppError(code, message, { details: { ...details, hint } });
}

const addParam = (params: TypedParams, added: { name: string; value: string }): TypedParams =>
  typeof params === 'string'
    ? `${params} ${formatParamText([added])}`
    : [...(params ?? []), `${added.name}=${added.value}`];

/** Asks until there is an answer, and one of the choices if there are any. */
async function askFor({ terminal }: CommandContext, field: ParamField): Promise<string> {
  const { name, title = name, description, choices, format } = field;
  if (description !== undefined) await terminal.stderr.write(`${description}\n`);
  const values = choices?.map(({ value }) => value);
  const question = values === undefined ? `${title}: ` : `${title} (${values.join(', ')}): `;
  for (;;) {
    const answer = format === 'password' ? await askHidden(question, cancelled) : await askLine(question);
    if (answer !== '' && (values === undefined || values.includes(answer))) return answer;
    await terminal.stderr.write(
      values === undefined ? 'Enter a value.\n' : `Enter one of: ${values.join(', ')}.\n`,
    );
  }
}

const cancelled = 'Cancelled. No run was started.';

async function askLine(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const controller = new AbortController();
  asking.once('SIGINT', () => controller.abort()).once('close', () => controller.abort());
  try {
    return (await asking.question(question, { signal: controller.signal })).trim();
  } catch {
    throw new AppError('bad_request', cancelled);
  } finally {
    asking.close();
  }
}
