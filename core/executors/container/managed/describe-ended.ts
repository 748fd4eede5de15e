import type Docker from 'dockerode';
import type { StepContext } from '../../executor.ts';
import { describeExit } from '../../failure-text.ts';
import { TailBuffer } from '../../tail-buffer.ts';
import { copyFrames } from '../engine/copy-frames.ts';
import { isMissing } from '../engine/explain-error.ts';

/**
 * Describes how a container that should be running has ended, with its last log lines. Returns undefined if it is
 * running or its state is unknown.
 */
export async function describeEnded(
  container: Docker.Container,
  { relay }: Pick<StepContext, 'relay'>,
): Promise<Error | undefined> {
  try {
    const { State } = await container.inspect();
    if (State.Running || State.Restarting) return undefined;
    const ending = describeExit({ exitCode: State.ExitCode }, false);
    return new Error(`The container exited with ${ending}${await describeLog(container, relay)}`);
  } catch (error) {
    return isMissing(error) ? new Error('The container was removed by another program.') : undefined;
  }
}

/** Returns the last lines of a container's log, to append to a message. */
export async function describeLog(container: Docker.Container, relay: StepContext['relay']): Promise<string> {
  const tail = new TailBuffer();
  try {
    const bytes = await container.logs({ stdout: true, stderr: true, tail: 10 });
    const sink = { write: (_: string, text: Uint8Array) => Promise.resolve(tail.push(text)) };
    await copyFrames([bytes], sink);
  } catch {
    return '';
  }
  const text = tail.text((shown) => relay?.maskSecrets?.(shown) ?? shown);
  return text === '' ? '' : `; output: ${text}`;
}
