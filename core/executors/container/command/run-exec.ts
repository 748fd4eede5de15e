import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import type { ExecCreateOptions } from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { ExecutorEnd, StepContext, StepTask } from '../../executor.ts';
import { describeEnding } from '../../failure-text.ts';
import { stopSignalOf } from '../../stop-signal.ts';
import { TextTail } from '../../text-tail.ts';
import { copyFrames } from '../engine/copy-frames.ts';
import { engineFailure } from '../engine/explain-error.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';
import { toAssignments } from '../own/create-options.ts';
import { describeEnded } from '../own/describe-ended.ts';
import { placeScript } from '../own/place-script.ts';
import { endWith, withTail } from '../own/run-created.ts';
import type { ContainerCommand } from './plan-command.ts';
import { signalExec, type FoundExec } from './signal-exec.ts';

/** Environment variable that identifies the processes of a command in a container. */
const tagName = 'ENGINE_EXEC_ID';
/** Milliseconds between two checks of a running command. */
const lookMs = 1000;
/** Milliseconds between two requests for the exit code. */
const exitCodeMs = 10;

/** A command for a running container. */
export interface ExecRequest extends ContainerCommand {
  readonly argv: readonly string[];
  /** Default: the user of the container. */
  readonly user?: string | undefined;
  readonly workingDir?: string | undefined;
  /** Further options in the format of the Docker Engine API. */
  readonly raw?: ExecCreateOptions | undefined;
}

/** Dependencies of a command. */
export interface ExecSurroundings {
  readonly engine: ContainerEngine;
  readonly container: Docker.Container;
  readonly context: Pick<StepContext, 'clock' | 'relay' | 'step'>;
  readonly task: StepTask;
}

/**
 * Runs a command in a running container, without an extra shell. A stop sends the step's signal to its processes, and
 * SIGKILL when it must end at once. Rejects with the error of the container engine.
 */
export async function runExec(request: ExecRequest, around: ExecSurroundings): Promise<ExecutorEnd> {
  const { container, task } = around;
  if (task.signal.aborted) return { error: 'stopped before the command started' };
  if (request.script !== undefined) await placeScript(container, request.script);
  try {
    return await runPlaced(request, around);
  } finally {
    if (request.script !== undefined) await removeFile(container, request.script.path);
  }
}

async function runPlaced(
  { argv, env, user, workingDir, raw = {} }: ExecRequest,
  { engine, container, context, task }: ExecSurroundings,
): Promise<ExecutorEnd> {
  const tag = `${tagName}=${randomUUID()}`;
  const options: ExecCreateOptions = {
    ...raw,
    AttachStdout: true,
    AttachStderr: true,
    Cmd: [...argv],
    Env: [...(raw.Env ?? []), ...toAssignments(env), tag],
    ...(user === undefined ? {} : { User: user }),
    ...(workingDir === undefined ? {} : { WorkingDir: workingDir }),
  };
  let exec: Docker.Exec;
  let stream: Awaited<ReturnType<Docker.Exec['start']>>;
  try {
    exec = await container.exec(options);
    stream = await exec.start({ Tty: options.Tty === true });
  } catch (thrown) {
    throw (
      (await describeEnded(container, context)) ??
      engineFailure('Cannot start the command in the container', thrown)
    );
  }
  const found: FoundExec = { engine, container, exec, tag, user: options.User };
  const tail = new TextTail();
  const watch = new ExecWatch(found, stream, context.clock);
  const dispose = endWith(task, (what) => watch.end(what === 'kill' ? 'KILL' : stopSignalOf(context)));
  try {
    await copyFrames(stream, withTail(task.output, tail), options.Tty === true).catch((thrown: unknown) => {
      if (!watch.hasGivenUp) throw thrown;
    });
    if (watch.complaint !== undefined) return { error: watch.complaint };
    return toEnd(await readExitCode(exec, context.clock), tail, { context, task });
  } catch (thrown) {
    throw (
      (await describeEnded(container, context)) ??
      engineFailure('Cannot get the exit code of the command from the container engine', thrown)
    );
  } finally {
    dispose();
    watch.dispose();
    stream.destroy();
  }
}

/** Ends a running command. Does not wait for output of background processes that the command left behind. */
class ExecWatch {
  /** Reason why the command could not be ended. */
  complaint: string | undefined;
  hasGivenUp = false;
  readonly #found: FoundExec;
  readonly #stream: { destroy(): unknown };
  readonly #disposeTimer: () => void;

  constructor(found: FoundExec, stream: { destroy(): unknown }, clock: Clock) {
    this.#found = found;
    this.#stream = stream;
    let wasRunning = true;
    this.#disposeTimer = clock.every(lookMs, () => {
      found.exec.inspect().then(
        ({ Running }) => {
          if (!wasRunning && !Running) this.#giveUp();
          wasRunning = Running;
        },
        () => this.#giveUp(),
      );
    });
  }

  async end(signal: string): Promise<void> {
    try {
      await signalExec(this.#found, signal);
    } catch (thrown) {
      if (signal !== 'KILL') return;
      this.complaint = messageOf(thrown);
      this.#giveUp();
    }
  }

  dispose(): void {
    this.#disposeTimer();
  }

  #giveUp(): void {
    this.hasGivenUp = true;
    this.#stream.destroy();
  }
}

/** Reads the exit code, which the container engine may know only a moment after the output ends. */
async function readExitCode(exec: Docker.Exec, clock: Clock): Promise<number> {
  for (;;) {
    const { Running, ExitCode } = await exec.inspect();
    if (!Running) return ExitCode ?? 0;
    await new Promise<void>((resolve) => clock.after(exitCodeMs, resolve));
  }
}

function toEnd(
  exitCode: number,
  tail: TextTail,
  { context, task }: Pick<ExecSurroundings, 'context' | 'task'>,
): ExecutorEnd {
  if (exitCode === 0) return { exitCode };
  const said = tail.text((text) => context.relay?.hide?.(text) ?? text);
  const ending = describeEnding({ exitCode }, task.signal.aborted);
  return { exitCode, error: said === '' ? ending : `${ending}: ${said}` };
}

/** Deletes a file, best effort: if this fails, the file remains in a container without `rm`. */
async function removeFile(container: Docker.Container, path: string): Promise<void> {
  try {
    const exec = await container.exec({ Cmd: ['rm', '-f', path], AttachStdout: true, User: '0' });
    const stream = await exec.start({});
    await copyFrames(stream, { write: () => Promise.resolve() });
  } catch {
    // The container has ended and the file was deleted with it.
  }
}
