import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { attemptFiles } from '../../model/attempt-files.ts';
import { explainOpenError } from '../launch-failure.ts';
import type { LaunchRequest, OutputRelay } from '../launcher.ts';
import { OutputFiles, OutputRefused } from './output-files.ts';
import { makeOutputPipes } from './pipes.ts';
import { StreamRelay } from './stream-relay.ts';

/** Where the output of a child that is about to be started will go. */
export interface ChildOutput {
  /** stdout and stderr for `spawn`. */
  readonly stdio: readonly [number, number] | readonly ['pipe', 'pipe'];
  /** Begins to take what the child writes, in the turn of its start; undefined when the engine has no part in it. */
  attach(child: ChildProcess): RunningRelay | undefined;
  /** Closes what only the child needs, whether it was started or not. */
  closeChildEnds(): void;
  /** Closes the rest when no child was started. */
  discard(): Promise<void>;
}

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

/** Rejects with `OutputRefused` when a file cannot be opened, else with what the system says. */
export const openChildOutput = ({ attemptDir, relay }: LaunchRequest): Promise<ChildOutput> =>
  relay ? openRelayed(attemptDir, relay) : Promise.resolve(openDirect(attemptDir));

function openDirect(attemptDir: string): ChildOutput {
  const files: number[] = [];
  const closeChildEnds = (): void => {
    for (const file of files) closeSync(file);
  };
  // Appending, so that what children write through /dev/stdout opened anew and through ours do not overlap.
  const open = (name: string): number => {
    const file = openSync(join(attemptDir, name), 'a', 0o600);
    files.push(file);
    return file;
  };
  try {
    const stdio = [open(attemptFiles.stdout), open(attemptFiles.stderr)] as const;
    return { stdio, attach: () => undefined, closeChildEnds, discard: () => Promise.resolve() };
  } catch (thrown) {
    closeChildEnds();
    throw new OutputRefused(explainOpenError(thrown as NodeJS.ErrnoException, attemptDir), thrown);
  }
}

type Source = Readable & { unref(): unknown };

async function openRelayed(attemptDir: string, relay: OutputRelay): Promise<ChildOutput> {
  const files = await OutputFiles.open(attemptDir, relay);
  let pipes: Awaited<ReturnType<typeof makeOutputPipes>>;
  try {
    pipes = await makeOutputPipes(attemptDir);
  } catch (thrown) {
    await files.close();
    throw thrown;
  }
  return {
    stdio: pipes ? [pipes[0].childEnd, pipes[1].childEnd] : ['pipe', 'pipe'],
    attach: (child) => {
      const sources = pipes?.map(({ source }) => source) ?? [child.stdout as Source, child.stderr as Source];
      return beginRelay(sources, files);
    },
    closeChildEnds: () => {
      for (const { childEnd } of pipes ?? []) closeSync(childEnd);
    },
    discard: async () => {
      for (const { source } of pipes ?? []) source.destroy();
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
