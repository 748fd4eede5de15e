import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';

/** Bytes of a program's complaint that are kept. */
const keptErrorBytes = 2048;

/** A program that did not do its work. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  /** It is not there at all. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean) {
    super(message);
    this.isMissing = isMissing;
  }
}

type Done = (error?: Error | null) => void;

/**
 * A program of the machine as a stage of a pipeline: it reads what is written here, and what it writes is read here.
 * Fails with `FilterError` when the program is missing or ends with anything but exit code 0, with what it said.
 * Destroyed, it ends the program; when the engine dies, the program finds the end of its input.
 */
export class FilterProgram extends Duplex {
  readonly #program: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #complaint = '';
  #isOver = false;
  /** Called when the program has ended; by then nobody else may wait for it. */
  #onEnd: (() => void) | undefined;

  /** @param argv looked for in the engine's own `PATH`, which is all it gets to see of the environment */
  constructor([program, ...args]: readonly [string, ...string[]]) {
    super();
    this.#program = program;
    const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
    // A group of its own: a Ctrl-C is for the engine, which ends it in order.
    const options = { env, detached: true, windowsHide: true } as const;
    this.#child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdin, stdout, stderr } = this.#child;
    // What it does not take any more is told by how it ends.
    stdin.on('error', () => {});
    stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stdout.pause();
    });
    stderr.on('data', (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString('utf8')).slice(0, keptErrorBytes);
    });
    this.#child.once('error', (thrown: NodeJS.ErrnoException) => this.#end(this.#explain(thrown)));
    this.#child.once('close', (code, signal) => {
      const ending = code === null ? `was terminated by ${signal}` : `ended with exit code ${code}`;
      const said = this.#complaint.trim();
      this.#end(code === 0 ? undefined : new FilterError(said === '' ? `${program} ${ending}` : said, false));
    });
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    if (this.#isOver) return done();
    this.#child.stdin.write(chunk, (thrown) => {
      // How the program ended tells why it did not take it.
      if (thrown && !this.#isOver) this.#onEnd = done;
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
    if (this.#isOver) return done(error);
    this.#onEnd = () => done(error);
    this.#child.kill('SIGKILL');
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #explain(thrown: NodeJS.ErrnoException): FilterError {
    const isMissing = thrown.code === 'ENOENT';
    const why = isMissing ? 'was not found in PATH' : `could not be started: ${thrown.message}`;
    return new FilterError(`the program "${this.#program}" ${why}`, isMissing);
  }

  #end(error: FilterError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error !== undefined && !this.destroyed) this.destroy(error);
    else if (error === undefined) this.push(null);
    this.#onEnd?.();
  }
}
