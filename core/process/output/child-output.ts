import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import { explainOpenError } from '../launch/launch-failure.ts';
import type { LaunchRequest, OutputRelay } from '../launch/launcher.ts';
import type { StartLock } from '../launch/start-tries.ts';
import { OutputOpenError } from './output-refused.ts';
import { makeNamedPipes, openChildEnd } from './pipes.ts';
import { openRelayedOutput, type RunningRelay } from './relayed-output.ts';

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

type Source = Readable & { unref(): unknown };

function closeAll(files: readonly number[]): void {
  for (const file of files) closeSync(file);
}
