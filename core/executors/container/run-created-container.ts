import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { parseSignal } from '../../process/kill.ts';
import type { ExecutorResult, StepContext, StepTask } from '../executor.ts';
import { formatExit, TailBuffer } from '../step-output.ts';
import { copyFrames } from './copy-frames.ts';
import { engineFailure, isMissing } from './explain-error.ts';

/** Dependencies of running a container. */
export type ContainerRunContext = Pick<StepContext, 'step' | 'relay'> & { readonly task: StepTask };

/**
 * Starts a created container and waits for its end. Output is written to the log. A stop sends the step's signal (else
 * the stop signal of the image, else SIGTERM); when the container must end at once, SIGKILL is sent.
 */
export async function runCreatedContainer(
  container: Docker.Container,
  hasTerminal: boolean,
  { step, relay, task }: ContainerRunContext,
): Promise<ExecutorResult> {
  if (task.signal.aborted) return { error: 'stopped before the container started' };
  const tail = new TailBuffer();
  let stream: NodeJS.ReadStream | undefined;
  try {
    stream = (await container.attach(attachOptions)) as NodeJS.ReadStream;
    await container.start();
  } catch (error) {
    stream?.destroy();
    throw engineFailure('Cannot start the container', error);
  }
  const dispose = stopOnAbort(task, (signal) => sendSignal(container, signal, step.signalOnStop));
  try {
    await copyFrames(stream, captureStderrTail(task.output, tail), hasTerminal);
    const { StatusCode: exitCode } = (await container.wait()) as { StatusCode: number };
    if (exitCode === 0) return { exitCode };
    const stderrTail = tail.text((text) => relay?.maskSecrets?.(text) ?? text);
    const ending = (await ranOutOfMemory(container))
      ? `exit code ${exitCode} (the container ran out of memory)`
      : formatExit({ exitCode }, task.signal.aborted);
    return { exitCode, error: stderrTail === '' ? ending : `${ending}: ${stderrTail}` };
  } catch (error) {
    throw engineFailure('Lost the connection to the container engine while the container was running', error);
  } finally {
    dispose();
    stream.destroy();
  }
}

/**
 * With a body, the library would write its options to the program's stdin, where a terminal displays them. The types lack
 * both fields.
 */
const attachOptions = { _query: { stream: true, stdout: true, stderr: true }, _body: {} } as object;

/** Copies the end of stderr for the attempt's error message. */
export function captureStderrTail(
  output: StepTask['output'],
  tail: TailBuffer,
): Pick<StepTask['output'], 'write'> {
  return {
    write(name, bytes) {
      if (name === 'stderr') tail.push(bytes);
      return output.write(name, bytes);
    },
  };
}

/**
 * Calls `send` with `stop` when the attempt must end and with `kill` when it must end at once.
 * @returns removes the listeners
 */
export function stopOnAbort(
  { signal, killing }: Pick<StepTask, 'signal' | 'killing'>,
  send: (what: 'stop' | 'kill') => Promise<void>,
): () => void {
  const watch = (when: AbortSignal, what: 'stop' | 'kill'): (() => void) => {
    // If a signal fails, the result of the attempt reports it.
    const act = (): void => void send(what).catch(() => {});
    if (when.aborted) act();
    else when.addEventListener('abort', act, { once: true });
    return () => when.removeEventListener('abort', act);
  };
  const disposes = [watch(signal, 'stop'), watch(killing, 'kill')];
  return () => disposes.forEach((dispose) => dispose());
}

async function sendSignal(
  container: Docker.Container,
  what: 'stop' | 'kill',
  named: string | undefined,
): Promise<void> {
  if (what === 'kill') return container.kill({ signal: 'SIGKILL' }) as Promise<void>;
  const { StopSignal = '' } = (await container.inspect()).Config as { StopSignal?: string };
  const signal = named === undefined ? StopSignal || 'SIGTERM' : (parseSignal(named) ?? 'SIGTERM');
  await container.kill({ signal });
}

async function ranOutOfMemory(container: Docker.Container): Promise<boolean> {
  try {
    return (await container.inspect()).State.OOMKilled;
  } catch {
    return false;
  }
}

/**
 * Describes how a container that should be running has ended, with its last log lines. Returns undefined if it is
 * running or its state is unknown.
 */
export async function readExitError(
  container: Docker.Container,
  { relay }: Pick<StepContext, 'relay'>,
): Promise<Error | undefined> {
  try {
    const { State } = await container.inspect();
    if (State.Running || State.Restarting) return undefined;
    const ending = formatExit({ exitCode: State.ExitCode }, false);
    return new Error(`The container exited with ${ending}${await readLogTail(container, relay)}`);
  } catch (error) {
    return isMissing(error) ? new Error('The container was removed by another program.') : undefined;
  }
}

/** Returns the last lines of a container's log, to append to a message. */
export async function readLogTail(container: Docker.Container, relay: StepContext['relay']): Promise<string> {
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

/** A script and its path in the container. */
export interface ContainerScript {
  readonly text: string;
  /** Absolute path in the container. */
  readonly path: string;
}

/** Plans a script in the root folder, which exists in every image and is never a mount point. */
export const planScript = (text: string): ContainerScript => ({ text, path: `/.step-${randomUUID()}` });

/** Writes a script into a container, readable by all users. */
export async function copyScript(
  container: Docker.Container,
  { text, path }: ContainerScript,
): Promise<void> {
  const archive = pack();
  archive.entry({ name: path.slice(1), mode: 0o755 }, text);
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive) pieces.push(piece as Buffer);
  try {
    await container.putArchive(Buffer.concat(pieces), { path: '/' });
  } catch (error) {
    throw engineFailure('Cannot write the script into the container', error);
  }
}
