import type { Readable, Writable } from 'node:stream';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { attemptFiles } from '../model/run.ts';
import { recordEnd } from './exits.ts';
import type { LaunchRequest, OutputRelay, ExitResult } from './launcher.ts';
import type { StartLock } from './spawn.ts';
import {
  OutputFiles,
  makeOutputPipes,
  removePipes,
  type OutputPipe,
  type PipeMaker,
  makeNamedPipes,
  openChildEnd,
} from './output-files.ts';
import { explainOpenError, OutputOpenError } from './launch-failure.ts';

/** Output that the engine relays. */
export interface RunningRelay {
  /**
   * Call this when the process has ended. Resolves when its output is in the files, with a message about output that
   * could not be written. Never rejects.
   */
  drain(clock: Clock): Promise<string | undefined>;
  /** Stops keeping the event loop alive. */
  unref(): void;
}

type Source = Readable & { unref(): unknown };

/** Files and pipes for a child whose output the engine relays. */
export interface RelayedOutput {
  /** Absent where the system has none; then other streams must be used. */
  readonly pipes: readonly [OutputPipe, OutputPipe] | undefined;
  /** Starts to relay the child's output, in the tick of its start. */
  begin(streams?: readonly Source[]): RunningRelay;
  /** Closes everything when no child was started. */
  discard(): Promise<void>;
}

/**
 * Opens the files and pipes. Rejects with `OutputRefused` when a file cannot be opened, otherwise with the system
 * error.
 */
export async function openRelayedOutput(
  attemptDir: string,
  relay: OutputRelay,
  { fence, makePipes }: { readonly fence: StartLock; readonly makePipes: PipeMaker },
): Promise<RelayedOutput> {
  const files = await OutputFiles.open(attemptDir, relay, fence);
  let pipes: Awaited<ReturnType<typeof makeOutputPipes>>;
  try {
    pipes = await makeOutputPipes(attemptDir, makePipes);
  } catch (error) {
    await files.close();
    throw error;
  }
  const sources = pipes?.map(({ source }) => source) ?? [];
  return {
    pipes,
    begin: (streams = sources) => beginRelay(streams, files),
    async discard() {
      for (const source of sources) source.destroy();
      removePipes(pipes?.map(({ path }) => path) ?? []);
      await files.close();
    },
  };
}

/** Copies the output of the sources, stdout first, to the files. */
export function beginRelay(sources: readonly Source[], files: OutputFiles): RunningRelay {
  const targets = [files.stdout, files.stderr];
  const streams = sources.map((source, index) => new StreamRelay(source, targets[index]!));
  return {
    async drain(clock) {
      await Promise.all(streams.map((stream) => stream.drain(clock)));
      return files.close();
    },
    unref() {
      for (const source of sources) source.unref();
    },
  };
}

/**
 * Completes an attempt whose output the engine relays: reads the rest of the pipes, then writes the exit record, unless
 * the process was only a part of its attempt. Never rejects.
 */
export async function drainRelay(
  result: ExitResult,
  running: RunningRelay,
  {
    attemptDir,
    relay,
    isPart,
    clock,
  }: Pick<LaunchRequest, 'attemptDir' | 'relay' | 'isPart'> & {
    readonly clock: Clock;
  },
): Promise<ExitResult> {
  const lost = await running.drain(clock);
  const outputError = lost === undefined ? undefined : (relay?.maskSecrets?.(lost) ?? lost);
  const complete = outputError === undefined ? result : { ...result, outputError };
  if (isPart !== true) recordEnd(attemptDir, complete);
  return complete;
}

/** How long processes that outlive their step may keep writing to the step's log, in milliseconds. */
const lingerMs = 500;

/** No pipe has a larger buffer: the output of a process until its end is within this many bytes. */
const maxInPipe = 1024 * 1024;

/** Copies a pipe to a stream, as fast as the stream accepts data, and ends the stream with the pipe. */
export class StreamRelay {
  readonly #source: Readable;
  readonly #target: Writable;
  readonly #ended: Promise<void>;
  #isEnded = false;
  #isFull = false;
  /** Bytes copied so far. */
  #forwarded = 0;

