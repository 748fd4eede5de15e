import type { Readable } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { Clock } from '../../base/clock.ts';
import type { StepOutput } from '../step-output.ts';
import type { RemoteProgram } from './remote-program.ts';

/** Result of a command on another host. */
export interface RemoteExit {
  readonly exitCode?: number;
  /** With `SIG`. */
  readonly signal?: string;
  /** Whether the command started. */
  readonly started: boolean;
}

/** Maximum number of bytes that are held back while waiting for the marker. */
const maxLoginOutput = 64 * 1024;

/**
 * Milliseconds without output after which background processes that the command left in another session are not waited
 * for.
 */
const lingerMs = 5000;

/** A command on another host, from the first byte sent until the channel is closed. */
export class RemoteCommand {
  /** Neither exit code nor signal means that the connection was lost. Never rejects. */
  readonly ended: Promise<RemoteExit>;
  readonly #channel: ClientChannel;
  readonly #output: Pick<StepOutput, 'write'>;
  readonly #marker: string;
  #loginOutput: Buffer | undefined = Buffer.alloc(0);
  readonly #waiting: string[] = [];
  #end: Omit<RemoteExit, 'started'> | undefined;
  readonly #clock: Clock;
  #cancelClose: () => void = () => {};

  constructor(
    channel: ClientChannel,
    { program, marker }: RemoteProgram,
    output: Pick<StepOutput, 'write'>,
    clock: Clock,
  ) {
    this.#marker = marker;
    this.#clock = clock;
    this.#channel = channel;
    this.#output = output;
    // Data written to a closing channel is lost; the result of the command shows this.
    channel.on('error', () => {});
    channel.on('exit', (code: number | null, signal?: string) => {
      this.#end = code === null ? { signal: signal ?? 'unknown' } : { exitCode: code };
      // The end of the input notifies the watcher that the work has ended.
      channel.end();
      this.#scheduleClose();
    });
    const closed = new Promise<void>((resolve) => void channel.once('close', () => resolve()));
    const forwarded = [
      forward(channel, (bytes) => this.#onStdout(bytes)),
      forward(channel.stderr, (bytes) => this.#take('stderr', bytes)),
    ];
    this.ended = Promise.all([closed, ...forwarded]).then(() => this.#finish());
    channel.write(program);
  }

  /** Sends a signal (without `SIG`) to the command's process group once it exists. */
  signal(name: string): void {
    if (this.#loginOutput === undefined) this.#channel.write(`${name}\n`);
    else this.#waiting.push(name);
  }

  /** Closes the channel; the watcher on the host ends the remaining processes. */
  close(): void {
    this.#channel.end();
    this.#channel.close();
    this.#channel.resume();
    this.#channel.stderr.resume();
  }

  /** Sends the output before the marker to stderr, because it comes from the login and not from the command. */
  async #onStdout(bytes: Buffer): Promise<void> {
    if (this.#loginOutput === undefined) return this.#take('stdout', bytes);
    const seen = Buffer.concat([this.#loginOutput, bytes]);
    const line = Buffer.from(`${this.#marker}\n`);
    const at = seen.indexOf(line);
    if (at < 0) {
      const retainedLength = Math.min(seen.length, maxLoginOutput);
      this.#loginOutput = seen.subarray(seen.length - retainedLength);
      return this.#output.write('stderr', seen.subarray(0, seen.length - retainedLength));
    }
    this.#loginOutput = undefined;
    for (const name of this.#waiting) this.signal(name);
    await this.#output.write('stderr', seen.subarray(0, at));
    await this.#output.write('stdout', seen.subarray(at + line.length));
  }

  async #take(stream: 'stdout' | 'stderr', bytes: Buffer): Promise<void> {
    await this.#output.write(stream, bytes);
    this.#scheduleClose();
  }

  /** Closes the channel after a time without output, if the command has ended. */
  #scheduleClose(): void {
    if (this.#end === undefined) return;
    this.#cancelClose();
    this.#cancelClose = this.#clock.after(lingerMs, () => this.close());
  }

  async #finish(): Promise<RemoteExit> {
    this.#cancelClose();
    if (this.#loginOutput === undefined) return { ...this.#end, started: true };
    await this.#output.write('stderr', this.#loginOutput);
    return { ...this.#end, started: false };
  }
}

/** Passes on all data with backpressure. Resolves at the end of the stream. */
function forward(source: Readable, take: (bytes: Buffer) => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    let last: Promise<void> = Promise.resolve();
    source.on('data', (bytes: Buffer) => {
      source.pause();
      last = take(bytes).finally(() => source.resume());
    });
    source.once('end', () => resolve(last));
  });
}
