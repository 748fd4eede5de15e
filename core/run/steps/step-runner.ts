import path from 'node:path';
import { getErrorMessage } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { attemptFiles } from '../../model/run.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { RepeatPolicy, RetryPolicy, Step, Condition } from '../../model/step.ts';
import {
  evaluateFailure,
  evaluateSkip,
  needsOutput,
  decideRepeat,
  decideRetry,
} from '../../spec/plan/policies.ts';
import { attemptDir } from '../../store/run-logs.ts';
import {
  conditionError,
  findFailedCondition,
  type ConditionFailure,
  resolveRetryPolicy,
} from '../values/conditions.ts';
import { matchesStdout } from '../values/outputs.ts';
import type { EndAttempt } from './attempt-terminator.ts';
import { makeAttempt, loadPreviousResult } from './attempt.ts';
import type { CompletedItems } from './items-attempt.ts';
import {
  hasFailed,
  type AttemptResult,
  type NodeResult,
  type NodeTask,
  findDue,
  type OpenNode,
  waitUnlessAborted,
} from './node-task.ts';
import type { StepRunContext } from './step-context.ts';

/** Effect of a step's end on its run. */
interface Judgement {
  readonly status: 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted';
  readonly tolerated: boolean;
  /** Why `continueOn.output` could not be applied. */
  readonly problem?: string | undefined;
}

/** A completed series of attempts: it succeeded, or has no retries left. */
interface CompletedSeries {
  /** Number of its last attempt. */
  readonly attempt: number;
  readonly result: AttemptResult;
}

/** Where a series starts. */
interface SeriesStart {
  /** Number of the attempt before it; 0 for none. */
  readonly attempt: number;
  /** Items that need not run again. */
  readonly completedItems?: CompletedItems | undefined;
  /** State of the series on another host. */
  readonly open?: OpenNode | undefined;
}

/** The next attempt of a series. */
interface AttemptStart {
  readonly attempt: number;
  /** How many attempts of the series count against the limit of retries, including this one. */
  readonly count: number;
  readonly completedItems: CompletedItems;
  readonly open: OpenNode | undefined;
}

/** An attempt that has ended, and when the next one is due, in epoch milliseconds. */
interface AttemptOutcome {
  readonly result: AttemptResult;
  readonly dueAt?: number;
  readonly isUncounted?: boolean;
}

/** Runs steps, each with its conditions, attempts, retries and repetitions. */
export class StepRunner {
  readonly #context: StepRunContext;
  readonly #running = new Map<EndAttempt, Step>();

  constructor(context: StepRunContext) {
    this.#context = context;
  }