  constructor(source: Readable, target: Writable) {
    this.#source = source;
    this.#target = target;
    this.#ended = new Promise((resolve) => {
      source.once('close', () => {
        this.#isEnded = true;
        target.end();
        resolve();
      });
    });
    // The pipe closes then, which also ends it.
    source.on('error', () => {});
    source.on('data', (chunk: Buffer) => this.#forward(chunk));
  }

  /**
   * Resolves when the pipe has ended. Call it when the process has ended: a child that left its session may keep the
   * pipe open, and is cut off after a moment, but not before all output of the process itself was copied.
   */
  async drain(clock: Clock): Promise<void> {
    const maxForwarded = this.#forwarded + maxInPipe;
    const dispose = clock.after(lingerMs, () => this.#closeWhenDrained(clock, maxForwarded));
    await this.#ended;
    dispose();
  }

  #forward(chunk: Buffer): void {
    this.#forwarded += chunk.length;
    if (this.#target.write(chunk)) return;
    this.#source.pause();
    if (this.#isFull) return;
    this.#isFull = true;
    this.#target.once('drain', () => {
      this.#isFull = false;
      this.#source.resume();
    });
  }

  /**
   * Cuts the pipe off when it is empty. Two event-loop ticks without data prove that: the second one has certainly
   * polled it.
   */
  #closeWhenDrained(clock: Clock, maxForwarded: number): void {
    if (this.#isEnded) return;
    if (this.#isFull) {
      this.#target.once('drain', () => this.#closeWhenDrained(clock, maxForwarded));
      return;
    }
    const before = this.#forwarded;
    clock.soon(() =>
      clock.soon(() => {
        const isRead = this.#forwarded >= maxForwarded || (this.#forwarded === before && !this.#isFull);
        if (isRead) this.#source.destroy();
        else this.#closeWhenDrained(clock, maxForwarded);
      }),
    );
  }
}

/** Where the output of a child that is about to be started will be written. */
export interface ChildOutput {
  /** stdout and stderr for `spawn`. */
  readonly stdio: readonly [number, number] | readonly ['pipe', 'pipe'];
  /** Starts to relay the child's output, in the tick of its start; undefined when the engine is not involved. */
  attach(child: ChildProcess): RunningRelay | undefined;
  /** Closes the descriptors that only the child needs, whether it was started or not. */
  closeChildEnds(): void;
  /** Closes the rest when no child was started. */
  discard(): Promise<void>;
}

/**
 * Opens the output of a child. Rejects with `OutputOpenError` when a file cannot be opened, otherwise with the system
 * error.
 */
export async function openChildOutput(
  { attemptDir, relay }: Pick<LaunchRequest, 'attemptDir' | 'relay'>,
  fence: StartLock,
): Promise<ChildOutput> {
  if (relay) return openRelayed(attemptDir, relay, fence);
  const files = openOutputFiles(attemptDir, fence);
  return {
    stdio: files,
    attach: () => undefined,
    closeChildEnds: () => closeAll(files),
    discard: () => Promise.resolve(),
  };
}

/** Opens the attempt's log files for a child that writes to them itself. Throws `OutputOpenError`. */
export function openOutputFiles(attemptDir: string, fence: StartLock): readonly [number, number] {
  const open = (name: string, isNew: boolean): number =>
    // Append mode, so that writes of children that reopen /dev/stdout do not overlap with ours.
    openSync(join(attemptDir, name), isNew ? 'ax' : 'a', 0o600);
  const files: number[] = [];
  try {
    const stdout = open(attemptFiles.stdout, !fence.isPassed);
    files.push(stdout);
    fence.isPassed = true;
    return [stdout, open(attemptFiles.stderr, false)];
  } catch (error) {
    closeAll(files);
    throw new OutputOpenError(explainOpenError(error as NodeJS.ErrnoException, attemptDir), error);
  }
}

async function openRelayed(attemptDir: string, relay: OutputRelay, fence: StartLock): Promise<ChildOutput> {
  const output = await openRelayedOutput(attemptDir, relay, { fence, makePipes: makeNamedPipes });
  const { pipes } = output;
  const ends: number[] = [];
  try {
    for (const { path } of pipes ?? []) ends.push(openChildEnd(path));
  } catch (error) {
    closeAll(ends);
    await output.discard();
    throw error;
  }
  const [stdout, stderr] = ends;
  return {
    stdio: stdout === undefined || stderr === undefined ? ['pipe', 'pipe'] : [stdout, stderr],
    attach: (child) => output.begin(pipes ? undefined : [child.stdout as Source, child.stderr as Source]),
    closeChildEnds: () => closeAll(ends),
    discard: () => output.discard(),
  };
}

function closeAll(files: readonly number[]): void {
  for (const file of files) closeSync(file);
}
