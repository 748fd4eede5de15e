import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import type { ExecutorEnd, RunningStep, SubRunPort } from '../executors/executor.ts';
import { startAction } from '../executors/registry.ts';
import { attemptFiles } from '../model/attempt-files.ts';
import type { NodeId, RunEvent } from '../model/run-event.ts';
import type { Step } from '../model/step.ts';
import type { Workflow } from '../model/workflow.ts';
import { judgeFailure, judgeSkip, needsOutput } from '../plan/continue-on.ts';
import type { StepEnd } from '../plan/plan.ts';
import { decideRetry } from '../plan/retry.ts';
import type { ProcessLauncher } from '../process/launcher.ts';
import { findUnmet } from './values/conditions.ts';
import { attemptDir } from './log-places.ts';
import { captureOutput, stdoutMatches } from './values/outputs.ts';
import { stepSpecials, type Outputs, type RunScope } from './values/run-scope.ts';
import type { Turnstile } from './turnstile.ts';

/** What running steps of one run needs from it and from the host. */
export interface StepSurroundings {
  readonly workflow: Pick<Workflow, 'maxCleanUpTimeSec' | 'maxOutputSize'>;
  readonly scope: RunScope;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly clock: Clock;
  readonly turnstile: Turnstile;
  readonly launcher: ProcessLauncher;
  /** Aborted when the run is being stopped, with the reason in words; nothing new starts then. */
  readonly stopping: AbortSignal;
  subRuns(node: NodeId): SubRunPort;
  emit(event: RunEvent): void;
  durable(): Promise<void>;
}

/** How a step ended, for the plan and for the run's own result. */
export interface NodeResult extends StepEnd {
  readonly error?: string;
  readonly output?: { readonly name: string; readonly value: JsonValue };
}

/** A node to run, with what it may see. */
export interface NodeTask {
  readonly step: Step;
  readonly node: NodeId;
  readonly outputs: Outputs;
  /** Variables beside those of every step, such as a handler's `DAG_RUN_STATUS`. */
  readonly extra: Readonly<Record<string, string>>;
}

/** What ended an attempt; the first cause is kept (a timeout is not overwritten by a later stop). */
type StopCause = 'timeout' | 'abort';

interface AttemptResult extends ExecutorEnd {
  readonly cause?: StopCause;
  readonly captured?: { readonly name: string; readonly value: JsonValue };
}

/** Exit code of a step whose time was over, as `timeout(1)` has it. */
const timedOutExitCode = 124;

/** Runs steps, each with its conditions, attempts and retries. */
export class StepRunner {
  readonly #around: StepSurroundings;
  readonly #running = new Map<(how: 'stop' | 'kill') => void, Step>();

  constructor(around: StepSurroundings) {
    this.#around = around;
  }

