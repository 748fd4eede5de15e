import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { recordEnd } from '../exits/exit-record.ts';
import type { LaunchRequest, OutputRelay, ProcessEnd } from '../launch/launcher.ts';
import type { StartFence } from '../launch/start-tries.ts';
import { OutputFiles } from './output-files.ts';
import { makeOutputPipes, removePipes, type OutputPipe, type PipeMaker } from './pipes.ts';
import { StreamRelay } from './stream-relay.ts';

/** Output on its way through the engine. */
export interface RunningRelay {
  /**
   * To be called when the process has ended. Resolves when everything it wrote is in the files, with what could not
   * be written, in words. Never rejects.
   */
  settle(clock: Clock): Promise<string | undefined>;
  /** No longer keeps the event loop alive. */
  unref(): void;
}

type Source = Readable & { unref(): unknown };

/** Files and pipes for a child whose output passes through the engine. */
export interface RelayedOutput {
  /** Absent where the system has none; then the streams must come from somewhere else. */
  readonly pipes: readonly [OutputPipe, OutputPipe] | undefined;
  /** Begins to take what the child writes, in the turn of its start. */
  begin(streams?: readonly Source[]): RunningRelay;
  /** Closes everything when no child was started. */
  discard(): Promise<void>;
}

/** Rejects with `OutputRefused` when a file cannot be opened, else with what the system says. */
export async function openRelayedOutput(
  attemptDir: string,
  relay: OutputRelay,
  { fence, makePipes }: { readonly fence: StartFence; readonly makePipes: PipeMaker },
): Promise<RelayedOutput> {
  const files = await OutputFiles.open(attemptDir, relay, fence);
  let pipes: Awaited<ReturnType<typeof makeOutputPipes>>;
  try {
    pipes = await makeOutputPipes(attemptDir, makePipes);
  } catch (thrown) {
    await files.close();
    throw thrown;
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

/** Moves what comes out of the sources, stdout first, into the files. */
export function beginRelay(sources: readonly Source[], files: OutputFiles): RunningRelay {
  const targets = [files.stdout, files.stderr];
  const streams = sources.map((source, index) => new StreamRelay(source, targets[index]!));
  return {
    async settle(clock) {
      await Promise.all(streams.map((stream) => stream.settle(clock)));
      return files.close();
    },
    unref() {
      for (const source of sources) source.unref();
    },
  };
}

/**
 * The end of an attempt whose output passed through the engine: nobody can write any more, or nobody of this attempt,
 * and the rest comes in. Its exit record is written then, unless it was only a part of its attempt. Never rejects.
 */
export async function settleRelay(
  end: ProcessEnd,
  running: RunningRelay,
  {
    attemptDir,
    relay,
    isPart,
    clock,
  }: Pick<LaunchRequest, 'attemptDir' | 'relay' | 'isPart'> & {
    readonly clock: Clock;
  },
): Promise<ProcessEnd> {
  const lost = await running.settle(clock);
  const outputError = lost === undefined ? undefined : (relay?.hide?.(lost) ?? lost);
  const complete = outputError === undefined ? end : { ...end, outputError };
  if (isPart !== true) recordEnd(attemptDir, complete);
  return complete;
}
