import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { getErrorMessage } from '../../base/errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { ActionEnder, type ExecutorResult, type RunningStep } from '../../executors/executor.ts';
import { startAction } from '../../executors/registry.ts';
import { attemptFiles } from '../../model/run.ts';
import { captureOutput, formatOversize } from '../../run/values/outputs.ts';
import type { TaskLease } from '../../store/types/dispatch.ts';
import type { RemoteResult, RemoteTask } from '../../run/remote/remote-task.ts';
import { fetchInputs, saveOutputs, type ArtifactStore } from '../../run/remote/task-files.ts';
import {
  claimStart,
  killOrphanedProcess,
  lostResult,
  neverStartedResult,
  reattach,
  type OrphanedProcess,
} from '../../executors/reattach.ts';
import { parseSignal } from '../../process/kill.ts';
import { LogShipper, type LogSink } from './log-shipper.ts';
import { formatStorageError, type TaskPaths } from './worker-folder.ts';
import {
  buildTaskContext,
  MaskedValues,
  getWorkingDir,
  type ContextTools,
  isRelayed,
} from './task-context.ts';

/** Functions that a task needs from its worker. */
export interface TaskTools extends ContextTools {
  readonly sink: LogSink;
  readonly artifacts: ArtifactStore;
  /** Called when the process has started, to store its id. */
  onSpawned(pid: number, pidStart: string): void;
  /** Called when the step has ended, so that another task can start; only reporting remains. */
  onSlotFree(): void;
}

/** State of a task left by an earlier process. */
export interface OrphanedTask {
  readonly process?: { readonly pid: number; readonly pidStart: string } | undefined;
  readonly isSameBoot: boolean;
}

/** Exit code of a timed-out step, as in `timeout(1)`. */
const timedOutExitCode = 124;

/** A task from its input files to the end of its logs. Any error becomes its result. */
export class TaskRun {
  readonly lease: TaskLease;
  readonly task: RemoteTask;
  readonly paths: TaskPaths;
  readonly #tools: TaskTools;
  readonly #hidden: MaskedValues;
  #ending = new AbortController();
  #startedAt: number;
  readonly #ender = new ActionEnder();
  /** Why the worker ended it. */
  #reason: string | undefined;
  #shipper: LogShipper | undefined;
  #isSlotFree = false;

  constructor(input: { lease: TaskLease; task: RemoteTask; paths: TaskPaths }, tools: TaskTools) {
    this.lease = input.lease;
    this.task = input.task;
    this.paths = input.paths;
    this.#tools = tools;
    this.#hidden = new MaskedValues(input.task.masked);
    this.#startedAt = tools.clock.now();
  }

  /** Whether the step still uses a slot. */
  get isBusy(): boolean {
    return !this.#isSlotFree;
  }

  /** Runs the attempt. Never rejects. */
  run(): Promise<RemoteResult> {
    return this.#finish(() => this.#begin());
  }

  /** Resumes an attempt that an earlier process started. Never rejects. */
  resume(orphaned: OrphanedTask): Promise<RemoteResult> {
    this.#ship(true);
    return this.#finish(() =>
      this.#follow(
        resumeTask(this.task, { paths: this.paths, hidden: this.#hidden, ...orphaned }, this.#tools),
      ),
    );
  }

  /** Resumes a task whose step has ended; only its logs may be incomplete. */
  resumeEnded(): void {
    this.#ship(true);
    this.#freeSlot();
  }

  /**
   * Sends the step's stop signal, and SIGKILL after the clean-up time, or immediately with `kill`. Repeated calls have
   * no effect.
   * @param reason in one sentence, if the worker itself ends it
   */
  end(how: 'stop' | 'kill', reason?: string): void {
    const { request } = this.#ender;
    if (request === 'kill' || request === how) return;
    if (request === undefined) this.#reason = reason;
    this.#ending.abort(new Error('stopped before the step started or its files were saved'));
    this.#ender.end(how);
  }

