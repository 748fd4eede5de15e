import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { attemptFiles } from '../model/run/attempt-files.ts';
import type { ProcessEnd } from '../process/launch/launcher.ts';

const lostEnding =
  'exit code unknown: the process monitor was killed before the process ended (out of memory?)';

/** Bytes at the end of stderr that are searched for a line that explains the failure. */
const tailBytes = 8000;
/** Most characters of that line in an error message. */
const maxLineLength = 1000;

/** What exit codes mean that shells give in the place of a program. */
const shellCodes: Readonly<Record<number, string>> = {
  126: ' (the shell could not run the command)',
  127: ' (command not found)',
};

/** Lines of a stack trace, markers below source lines, and the version that Node.js prints after an error. */
const noise =
  /^\s*(?:at |File "|\.\.\. \d+ more|goroutine \d|\S+\.go:\d|Node\.js v\d|exit status \d)|^[^\p{L}\p{N}]*$/u;

/** The last line of a program's error output that says something; the last line at all when none does. */
export function findErrorLine(text: string): string {
  const lines = text.trimEnd().split('\n');
  const line = lines.findLast((each) => !noise.test(each)) ?? lines.at(-1) ?? '';
  const trimmed = line.trim();
  return trimmed.length > maxLineLength ? `${trimmed.slice(0, maxLineLength)}…` : trimmed;
}

/**
 * Why an ended process counts as failed, with the line of stderr that explains it; undefined when it succeeded.
 * @param attempt `wasStopped`: the engine itself asked for its end; `hasTerminal`: all it wrote is in the log of stdout
 */
export function describeFailure(
  { exitCode, signal, lost }: Pick<ProcessEnd, 'exitCode' | 'signal' | 'lost'>,
  attempt: { readonly attemptDir: string; readonly wasStopped: boolean; readonly hasTerminal: boolean },
): string | undefined {
  if (exitCode === 0) return undefined;
  const ending = lost ? lostEnding : describeEnding({ exitCode, signal }, attempt.wasStopped);
  const log = attempt.hasTerminal ? attemptFiles.stdout : attemptFiles.stderr;
  const line = findErrorLine(stripVTControlCharacters(readTail(join(attempt.attemptDir, log))));
  return line === '' ? ending : `${ending}: ${line}`;
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
  if (signal !== 'SIGKILL' || wasStopped) return `terminated by signal ${signal ?? 'unknown'}`;
  return 'killed by SIGKILL, not sent by the engine (out of memory?)';
}

/** The end of a file, a broken first one left out; empty when there is none. */
function readTail(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const buffer = Buffer.alloc(Math.min(size, tailBytes));
      const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
      const text = buffer.toString('utf8', 0, read);
      return size > buffer.length ? text.slice(text.indexOf('\n') + 1) : text;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The log was deleted meanwhile; the exit code alone still says what happened.
    return '';
  }
}
