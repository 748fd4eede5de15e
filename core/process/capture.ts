import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { checkWorkingDirectory, explainSpawnError } from './launch/launch-failure.ts';
import { tagVariable, type LaunchFailure } from './launch/launcher.ts';

/** A short command whose output is wanted now: a condition, or a command substitution. */
export interface CaptureRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Marks its processes as an attempt's directory does those of a step: who takes over the run finds what is left of them. */
  readonly tag?: string | undefined;
  /** Kills the command when aborted; aborted already, it keeps it from being started. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of stdout kept; more is dropped. */
  readonly maxBytes: number;
}

/** `exitCode` is null when a signal ended the command or it could not be started. */
export interface Captured {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** What went wrong, the end of stderr included; absent on exit code 0. */
  readonly error?: string;
  /** Why it could not be started at all. */
  readonly refused?: LaunchFailure['reason'];
}

/** Bytes of stderr kept while the command runs. */
const keptErrorBytes = 64 * 1024;
/** Characters of it that are told. */
const toldErrorLength = 1024;

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
    } catch (thrown) {
      // Some refusals of the system are thrown, such as arguments that are too big.
      resolve(explainStart(thrown as NodeJS.ErrnoException, request));
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
      // Somebody who left the group may keep them open, and nobody waits for that any more.
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
    child.once('error', (thrown) => {
      stopListening();
      resolve(explainStart(thrown, request));
    });
    child.once('close', (code, signal) => {
      if (code === 0) return finish(0);
      const ending = code === null ? `terminated by ${signal}` : `exit code ${code}`;
      const tail = lastLines(stderr.toString('utf8'), errorSize > stderr.length);
      finish(code, [ending, tail].filter((part) => part !== '').join(': '));
    });
  });
}

/** The result of a command that the system did not start. */
function explainStart(error: NodeJS.ErrnoException, request: CaptureRequest): Captured {
  // The system says of both a missing program and a missing folder that something is missing.
  const folder = error.code === 'ENOENT' ? checkWorkingDirectory(request.cwd) : undefined;
  const { reason, message } = folder ?? explainSpawnError(error, request);
  return { exitCode: null, stdout: '', error: message, refused: reason };
}

/**
 * The last lines as far as they are to be told. Whole ones, so that no end of a secret is left that nobody knows for
 * one; a last line that is too long alone shows its beginning.
 */
function lastLines(text: string, isCut: boolean): string {
  const lines = text.split('\n');
  if (isCut) lines.shift();
  const whole = lines.join('\n').trim();
  if (whole.length <= toldErrorLength) return whole;
  const told = whole.slice(whole.indexOf('\n', whole.length - toldErrorLength - 1) + 1);
  if (told.length <= toldErrorLength) return told.trim();
  return `${whole.slice(whole.lastIndexOf('\n') + 1).slice(0, toldErrorLength)}…`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}
