import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { attemptFiles } from '../../model/attempt-files.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { RepeatPolicy, RetryPolicy, Step } from '../../model/step.ts';
import type { Condition } from '../../model/values.ts';
import { judgeFailure, judgeSkip, needsOutput } from '../../plan/continue-on.ts';
import { decideRepeat } from '../../plan/repeat.ts';
import { decideRetry } from '../../plan/retry.ts';
import { attemptDir } from '../log-places.ts';
import { brokenBy, findUnmet, type Unmet } from '../values/conditions.ts';
import { stdoutMatches } from '../values/outputs.ts';
import { resolveRetryPolicy } from '../values/policy-numbers.ts';
import { hasOwnLimit, type EndAttempt } from './attempt-ending.ts';
import { makeAttempt } from './attempt.ts';
import type { KeptItems } from './done-item.ts';
import { hasFailed, type AttemptResult, type NodeResult, type NodeTask } from './node-task.ts';
import type { StepSurroundings } from './step-context.ts';
import { waitUnlessAborted } from './wait.ts';

/** A series of attempts that has come to its end: a success, or no retry left. */
interface EndedSeries {
  /** Number of its last attempt. */
  readonly attempt: number;
  readonly result: AttemptResult;
}

/** Runs steps, each with its conditions, attempts, retries and repetitions. */
export class StepRunner {
  readonly #around: StepSurroundings;
  readonly #running = new Map<EndAttempt, Step>();

  constructor(around: StepSurroundings) {
    this.#around = around;
  }

