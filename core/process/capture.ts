import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { type Readable, Duplex, type Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { checkWorkingDirectory, explainSpawnError } from './launch-failure.ts';
import { tagVariable, type LaunchFailure } from './launcher.ts';

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
const maxErrorBytes = 64 * 1024;
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
      stderr = Buffer.concat([stderr, chunk]).subarray(-maxErrorBytes);
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

/** Bytes of a program's stderr to buffer. */
const maxFilterErrorBytes = 2048;

/** A program that has failed. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  /** Whether the program does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean) {
    super(message);
    this.isMissing = isMissing;
  }
}

type Done = (error?: Error | null) => void;

/**
 * A program as a stage of a pipeline: data written here is its input, and its output is read here. Fails with
 * `FilterError`, including its stderr, when the program is missing or ends with another exit code than 0. Destroying
 * the stream ends the program; when the engine dies, the program reads the end of its input.
 */
export class FilterProgram extends Duplex {
  readonly #program: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #errorOutput = '';
  #isDone = false;
  /** Called when the program has ended; by then no other callback may be waiting. */
  #onEnd: (() => void) | undefined;

  /** @param command searched in the engine's own `PATH`, which is the only variable the program receives */
  constructor([program, ...args]: readonly [string, ...string[]]) {
    super();
    this.#program = program;
    const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
    // A group of its own: Ctrl-C is for the engine, which ends the program in order.
    const options = { env, detached: true, windowsHide: true } as const;
    this.#child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdin, stdout, stderr } = this.#child;
    // Errors of the input appear in how the program ends.
    stdin.on('error', () => {});
    stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stdout.pause();
    });
    stderr.on('data', (chunk: Buffer) => {
      this.#errorOutput = (this.#errorOutput + chunk.toString('utf8')).slice(0, maxFilterErrorBytes);
    });
    this.#child.once('error', (error: NodeJS.ErrnoException) => this.#end(this.#explain(error)));
    this.#child.once('close', (code, signal) => {
      const cause = code === null ? `was terminated by ${signal}` : `ended with exit code ${code}`;
      const detail = this.#errorOutput.trim();
      this.#end(
        code === 0 ? undefined : new FilterError(detail === '' ? `${program} ${cause}` : detail, false),
      );
    });
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    if (this.#isDone) return done();
    this.#child.stdin.write(chunk, (error) => {
      // The end of the program explains why it did not accept the input.
      if (error && !this.#isDone) this.#onEnd = done;
      else done();
    });
  }

  override _final(done: Done): void {
    this.#child.stdin.end();
    done();
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#isDone) return done(error);
    this.#onEnd = () => done(error);
    this.#child.kill('SIGKILL');
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #explain(error: NodeJS.ErrnoException): FilterError {
    const isMissing = error.code === 'ENOENT';
    const reason = isMissing ? 'was not found in PATH' : `could not be started: ${error.message}`;
    return new FilterError(`the program "${this.#program}" ${reason}`, isMissing);
  }

  #end(error: FilterError | undefined): void {
    if (this.#isDone) return;
    this.#isDone = true;
    if (error !== undefined && !this.destroyed) this.destroy(error);
    else if (error === undefined) this.push(null);
    this.#onEnd?.();
  }
}
