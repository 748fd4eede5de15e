import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { attemptFiles } from '../model/run/attempt-files.ts';
import type { ProcessEnd } from '../process/launch/launcher.ts';

const lostEnding =
  'its exit code is not known: what watched its process was killed before it ended (the machine out of memory?)';

/** Bytes of stderr shown in an error text. */
const tailBytes = 1000;
const tailLines = 10;

/** What exit codes mean that shells give in the place of a program. */
const shellCodes: Readonly<Record<number, string>> = {
  126: ' (the shell found the command, but could not run it)',
  127: ' (the shell did not find the command)',
};

/**
 * Why an ended process counts as failed, with the end of what it wrote to stderr; undefined when it succeeded.
 * @param attempt `wasStopped`: the engine itself asked for its end; `hasTerminal`: all it wrote is in the log of stdout
 */
export function describeFailure(
  { exitCode, signal, lost }: Pick<ProcessEnd, 'exitCode' | 'signal' | 'lost'>,
  attempt: { readonly attemptDir: string; readonly wasStopped: boolean; readonly hasTerminal: boolean },
): string | undefined {
  if (exitCode === 0) return undefined;
  const ending = lost ? lostEnding : describeEnding({ exitCode, signal }, attempt.wasStopped);
  const log = attempt.hasTerminal ? attemptFiles.stdout : attemptFiles.stderr;
  const tail = stripVTControlCharacters(readTail(join(attempt.attemptDir, log)));
  return tail === '' ? ending : `${ending}: ${tail}`;
}

/** How a process ended that did not succeed, in words. */
export function describeEnding(
  { exitCode, signal }: { readonly exitCode?: number | undefined; readonly signal?: string | undefined },
  wasStopped: boolean,
): string {
  if (exitCode === undefined) return describeSignal(signal, wasStopped);
  return `exit code ${exitCode}${shellCodes[exitCode] ?? ''}`;
}

function describeSignal(signal: string | undefined, wasStopped: boolean): string {
  if (signal !== 'SIGKILL' || wasStopped) return `ended by signal ${signal ?? 'unknown'}`;
  return 'killed by SIGKILL, which the engine did not send (out of memory?)';
}

/** The last lines of a file, a broken first one left out; empty when there is none. */
function readTail(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const buffer = Buffer.alloc(Math.min(size, tailBytes));
      const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
      const text = buffer.toString('utf8', 0, read);
      const whole = size > buffer.length ? text.slice(text.indexOf('\n') + 1) : text;
      return whole.trim().split('\n').slice(-tailLines).join('\n');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The log was deleted meanwhile; the exit code alone still says what happened.
    return '';
  }
}