  /** Runs one node to its end. Rejects only with `RunLost`. */
  async run(task: NodeTask): Promise<NodeResult> {
    const { step, node } = task;
    const unmet =
      step.preconditions.length === 0 ? undefined : await this.#findUnmet(task, step.preconditions);
    if (this.#around.stopping.aborted) return this.#settle(node, 'before the step began');
    if (unmet !== undefined) {
      const { reason } = unmet;
      this.#around.emit({ type: 'step.settled', node, status: 'skipped', reason });
      return { status: 'skipped', tolerated: judgeSkip(step.continueOn) !== 'stop', error: reason };
    }
    let attempt = task.earlierAttempts;
    for (let times = 1; ; times += 1) {
      const series = await this.#runSeries(task, attempt, times === 1 ? task.keptItems : undefined);
      if ('status' in series) return series;
      attempt = series.attempt;
      const delay = await this.#findRepeatDelay(task, times, series);
      if (delay === undefined) return this.#finish(task, series);
      const { exitCode, signal, error } = series.result;
      const dueAt = this.#around.clock.now() + delay;
      this.#around.emit({ type: 'step.repeat_scheduled', node, attempt, dueAt, exitCode, signal, error });
      if (await this.#wait(delay)) {
        this.#around.forgetSubRuns(node);
        continue;
      }
      if (hasFailed(series.result)) return this.#settle(node, 'while the step waited to run again', series);
      return this.#settle(node, `after the step had run ${times} times`, series, 'succeeded');
    }
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

  /** Attempts until one succeeds, or none is left; the node's end when the run is stopped in between. */
  async #runSeries(
    task: NodeTask,
    before: number,
    done: KeptItems | undefined,
  ): Promise<EndedSeries | NodeResult> {
    const { node } = task;
    const kept: KeptItems = new Map(done);
    for (let count = 1; ; count += 1) {
      const attempt = before + count;
      const result = await makeAttempt(this.#around, task, { attempt, kept, running: this.#running });
      const decided = hasFailed(result) ? await this.#findRetryDelay(task, count, result) : {};
      if (decided.delay === undefined) return { attempt, result: { ...result, ...decided.fault } };
      const { exitCode, signal, error } = result;
      const dueAt = this.#around.clock.now() + decided.delay;
      this.#around.emit({ type: 'step.retry_scheduled', node, attempt, dueAt, exitCode, signal, error });
      if (!(await this.#wait(decided.delay)))
        return this.#settle(node, 'while the step waited for its next attempt', { attempt, result });
    }
  }

  /** The end of a node that has no attempt under way when the run is stopped. */
  #settle(
    node: NodeId,
    when: string,
    last?: EndedSeries,
    status: 'aborted' | 'succeeded' = 'aborted',
  ): NodeResult {
    const reason = `${String(this.#around.stopping.reason)} ${when}`;
    const { exitCode, captured: output } = last?.result ?? {};
    this.#around.emit({ type: 'step.settled', node, status, reason, exitCode, output });
    const error = status === 'aborted' ? reason : undefined;
    return { status, tolerated: false, attempt: last?.attempt, exitCode, error, output };
  }

  async #findRetryDelay(
    task: NodeTask,
    count: number,
    result: AttemptResult,
  ): Promise<{ delay?: number; fault?: { error: string } }> {
    const { retry } = task.step;
    if (retry === undefined) return {};
    const { exitCode, cause } = result;
    const failed = { attempt: count, exitCode, timedOut: cause === 'timeout', aborted: cause === 'abort' };
    try {
      return { delay: decideRetry(await this.#resolveRetry(task, retry), failed) };
    } catch (thrown) {
      return { fault: { error: `${result.error ?? 'failed'}; it is not tried again: ${messageOf(thrown)}` } };
    }
  }

  async #resolveRetry({ step, outputs, extra }: NodeTask, retry: RetryPolicy): Promise<RetryPolicy> {
    if (typeof retry.limit === 'number' && typeof retry.intervalSec === 'number') return retry;
    const { scope } = this.#around;
    const environment = await scope.stepEnvironment(step.env, outputs, extra);
    return resolveRetryPolicy(retry, (text) => scope.expand(text, environment));
  }

  /** Undefined when the step does not run again. */
  async #findRepeatDelay(
    task: NodeTask,
    times: number,
    { result }: EndedSeries,
  ): Promise<number | undefined> {
    const policy = task.step.repeat;
    if (policy === undefined || result.cause !== undefined || this.#around.stopping.aborted) return undefined;
    const { captured } = result;
    const outputs = captured ? new Map([...task.outputs, [captured.name, captured.value]]) : task.outputs;
    const condition = conditionOf(policy);
    return decideRepeat(policy, {
      times,
      succeeded: !hasFailed(result),
      exitCode: result.exitCode,
      conditionMet: condition && (await this.#findUnmet({ ...task, outputs }, [condition])) === undefined,
    });
  }

  /** Conditions may run commands: not before it is certain that the run is still ours. */
  async #findUnmet(
    { step, outputs, extra }: NodeTask,
    conditions: readonly Condition[],
  ): Promise<Unmet | undefined> {
    const { scope, durable } = this.#around;
    await durable();
    try {
      const environment = await scope.stepEnvironment(step.env, outputs, extra);
      const cwd = await scope.stepFolder(step, environment);
      return await findUnmet(conditions, scope.conditionTools(environment, cwd));
    } catch (thrown) {
      return brokenBy(thrown);
    }
  }

  async #finish(task: NodeTask, { attempt, result }: EndedSeries): Promise<NodeResult> {
    const { node } = task;
    const { exitCode, signal, error, captured } = result;
    const end = await this.#judge(task, attempt, result);
    const finished = { node, attempt, exitCode, signal, ...(end.status === 'succeeded' ? {} : { error }) };
    this.#around.emit({ type: 'step.finished', ...finished, status: end.status, output: captured });
    return { ...end, attempt, exitCode, error, output: captured };
  }

  async #judge(
    { step, node }: NodeTask,
    attempt: number,
    result: AttemptResult,
  ): Promise<{ status: 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted'; tolerated: boolean }> {
    if (result.cause === 'abort') return { status: 'aborted', tolerated: false };
    if (!hasFailed(result))
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
    return waitUnlessAborted(this.#around.clock, delayMs, this.#around.stopping);
  }
}

/** With `expected` an expression, else a command, as in preconditions. */
function conditionOf({ condition, expected }: RepeatPolicy): Condition | undefined {
  if (condition === undefined) return undefined;
  return expected === undefined
    ? { kind: 'command', command: condition, negate: false }
    : { kind: 'expression', condition, expected, negate: false };
}