  /** Resolves when the logs are completely sent; `sizes` is then their size. Rejects if they are no longer needed. */
  async shipLogs(): Promise<RemoteResult['logs']> {
    return (await this.#shipper?.finish()) ?? { stdout: 0, stderr: 0 };
  }

  /** Deletes its files on this machine. */
  async discard(): Promise<void> {
    await rm(this.paths.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }

  async #begin(): Promise<ExecutorResult> {
    const { task, paths } = this;
    try {
      // Fencing tokens are never reused, but a worker with the same id elsewhere may have left a directory.
      rmSync(paths.folder, { recursive: true, force: true });
      for (const folder of [paths.attempt, paths.work]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      return { unstarted: true, error: formatStorageError(error, paths.folder) ?? getErrorMessage(error) };
    }
    this.#ship(false);
    try {
      const folder = getWorkingDir(task, paths);
      if (task.inputFiles.length > 0) {
        mkdirSync(folder, { recursive: true });
        await fetchInputs(task.inputFiles, folder, this.#tools.artifacts);
      }
      const { signal } = this.#ending;
      const context = await buildTaskContext(this.#tools, {
        ...{ lease: this.lease, task, paths, signal, hidden: this.#hidden },
        onSpawned: (pid, pidStart) => this.#tools.onSpawned(pid, pidStart),
      });
      this.#startedAt = this.#tools.clock.now();
      try {
        return await this.#follow(startAction(context));
      } finally {
        await context.resources.close();
      }
    } catch (error) {
      const problem = isFull(error) ? formatStorageError(error, paths.folder) : undefined;
      return problem === undefined ? { error: getErrorMessage(error) } : { unstarted: true, error: problem };
    }
  }

  async #follow(running: RunningStep): Promise<ExecutorResult> {
    this.#ender.attach(running);
    const { timeoutSec = 0 } = this.task.step;
    let isTimedOut = false;
    const onTimeout = (): void => {
      isTimedOut = this.#ender.request === undefined;
      running.stop();
    };
    const cancelTimeout = timeoutSec > 0 ? this.#tools.clock.after(timeoutSec * 1000, onTimeout) : undefined;
    const end = await running.ended;
    cancelTimeout?.();
    if (this.#reason !== undefined) return { ...end, error: this.#reason };
    if (!isTimedOut) return end;
    return { ...end, exitCode: timedOutExitCode, error: `step timed out after ${timeoutSec} s` };
  }

  #ship(isResumed: boolean): void {
    const { clock, sink } = this.#tools;
    this.#shipper ??= new LogShipper(this.paths.attempt, clock, sink, isResumed);
  }

  #freeSlot(): void {
    if (this.#isSlotFree) return;
    this.#isSlotFree = true;
    this.#tools.onSlotFree();
  }

  async #finish(action: () => Promise<ExecutorResult>): Promise<RemoteResult> {
    let result = await action().catch((cause: unknown): ExecutorResult => ({
      error: getErrorMessage(cause),
    }));
    const finishedAt = this.#tools.clock.now();
    this.#freeSlot();
    let artifacts: readonly string[] = [];
    if (hasSucceeded(result) && this.task.outputFiles.length > 0) {
      try {
        const folder = getWorkingDir(this.task, this.paths);
        // File uploads are aborted only by a further cancellation after the process has ended.
        this.#ending = new AbortController();
        const { signal } = this.#ending;
        artifacts = await saveOutputs(this.task.outputFiles, folder, this.#tools.artifacts, signal);
      } catch (cause) {
        result = { ...result, error: getErrorMessage(cause) };
      }
    }
    const { exitCode, signal, partial, unstarted } = result;
    const { captured, error } = this.#capture(result);
    return {
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
      ...(error !== undefined && { error: this.#hidden.masker.mask(error) }),
      ...(partial === true && { partial }),
      ...(unstarted === true && { unstarted }),
      ...(result.output !== undefined && { output: result.output }),
      ...(captured !== undefined && { captured }),
      hidden: this.#hidden.added,
      startedAt: this.#startedAt,
      finishedAt,
      logs: { stdout: 0, stderr: 0 },
      artifacts,
    };
  }

  /** Returns captured stdout if needed, and the effective error. Also captures after a failure. */
  #capture({ output, error, unstarted }: ExecutorResult): {
    captured?: JsonValue;
    error?: string | undefined;
  } {
    const { step, item, maxOutputSize } = this.task;
    if (unstarted === true || (step.output === undefined && item === undefined)) return { error };
    if (output !== undefined) {
      const size = Buffer.byteLength(JSON.stringify(output));
      return { error: size <= maxOutputSize ? error : (error ?? formatOversize(size, maxOutputSize)) };
    }
    try {
      const capturedOutput = captureOutput(path.join(this.paths.attempt, attemptFiles.stdout), maxOutputSize);
      return 'value' in capturedOutput
        ? { captured: capturedOutput.value, error }
        : { error: error ?? capturedOutput.error };
    } catch (cause) {
      return { error: error ?? `cannot read the output: ${getErrorMessage(cause)}` };
    }
  }
}

/** Whether the disk is full. Permission errors are excluded, because the step may use any directory. */
const isFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EIO)$/.test(String((error as { code?: unknown }).code));

const hasSucceeded = ({ exitCode = 0, signal, error }: ExecutorResult): boolean =>
  exitCode === 0 && signal === undefined && error === undefined;

interface OrphanedTaskInput {
  readonly paths: TaskPaths;
  readonly hidden: MaskedValues;
  readonly process?: { readonly pid: number; readonly pidStart: string } | undefined;
  readonly isSameBoot: boolean;
}

type OrphanedTaskTools = Pick<ContextTools, 'clock' | 'launcher'>;

/** Resumes a task of an earlier process: attaches to its process, if any. */
function resumeTask(task: RemoteTask, input: OrphanedTaskInput, tools: OrphanedTaskTools): RunningStep {
  const orphaned = toOrphanedProcess(task, input);
  if (task.step.action.kind !== 'executor') return reattach(orphaned, tools);
  return { ended: loseWork(task.step.action.type, orphaned, tools), stop() {}, kill() {} };
}

/** Ends a task that ran inside the worker process, which is lost, together with the processes it started. */
async function loseWork(
  type: string,
  orphaned: OrphanedProcess,
  tools: OrphanedTaskTools,
): Promise<ExecutorResult> {
  if (claimStart(orphaned.attemptDir)) return neverStartedResult;
  await killOrphanedProcess(orphaned, tools);
  return lostResult(`the worker was killed, and steps of type "${type}" run inside the worker`);
}

function toOrphanedProcess(
  task: RemoteTask,
  { paths, hidden, process, isSameBoot }: OrphanedTaskInput,
): OrphanedProcess {
  const { step, cleanUpMs } = task;
  return {
    attemptDir: paths.attempt,
    pid: process?.pid,
    pidStart: process?.pidStart,
    stopSignal: parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
    cleanUpMs,
    isRelayed: isRelayed(task, hidden),
    hasTerminal: step.terminal !== undefined,
    isSameBoot,
  };
}
