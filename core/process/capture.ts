import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { checkWorkingDirectory, explainSpawnError } from './launch/launch-failure.ts';
import { tagVariable, type LaunchFailure } from './launch/launcher.ts';

/** A short command whose output is needed now: a condition, or a command substitution. */
export interface CaptureRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /**
   * Tags its processes, as an attempt's directory tags those of a step: the host that takes over the run finds leftover
   * ones.
   */
  readonly tag?: string | undefined;
  /** Kills the command when aborted; if it is already aborted, the command is not started. */
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of stdout to capture; the rest is dropped. */
  readonly maxBytes: number;
}

/** `exitCode` is null when a signal ended the command or it could not be started. */
export interface Captured {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** The error, including the end of stderr; absent on exit code 0. */
  readonly error?: string;
  /** Why it could not be started. */
  readonly refused?: LaunchFailure['reason'];
}

/** Bytes of stderr that are buffered while the command runs. */
const keptErrorBytes = 64 * 1024;
/** Characters of stderr in the error. */
const maxErrorLength = 1024;

/** Runs a command in a process group of its own and collects its stdout. Never rejects. */
export function captureCommand(request: CaptureRequest): Promise<Captured> {
  if (request.signal?.aborted === true)
    return Promise.resolve({ exitCode: null, stdout: '', error: 'stopped before the command started' });
  return new Promise((resolve) => {
    const [program = '', ...args] = request.argv;
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      child = spawn(program, args, {
        cwd: request.cwd,
        env: request.tag === undefined ? { ...request.env } : { ...request.env, [tagVariable]: request.tag },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      // Some system errors are thrown, such as arguments that are too big.
      resolve(explainStart(error as NodeJS.ErrnoException, request));
      return;
    }
    const stdout: Buffer[] = [];
    let size = 0;
    let stderr = Buffer.alloc(0);
    let errorSize = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      if (size < request.maxBytes) stdout.push(chunk.subarray(0, request.maxBytes - size));
      size += chunk.length;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errorSize += chunk.length;
      stderr = Buffer.concat([stderr, chunk]).subarray(-keptErrorBytes);
    });
    const kill = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
      // A process that left the group may keep the pipes open; its output is no longer awaited.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    request.signal?.addEventListener('abort', kill, { once: true });
    const stopListening = (): void => request.signal?.removeEventListener('abort', kill);
    const finish = (exitCode: number | null, error?: string): void => {
      stopListening();
      // Not `end`: a character that was cut at the limit is left out.
      const text = new StringDecoder('utf8').write(Buffer.concat(stdout));
      resolve(error === undefined ? { exitCode, stdout: text } : { exitCode, stdout: text, error });
    };
    child.once('error', (error) => {
      stopListening();
      resolve(explainStart(error, request));
    });
    child.once('close', (code, signal) => {
      if (code === 0) return finish(0);
      const cause = code === null ? `terminated by ${signal}` : `exit code ${code}`;
      const tail = lastLines(stderr.toString('utf8'), errorSize > stderr.length);
      finish(code, [cause, tail].filter((part) => part !== '').join(': '));
    });
  });
}

/** Returns the result of a command that could not be started. */
function explainStart(error: NodeJS.ErrnoException, request: CaptureRequest): Captured {
  // The system reports a missing program and a missing directory with the same code.
  const folder = error.code === 'ENOENT' ? checkWorkingDirectory(request.cwd) : undefined;
  const { reason, message } = folder ?? explainSpawnError(error, request);
  return { exitCode: null, stdout: '', error: message, refused: reason };
}

/**
 * Returns the last lines within the limit. Only whole lines, so that no part of a secret remains that masking would not
 * recognize; if the last line alone is too long, its start is returned.
 */
function lastLines(text: string, isCut: boolean): string {
  const lines = text.split('\n');
  if (isCut) lines.shift();
  const fullText = lines.join('\n').trim();
  if (fullText.length <= maxErrorLength) return fullText;
  const excerpt = fullText.slice(fullText.indexOf('\n', fullText.length - maxErrorLength - 1) + 1);
  if (excerpt.length <= maxErrorLength) return excerpt.trim();
  return `${fullText.slice(fullText.lastIndexOf('\n') + 1).slice(0, maxErrorLength)}…`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}
