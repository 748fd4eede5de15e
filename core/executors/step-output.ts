import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { getErrorMessage } from '../base/errors.ts';
import { OutputFiles } from '../process/output-files.ts';
import { attemptFiles } from '../model/run.ts';
import type { ExitResult } from '../process/launcher.ts';
import type { ExecutorResult, StepContext } from './executor.ts';

/** The output of an executor without a process. */
export interface StepOutput {
  /** Writes text as it is; add the line break. */
  stdout(text: string): void;
  stderr(text: string): void;
  /** Writes bytes; resolves when there is room for more. Never rejects. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): Promise<void>;
  /**
   * Resolves when all output is in the files, with the error message if some could not be written; it is the attempt's
   * error unless there is another. Never rejects. Must be called once, however the attempt ends.
   */
  close(): Promise<string | undefined>;
}

/**
 * Opens the output for work without a process and closes it at the end. If opening fails, the work rejects, or some
 * output cannot be written, the message is the attempt's error. Never rejects.
 */
export async function withStepOutput(
  context: Pick<StepContext, 'attemptDir' | 'relay'>,
  work: (output: StepOutput) => Promise<ExecutorResult>,
): Promise<ExecutorResult> {
  try {
    const output = await openStepOutput(context);
    const result = await work(output).catch((error: unknown): ExecutorResult => ({
      error: getErrorMessage(error),
    }));
    const lost = await output.close();
    return result.error === undefined && lost !== undefined ? { ...result, error: lost } : result;
  } catch (error) {
    return { error: getErrorMessage(error) };
  }
}

/**
 * Opens the attempt's log files and their copies; output is masked. Rejects with an error that names the file that
 * could not be opened and what to do.
 */
export async function openStepOutput({
  attemptDir,
  relay,
}: Pick<StepContext, 'attemptDir' | 'relay'>): Promise<StepOutput> {
  const files = await OutputFiles.open(attemptDir, relay);
  // The attempt may end before its work, which then writes to closed files.
  let isOpen = true;
  return {
    stdout: (text) => void (isOpen && files.stdout.write(text)),
    stderr: (text) => void (isOpen && files.stderr.write(text)),
    write: (stream, bytes) =>
      new Promise((resolve) => {
        if (!isOpen || bytes.length === 0) resolve();
        else files[stream].write(bytes, () => resolve());
      }),
    close() {
      isOpen = false;
      return files.close();
    },
  };
}

/** Maximum length of the shown output, in UTF-16 code units. */
const maxShown = 1000;
const maxLines = 10;
/** Bytes that are stored; more than are shown, so that a secret at the edge can be masked as a whole. */
const maxStoredBytes = 64 * 1024;

/** The last bytes of a stream. */
export class TailBuffer {
  #tail: Buffer = Buffer.alloc(0);

  push(bytes: Uint8Array): void {
    const joined = Buffer.concat([this.#tail, bytes.subarray(-maxStoredBytes)]);
    this.#tail = Buffer.from(joined.subarray(-maxStoredBytes));
  }

  /**
   * Returns the last lines without an incomplete first line; empty if there are none.
   * @param maskSecrets masks secrets
   */
  text(maskSecrets: (text: string) => string): string {
    const text = maskSecrets(this.#tail.toString('utf8'));
    const shown = text.slice(-maxShown);
    const whole = text.length > maxShown ? shown.slice(shown.indexOf('\n') + 1) : shown;
    return whole.trim().split('\n').slice(-maxLines).join('\n');
  }
}

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
export function formatFailure(
  { exitCode, signal, lost }: Pick<ExitResult, 'exitCode' | 'signal' | 'lost'>,
  attempt: { readonly attemptDir: string; readonly wasStopped: boolean; readonly hasTerminal: boolean },
): string | undefined {
  if (exitCode === 0) return undefined;
  const ending = lost ? lostExitText : formatExit({ exitCode, signal }, attempt.wasStopped);
  const log = attempt.hasTerminal ? attemptFiles.stdout : attemptFiles.stderr;
  const line = findErrorLine(stripVTControlCharacters(readTail(join(attempt.attemptDir, log))));
  return line === '' ? ending : `${ending}: ${line}`;
}

/** Describes how a process ended that did not succeed. */
export function formatExit(
  { exitCode, signal }: { readonly exitCode?: number | undefined; readonly signal?: string | undefined },
  wasStopped: boolean,
): string {
  if (exitCode === undefined) return formatSignal(signal, wasStopped);
  return `exit code ${exitCode}${shellCodes[exitCode] ?? ''}`;
}

function formatSignal(signal: string | undefined, wasStopped: boolean): string {
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
