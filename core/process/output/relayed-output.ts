import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { recordEnd } from '../exits/exit-record.ts';
import type { LaunchRequest, OutputRelay, ExitResult } from '../launch/launcher.ts';
import type { StartLock } from '../launch/start-tries.ts';
import { OutputFiles } from './output-files.ts';
import { makeOutputPipes, removePipes, type OutputPipe, type PipeMaker } from './pipes.ts';
import { StreamRelay } from './stream-relay.ts';

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