  /** Runs one node to its end. Rejects only with `RunLost`. */
  async run(task: NodeTask): Promise<NodeResult> {
    const { step, node } = task;
    const unmet = step.preconditions.length === 0 ? undefined : await this.#findUnmet(task);
    if (this.#around.stopping.aborted)
      return this.#abort(node, `${String(this.#around.stopping.reason)} before the step began`);
    if (unmet !== undefined) {
      this.#around.emit({ type: 'step.settled', node, status: 'skipped', reason: unmet });
      return { status: 'skipped', tolerated: judgeSkip(step.continueOn) !== 'stop', error: unmet };
    }
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#runAttempt(task, attempt);
      const delay = failed(result) ? decideRetry(step.retry, retryFacts(attempt, result)) : undefined;
      if (delay === undefined) return this.#finish(task, attempt, result);
      const { exitCode, signal, error } = result;
      this.#around.emit({
        type: 'step.retry_scheduled',
        node,
        attempt,
        dueAt: this.#around.clock.now() + delay,
        exitCode,
        signal,
        error,
      });
      if (!(await this.#wait(delay)))
        return this.#abort(
          node,
          `${String(this.#around.stopping.reason)} while the step waited for its next attempt`,
        );
    }
  }

  #abort(node: NodeId, reason: string): NodeResult {
    this.#around.emit({ type: 'step.settled', node, status: 'aborted', reason });
    return { status: 'aborted', tolerated: false, error: reason };
  }

  /** Asks every running step to end: its signal first, SIGKILL after the clean-up time. */
  stop(): void {
    for (const end of this.#running.keys()) end('stop');
  }

  /** As `stop`, but leaves steps that have a limit of their own to it (seed 1: `timeoutSec` overrides the DAG's). */
  stopUntimed(): void {
    for (const [end, step] of this.#running) if (!hasOwnLimit(step)) end('stop');
  }

  /** Ends every running step at once. */
  kill(): void {
    for (const end of this.#running.keys()) end('kill');
  }

  /** Conditions may run commands: not before it is certain that the run is still ours. */
  async #findUnmet({ step, outputs, extra }: NodeTask): Promise<string | undefined> {
    const { scope, stopping, durable } = this.#around;
    await durable();
    try {
      const environment = await scope.stepEnvironment(step.env, outputs, extra);
      const cwd = await scope.stepFolder(step, environment);
      return (await findUnmet(step.preconditions, scope.conditionTools(environment, cwd, stopping)))?.reason;
    } catch (thrown) {
      return `precondition could not be evaluated: ${messageOf(thrown)}`;
    }
  }

  async #runAttempt(task: NodeTask, attempt: number): Promise<AttemptResult> {
    const { step, node } = task;
    const { turnstile, stopping, emit, durable, runDir } = this.#around;
    await turnstile.pass();
    const dir = attemptDir(node, attempt);
    const place = path.join(runDir, dir);
    emit({ type: 'step.started', node, attempt, dir });
    let start: () => RunningStep;
    try {
      mkdirSync(place, { mode: 0o700 });
      start = await this.#prepare(task, attempt, place);
    } catch (thrown) {
      return { error: messageOf(thrown) };
    }
    await durable();
    if (stopping.aborted)
      return { cause: 'abort', error: `${String(stopping.reason)} before the step began` };
    const result = await this.#await(step, start());
    return this.#withOutput(step, place, result);
  }

  /** Everything that can fail before a process exists. */
  async #prepare(task: NodeTask, attempt: number, place: string): Promise<() => RunningStep> {
    const { step, node, outputs, extra } = task;
    const { scope, workflow, clock, launcher, emit, subRuns } = this.#around;
    const environment = await scope.stepEnvironment(step.env, outputs, {
      ...extra,
      ...stepSpecials(node, place, scope.workingDir),
    });
    const workingDir = await scope.stepFolder(step, environment);
    environment['PWD'] = workingDir;
    return () =>
      startAction({
        step,
        env: environment,
        workingDir,
        shell: step.shell ?? scope.shell,
        positional: scope.positional,
        attemptDir: place,
        cleanUpMs: workflow.maxCleanUpTimeSec * 1000,
        clock,
        launcher,
        expand: (text) => scope.expand(text, environment),
        onSpawned: (pid, pidStart) => emit({ type: 'step.spawned', node, attempt, pid, pidStart }),
        subRuns: subRuns(node),
      });
  }

  async #await(step: Step, running: RunningStep): Promise<AttemptResult> {
    let cause: StopCause | undefined;
    const end = (how: 'stop' | 'kill'): void => {
      cause ??= 'abort';
      running[how]();
    };
    const disposeTimer = hasOwnLimit(step)
      ? this.#around.clock.after(step.timeoutSec * 1000, () => {
          cause ??= 'timeout';
          running.stop();
        })
      : undefined;
    this.#running.set(end, step);
    if (this.#around.stopping.aborted) end('stop');
    try {
      const result = await running.ended;
      if (cause === 'timeout')
        return {
          ...result,
          cause,
          exitCode: timedOutExitCode,
          error: `step timed out after ${step.timeoutSec} s`,
        };
      return cause === undefined ? result : { ...result, cause, error: String(this.#around.stopping.reason) };
    } finally {
      disposeTimer?.();
      this.#running.delete(end);
    }
  }

  /** Adds the captured `output`; one that is too large fails the attempt. Captured after a failure, too. */
  #withOutput(step: Step, place: string, result: AttemptResult): AttemptResult {
    const name = step.output;
    if (name === undefined) return result;
    if (result.output !== undefined) return { ...result, captured: { name, value: result.output } };
    try {
      const output = captureOutput(
        path.join(place, attemptFiles.stdout),
        this.#around.workflow.maxOutputSize,
      );
      return 'value' in output
        ? { ...result, captured: { name, value: output.value } }
        : { ...result, error: result.error ?? output.error };
    } catch (thrown) {
      return { ...result, error: result.error ?? `output could not be read: ${messageOf(thrown)}` };
    }
  }

  async #finish(task: NodeTask, attempt: number, result: AttemptResult): Promise<NodeResult> {
    const { node } = task;
    const { exitCode, signal, error, captured } = result;
    const end = await this.#judge(task, attempt, result);
    const finished = { node, attempt, exitCode, signal, ...(end.status === 'succeeded' ? {} : { error }) };
    this.#around.emit({ type: 'step.finished', ...finished, status: end.status, output: captured });
    return { ...end, error, output: captured };
  }

  async #judge(
    { step, node }: NodeTask,
    attempt: number,
    result: AttemptResult,
  ): Promise<{ status: 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted'; tolerated: boolean }> {
    if (result.cause === 'abort') return { status: 'aborted', tolerated: false };
    if (!failed(result))
      return { status: result.partial === true ? 'partially_succeeded' : 'succeeded', tolerated: false };
    const policy = step.continueOn;
    const stdout = path.join(this.#around.runDir, attemptDir(node, attempt), attemptFiles.stdout);
    const outputMatches =
      needsOutput(policy, result.exitCode) && (await stdoutMatches(step, stdout).catch(() => false));
    const verdict = judgeFailure(policy, { exitCode: result.exitCode, outputMatches });
    return { status: verdict === 'succeed' ? 'succeeded' : 'failed', tolerated: verdict !== 'stop' };
  }

  /** Waits; false when the run is being stopped. */
  #wait(delayMs: number): Promise<boolean> {
    const { clock, stopping } = this.#around;
    return new Promise((resolve) => {
      const finish = (waited: boolean): void => {
        dispose();
        stopping.removeEventListener('abort', stop);
        resolve(waited);
      };
      const stop = (): void => finish(false);
      const dispose = clock.after(delayMs, () => finish(true));
      stopping.addEventListener('abort', stop, { once: true });
      if (stopping.aborted) stop();
    });
  }
}

const failed = (result: AttemptResult): boolean =>
  result.error !== undefined || result.signal !== undefined || (result.exitCode ?? 0) !== 0;

const retryFacts = (attempt: number, result: AttemptResult) => ({
  attempt,
  exitCode: result.exitCode,
  timedOut: result.cause === 'timeout',
  aborted: result.cause === 'abort',
});

const hasOwnLimit = (step: Step): step is Step & { timeoutSec: number } =>
  step.timeoutSec !== undefined && step.timeoutSec > 0;

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
