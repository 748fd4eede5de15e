import { wait } from '../../base/wait.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Docker from 'dockerode';
import type { ExecCreateOptions } from 'dockerode';
import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { type ExecutorResult, type StepContext, type StepTask, getStopSignal } from '../executor.ts';
import { formatExit, TailBuffer } from '../step-output.ts';
import { copyFrames } from './copy-frames.ts';
import { engineFailure } from './explain-error.ts';
import type { ContainerEngine } from './engine.ts';
import { toAssignments } from './run-container.ts';
import { readExitError, copyScript, stopOnAbort, captureStderrTail } from './run-created-container.ts';
import type { ContainerCommand } from './plan-command.ts';

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
      (await readExitError(container, context)) ??
      engineFailure('Cannot start the command in the container', error)
    );
  }
  const target: ExecTarget = { engine, container, exec, tag, user: options.User };
  const tail = new TailBuffer();
  const watch = new ExecWatch(target, stream, context.clock);
  const dispose = stopOnAbort(task, (what) => watch.end(what === 'kill' ? 'KILL' : getStopSignal(context)));
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
      (await readExitError(container, context)) ??
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
      this.killError = getErrorMessage(error);
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
    await wait(clock, exitCodeMs);
  }
}

function toEnd(
  exitCode: number,
  tail: TailBuffer,
  { context, task }: Pick<ExecContext, 'context' | 'task'>,
): ExecutorResult {
  if (exitCode === 0) return { exitCode };
  const stderrTail = tail.text((text) => context.relay?.maskSecrets?.(text) ?? text);
  const ending = formatExit({ exitCode }, task.signal.aborted);
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

/** A running command in a container and what identifies its processes. */
interface ExecTarget {
  readonly engine: Pick<ContainerEngine, 'isLocal'>;
  readonly container: Docker.Container;
  readonly exec: Docker.Exec;
  /** `NAME=value` in the environment of this command only. */
  readonly tag: string;
  readonly user: string | undefined;
}

/** Signals all processes that have the tag in their environment: the command and its child processes. */
const program = [
  'for entry in /proc/[0-9]*; do',
  `if tr '\\0' '\\n' <"$entry/environ" | grep -qxF -- "$1"; then kill -s "$2" "\${entry#/proc/}"; fi`,
  'done 2>/dev/null; true',
].join('\n');

/**
 * Signals a command in a container, which the Docker Engine API does not support: by a second command in the container
 * or, if the container has no shell, from the host. Rejects if neither works.
 * @param signal without `SIG`
 */
async function signalExec(target: ExecTarget, signal: string): Promise<void> {
  if (await signalInside(target, signal)) return;
  if (await signalOutside(target, signal)) return;
  throw new Error(
    'cannot stop the command: the container has no shell, and the container engine is remote. The command stops with the container',
  );
}

/** Signals from inside the container, as the same user, which may inspect and signal the processes. */
async function signalInside({ container, tag, user }: ExecTarget, signal: string): Promise<boolean> {
  try {
    const killer = await container.exec({
      Cmd: ['sh', '-c', program, 'sh', tag, signal],
      AttachStdout: true,
      AttachStderr: true,
      ...(user === undefined ? {} : { User: user }),
    });
    const stream = await killer.start({});
    await copyFrames(stream, { write: () => Promise.resolve() });
    return (await killer.inspect()).ExitCode === 0;
  } catch {
    return false;
  }
}

/**
 * Signals from the host. The process id that the container engine reports is only valid on its own machine; the tag
 * verifies the process.
 */
async function signalOutside({ engine, exec, tag }: ExecTarget, signal: string): Promise<boolean> {
  if (!engine.isLocal || process.platform !== 'linux') return false;
  try {
    const { Pid } = await exec.inspect();
    const environment = readFileSync(`/proc/${Pid}/environ`, 'utf8').split('\0');
    return environment.includes(tag) && process.kill(Pid, `SIG${signal}` as NodeJS.Signals);
  } catch {
    return false;
  }
}
