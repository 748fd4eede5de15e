import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import type { ExecCreateOptions } from 'dockerode';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { ExecutorResult, StepContext, StepTask } from '../../executor.ts';
import { describeExit } from '../../failure-text.ts';
import { stopSignalOf } from '../../stop-signal.ts';
import { TailBuffer } from '../../tail-buffer.ts';
import { copyFrames } from '../engine/copy-frames.ts';
import { engineFailure } from '../engine/explain-error.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';
import { toAssignments } from '../managed/create-options.ts';
import { describeEnded } from '../managed/describe-ended.ts';
import { copyScript } from '../managed/place-script.ts';
import { stopOnAbort, captureStderrTail } from '../managed/run-created.ts';
import type { ContainerCommand } from './plan-command.ts';
import { signalExec, type ExecTarget } from './signal-exec.ts';

/** Environment variable that identifies the processes of a command in a container. */
const tagName = 'ENGINE_EXEC_ID';
/** Milliseconds between two checks of a running command. */
const pollIntervalMs = 1000;
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
export interface ExecContext {
  readonly engine: ContainerEngine;
  readonly container: Docker.Container;
  readonly context: Pick<StepContext, 'clock' | 'relay' | 'step'>;
  readonly task: StepTask;
}

/**
 * Runs a command in a running container, without an extra shell. A stop sends the step's signal to its processes, and
 * SIGKILL when it must end at once. Rejects with the error of the container engine.
 */
export async function runExec(request: ExecRequest, context: ExecContext): Promise<ExecutorResult> {
  const { container, task } = context;
  if (task.signal.aborted) return { error: 'stopped before the command started' };
  if (request.script !== undefined) await copyScript(container, request.script);
  try {
    return await runWithScript(request, context);
  } finally {
    if (request.script !== undefined) await removeFile(container, request.script.path);
  }
}

async function runWithScript(
  { argv, env, user, workingDir, raw = {} }: ExecRequest,
  { engine, container, context, task }: ExecContext,
): Promise<ExecutorResult> {
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
  } catch (error) {
    throw (
      (await describeEnded(container, context)) ??
      engineFailure('Cannot start the command in the container', error)
    );
  }
  const target: ExecTarget = { engine, container, exec, tag, user: options.User };
  const tail = new TailBuffer();
  const watch = new ExecWatch(target, stream, context.clock);
  const dispose = stopOnAbort(task, (what) => watch.end(what === 'kill' ? 'KILL' : stopSignalOf(context)));
  try {
    await copyFrames(stream, captureStderrTail(task.output, tail), options.Tty === true).catch(
      (error: unknown) => {
        if (!watch.hasGivenUp) throw error;
      },
    );
    if (watch.killError !== undefined) return { error: watch.killError };
    return toEnd(await readExitCode(exec, context.clock), tail, { context, task });
  } catch (error) {
    throw (
      (await describeEnded(container, context)) ??
      engineFailure('Cannot get the exit code of the command from the container engine', error)
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
  killError: string | undefined;
  hasGivenUp = false;
  readonly #target: ExecTarget;
  readonly #stream: { destroy(): unknown };
  readonly #disposeTimer: () => void;

  constructor(target: ExecTarget, stream: { destroy(): unknown }, clock: Clock) {
    this.#target = target;
    this.#stream = stream;
    let wasRunning = true;
    this.#disposeTimer = clock.every(pollIntervalMs, () => {
      target.exec.inspect().then(
        ({ Running }) => {
          if (!wasRunning && !Running) this.#abort();
          wasRunning = Running;
        },
        () => this.#abort(),
      );
    });
  }

  async end(signal: string): Promise<void> {
    try {
      await signalExec(this.#target, signal);
    } catch (error) {
      if (signal !== 'KILL') return;
      this.killError = messageOf(error);
      this.#abort();
    }
  }

  dispose(): void {
    this.#disposeTimer();
  }

  #abort(): void {
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
  tail: TailBuffer,
  { context, task }: Pick<ExecContext, 'context' | 'task'>,
): ExecutorResult {
  if (exitCode === 0) return { exitCode };
  const stderrTail = tail.text((text) => context.relay?.maskSecrets?.(text) ?? text);
  const ending = describeExit({ exitCode }, task.signal.aborted);
  return { exitCode, error: stderrTail === '' ? ending : `${ending}: ${stderrTail}` };
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
