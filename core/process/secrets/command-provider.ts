import { existsSync } from 'node:fs';
import type { Secret } from '../../model/settings.ts';
import { splitWords } from '../../spec/split-words.ts';
import { captureCommand } from '../capture.ts';
import { isWithheld } from '../environment.ts';
import { Masker } from './masker.ts';
import type { SecretContext, SecretProvider } from './provider.ts';

/** Time that a command may take, in milliseconds. */
const timeoutMs = 10_000;

/** Maximum size of a value in bytes; larger output is data. */
const maxBytes = 1024 * 1024;

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
        maxBytes: maxBytes + 1,
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
  if (Buffer.byteLength(stdout) > maxBytes)
    throw new Error(`the command printed more than ${maxBytes} bytes`);
  const value = stripLineBreaks(stdout);
  if (value === '') throw new Error('the command printed nothing');
  if (value.includes('\0')) throw new Error('the command printed a NUL byte; encode the value (base64)');
  return value;
}