  /** Runs one node to its end. Rejects only with `RunLost`. */
  async run(task: NodeTask): Promise<NodeResult> {
    const { node } = task;
    // A node that was running on another host has started: its conditions were met.
    const blocked = task.open === undefined ? await this.#findBlocker(task) : undefined;
    if (blocked !== undefined) return blocked;
    let seriesStart: SeriesStart = {
      attempt: task.previousAttempts,
      completedItems: task.completedItems,
      open: task.open,
    };
    for (let times = task.open?.times ?? 1; ; times += 1) {
      const previousSeries = this.#loadPreviousSeries(task, seriesStart);
      const series = previousSeries ?? (await this.#runSeries(task, seriesStart));
      if ('status' in series) return series;
      const { attempt } = series;
      const dueAt = previousSeries?.dueAt ?? (await this.#scheduleRepeat(task, times, series));
      if (dueAt === undefined) return this.#finish(task, series);
      seriesStart = { attempt };
      if (await this.#waitUntil(dueAt)) {
        this.#context.forgetSubRuns(node);
        continue;
      }
      if (hasFailed(series.result))
        return this.#endEarly(node, 'while the step was waiting to repeat', series);
      return this.#endEarly(node, `after ${times} runs of the step`, series, 'succeeded');
    }
  }

  /** Returns the end of a node whose conditions are not met, or whose run is being stopped. */
  async #findBlocker(task: NodeTask): Promise<NodeResult | undefined> {
    const { step, node } = task;
    const failedCondition =
      step.preconditions.length === 0 ? undefined : await this.#findFailedCondition(task, step.preconditions);
    if (this.#context.stopping.aborted) return this.#endEarly(node, 'before the step started');
    if (failedCondition === undefined) {
      failPoint('step.conditions_checked');
      return undefined;
    }
    const { reason } = failedCondition;
    this.#context.emit({ type: 'step.ended', node, status: 'skipped', reason });
    return { status: 'skipped', tolerated: evaluateSkip(step.continueOn) !== 'stop', error: reason };
  }

  /** Asks the running steps that the run ends early to end: first with their signal, then with SIGKILL. */
  stop(): void {
    for (const [end, step] of this.#running) if (this.#context.endsEarly(step)) end('stop');
  }

  /** Ends every running step at once. */
  kill(): void {
    for (const end of this.#running.keys()) end('kill');
  }

  /** Ends only in-process work, because another host owns the run and starts that work again. */
  abandon(): void {
    const { remote } = this.#context;
    for (const [end, step] of this.#running)
      if (step.action.kind === 'executor' && remote.getSelector(step) === undefined) end('kill');
  }

  /** Returns a series that has ended on another host while its node waited to repeat. */
  #loadPreviousSeries(
    task: NodeTask,
    { open }: SeriesStart,
  ): (CompletedSeries & { readonly dueAt: number }) | undefined {
    if (open?.due?.kind !== 'repeat') return undefined;
    const { attempt } = open;
    const result = loadPreviousResult(this.#context, task, attempt);
    const dueAt = findDue(open, this.#context.clock.now());
    return dueAt === undefined ? undefined : { attempt: attempt.attempt, result, dueAt };
  }

  /** Makes attempts until one succeeds or none is left; returns the node's end when the run is stopped in between. */
  async #runSeries(task: NodeTask, seriesStart: SeriesStart): Promise<CompletedSeries | NodeResult> {
    const completedItems: CompletedItems = new Map(seriesStart.completedItems);
    let { open } = seriesStart;
    let attempt = open?.attempt.attempt ?? seriesStart.attempt;
    let count = open?.count ?? 0;
    for (; ; open = undefined) {
      if (open === undefined) [attempt, count] = [attempt + 1, count + 1];
      const outcome =
        open?.due === undefined
          ? await this.#try(task, { attempt, count, completedItems, open })
          : {
              result: loadPreviousResult(this.#context, task, open.attempt),
              dueAt: findDue(open, this.#context.clock.now()),
            };
      if (outcome.dueAt === undefined) return { attempt, result: outcome.result };
      if (outcome.isUncounted) count -= 1;
      if (!(await this.#waitUntil(outcome.dueAt))) {
        const last = { attempt, result: outcome.result };
        return this.#endEarly(task.node, 'while the step was waiting for its next attempt', last);
      }
      failPoint('attempt.retry_due');
    }
  }

  /** Makes one attempt and returns when the next one is due, if any. */
  async #try(
    task: NodeTask,
    { attempt, count, completedItems, open }: AttemptStart,
  ): Promise<AttemptOutcome> {
    const options = { attempt, completedItems, running: this.#running, open };
    const result = await makeAttempt(this.#context, task, options);
    const isUncounted = result.unstarted === true && result.cause === undefined;
    const decision = isUncounted ? { delay: 0 } : await this.#findRetryDelay(task, count, result);
    if (decision.delay === undefined) return { result: { ...result, ...decision.problem } };
    const { exitCode, signal, error } = result;
    const dueAt = this.#context.clock.now() + decision.delay;
    const scheduled = { node: task.node, attempt, dueAt, exitCode, signal, error };
    failPoint('attempt.before_retry_wait');
    this.#context.emit({
      type: 'step.retry_scheduled',
      ...scheduled,
      ...(isUncounted ? { uncounted: true } : {}),
    });
    return { result, dueAt, isUncounted };
  }

  /** Ends a node that has no running attempt when the run is stopped. */
  #endEarly(
    node: NodeId,
    when: string,
    last?: CompletedSeries,
    status: 'aborted' | 'succeeded' = 'aborted',
  ): NodeResult {
    const reason = `${String(this.#context.stopping.reason)} ${when}`;
    const { exitCode, captured: output } = last?.result ?? {};
    this.#context.emit({ type: 'step.ended', node, status, reason, exitCode, output });
    const error = status === 'aborted' ? reason : undefined;
    return { status, tolerated: false, attempt: last?.attempt, exitCode, error, output };
  }

  async #findRetryDelay(
    task: NodeTask,
    count: number,
    result: AttemptResult,
  ): Promise<{ delay?: number; problem?: { error: string } }> {
    const { retry } = task.step;
    if (retry === undefined || !hasFailed(result) || result.isFinal) return {};
    const { exitCode, cause } = result;
    const failed = { attempt: count, exitCode, timedOut: cause === 'timeout', aborted: cause === 'abort' };
    try {
      return { delay: decideRetry(await this.#resolveRetry(task, retry), failed) };
    } catch (error) {
      return { problem: { error: `${result.error ?? 'failed'}; not retried: ${getErrorMessage(error)}` } };
    }
  }

  async #resolveRetry({ step, outputs, extra }: NodeTask, retry: RetryPolicy): Promise<RetryPolicy> {
    if (typeof retry.limit === 'number' && typeof retry.intervalSec === 'number') return retry;
    const { scope } = this.#context;
    const environment = await scope.stepEnvironment(step.env, outputs, extra);
    return resolveRetryPolicy(retry, (text) => scope.expand(text, environment));
  }

  /** Returns when the step repeats, in epoch milliseconds; undefined when it does not. */
  async #scheduleRepeat(task: NodeTask, times: number, series: CompletedSeries): Promise<number | undefined> {
    const delay = await this.#findRepeatDelay(task, times, series);
    if (delay === undefined) return undefined;
    const { attempt, result } = series;
    const { exitCode, signal, error } = result;
    const dueAt = this.#context.clock.now() + delay;
    const scheduled = { node: task.node, attempt, dueAt, exitCode, signal, error };
    this.#context.emit({ type: 'step.repeat_scheduled', ...scheduled });
    return dueAt;
  }

  async #findRepeatDelay(
    task: NodeTask,
    times: number,
    { result }: CompletedSeries,
  ): Promise<number | undefined> {
    const policy = task.step.repeat;
    if (policy === undefined || result.cause !== undefined || this.#context.stopping.aborted)
      return undefined;
    const { captured } = result;
    const outputs = captured ? new Map([...task.outputs, [captured.name, captured.value]]) : task.outputs;
    const condition = getCondition(policy);
    return decideRepeat(policy, {
      times,
      succeeded: !hasFailed(result),
      exitCode: result.exitCode,
      conditionMet:
        condition && (await this.#findFailedCondition({ ...task, outputs }, [condition])) === undefined,
    });
  }

  /** Conditions may run commands, so this first makes sure that the run is still ours. */
  async #findFailedCondition(
    { step, outputs, extra }: NodeTask,
    conditions: readonly Condition[],
  ): Promise<ConditionFailure | undefined> {
    const { scope, durable } = this.#context;
    await durable();
    try {
      const environment = await scope.stepEnvironment(step.env, outputs, extra);
      const isRemote = this.#context.remote.getSelector(step) !== undefined;
      const cwd = isRemote ? scope.workingDir : await scope.stepFolder(step, environment);
      return await findFailedCondition(
        conditions,
        scope.conditionTools(environment, cwd, step.shell),
        this.#context.clock,
      );
    } catch (error) {
      return conditionError(error);
    }
  }

  async #finish(task: NodeTask, { attempt, result }: CompletedSeries): Promise<NodeResult> {
    const { node } = task;
    const { exitCode, signal, captured } = result;
    const { problem, ...end } = await this.#judge(task, attempt, result);
    const error =
      problem === undefined ? result.error : `${result.error ?? 'failed'}; continueOn.output: ${problem}`;
    const finished = { node, attempt, exitCode, signal, ...(end.status === 'succeeded' ? {} : { error }) };
    failPoint('step.before_settle');
    this.#context.emit({ type: 'step.finished', ...finished, status: end.status, output: captured });
    failPoint('step.ended');
    return { ...end, attempt, exitCode, error, output: captured };
  }

  async #judge({ step, node }: NodeTask, attempt: number, result: AttemptResult): Promise<Judgement> {
    if (result.cause === 'abort') return { status: 'aborted', tolerated: false };
    if (!hasFailed(result))
      return { status: result.partial === true ? 'partially_succeeded' : 'succeeded', tolerated: false };
    const policy = step.continueOn;
    const stdout = path.join(this.#context.runDir, attemptDir(node, attempt), attemptFiles.stdout);
    let problem: string | undefined;
    const outputMatches =
      needsOutput(policy, result.exitCode) &&
      (await matchesStdout(step, stdout, this.#context.clock).catch((error: unknown) => {
        problem = getErrorMessage(error);
        return false;
      }));
    const verdict = evaluateFailure(policy, { exitCode: result.exitCode, outputMatches });
    return { status: verdict === 'succeed' ? 'succeeded' : 'failed', tolerated: verdict !== 'stop', problem };
  }

  /** Waits until a time in epoch milliseconds; returns false when the run is being stopped. */
  #waitUntil(dueAt: number): Promise<boolean> {
    const { clock, stopping } = this.#context;
    return waitUnlessAborted(clock, Math.max(0, dueAt - clock.now()), stopping);
  }
}

/**
 * Returns the condition of a repeat policy: with `expected` an expression, otherwise a command, as in preconditions.
 */
function getCondition({ condition, expected }: RepeatPolicy): Condition | undefined {
  if (condition === undefined) return undefined;
  return expected === undefined
    ? { kind: 'command', command: condition, negate: false }
    : { kind: 'expression', condition, expected, negate: false };
}
