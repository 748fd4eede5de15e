import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { attemptFiles } from '../model/run/attempt-files.ts';
import type { ExitResult } from '../process/launch/launcher.ts';

const lostExitText =
  'exit code unknown: the process monitor was killed before the process ended (out of memory?)';

/** Number of bytes at the end of stderr that are searched for the error line. */
const tailBytes = 8000;
/** Maximum length of that line in an error message, in UTF-16 code units. */
const maxLineLength = 1000;

/** Meaning of the exit codes that shells return when a program cannot run. */
const shellCodes: Readonly<Record<number, string>> = {
  126: ' (the shell could not run the command)',
  127: ' (command not found)',
};

/**
 * Lines that are not an error message: stack traces, markers below source lines, and the version that Node.js prints
 * after an error.
 */
const noise =
  /^\s*(?:at |File "|\.\.\. \d+ more|goroutine \d|\S+\.go:\d|Node\.js v\d|exit status \d)|^[^\p{L}\p{N}]*$/u;

/** Returns the last meaningful line of a program's stderr, or the last line if none is meaningful. */
export function findErrorLine(text: string): string {
  const lines = text.trimEnd().split('\n');
  const line = lines.findLast((each) => !noise.test(each)) ?? lines.at(-1) ?? '';
  const trimmed = line.trim();
  return trimmed.length > maxLineLength ? `${trimmed.slice(0, maxLineLength)}…` : trimmed;
}

/**
 * Explains why an ended process counts as failed, with the error line of stderr. Returns undefined if it succeeded.
 * @param attempt `wasStopped`: the engine stopped it; `hasTerminal`: the log of stdout contains all output
 */
export function describeFailure(
  { exitCode, signal, lost }: Pick<ExitResult, 'exitCode' | 'signal' | 'lost'>,
  attempt: { readonly attemptDir: string; readonly wasStopped: boolean; readonly hasTerminal: boolean },
): string | undefined {
  if (exitCode === 0) return undefined;
  const ending = lost ? lostExitText : describeExit({ exitCode, signal }, attempt.wasStopped);
  const log = attempt.hasTerminal ? attemptFiles.stdout : attemptFiles.stderr;
  const line = findErrorLine(stripVTControlCharacters(readTail(join(attempt.attemptDir, log))));
  return line === '' ? ending : `${ending}: ${line}`;
}

/** Describes how a process ended that did not succeed. */
export function describeExit(
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

/** Returns the end of a file without an incomplete first line; empty if the file does not exist. */
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
    // The log was deleted in the meantime; the exit code alone describes the failure.
    return '';
  }
}
