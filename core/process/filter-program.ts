import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';

/** Bytes of a program's stderr to buffer. */
const keptErrorBytes = 2048;

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

  /** @param argv searched in the engine's own `PATH`, which is the only variable the program receives */
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
      this.#errorOutput = (this.#errorOutput + chunk.toString('utf8')).slice(0, keptErrorBytes);
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
