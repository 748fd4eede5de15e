import type { Dispose } from '../../base/clock.ts';
import type { ExecutorResult, RunningStep } from '../../executors/executor.ts';
import type { Step } from '../../model/step.ts';
import type { AttemptResult, StopCause } from './node-task.ts';
import type { StepRunContext } from './step-context.ts';

/** Exit code of a step that timed out, as in `timeout(1)`. */
const timedOutExitCode = 124;

/** Ends a running attempt. */
export type EndAttempt = (how: 'stop' | 'kill') => void;

/**
 * State of an attempt.
 *
 *   preparing ──▶ running
 *       │            │
 *       └────────────┴──▶ ending: stopped, killed or timed out, before or after the action started
 *
 * A stop can become a kill; the first cause counts.
 */
type AttemptState =
  | { readonly phase: 'preparing' }
  | { readonly phase: 'running'; readonly action: RunningStep }
  | {
      readonly phase: 'ending';
      readonly cause: StopCause;
      readonly how: 'stop' | 'kill';
      /** Undefined when the action has not started. */
      readonly action: RunningStep | undefined;
    };

/** Ends one attempt early, while it resolves its values or runs its action. */
export class AttemptTerminator {
  readonly #context: Pick<StepRunContext, 'clock' | 'stopping' | 'workflow'>;
  readonly #step: Step;
  readonly #ending = new AbortController();
  readonly #graceTimers: Dispose[] = [];
  #timeLimit: Dispose | undefined;
  #state: AttemptState = { phase: 'preparing' };

  /**
   * @param startedAt when the time of a step with its own limit started, in epoch milliseconds; undefined when it has
   * not
   */
  constructor(
    context: Pick<StepRunContext, 'clock' | 'stopping' | 'workflow'>,
    step: Step,
    startedAt: number | undefined,
  ) {
    this.#context = context;
    this.#step = step;
    if (startedAt !== undefined) this.startTimer(startedAt);
  }

  /** Starts the time of the attempt, unless it has started before. */
  startTimer(startedAt: number): void {
    if (!hasTimeout(this.#step)) return;
    const { clock } = this.#context;
    const remainingMs = Math.max(0, startedAt + this.#step.timeoutSec * 1000 - clock.now());
    this.#timeLimit ??= clock.after(remainingMs, () => this.#end('timeout', 'stop'));
  }

  /** Aborted as soon as the attempt has to end. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the attempt has to end. */
  get isEnding(): boolean {
    return this.#state.phase === 'ending';
  }

  readonly end: EndAttempt = (how) => {
    if (how === 'stop' && this.#step.repeat !== undefined && this.#hasStarted()) {
      // A repeating step may finish its current execution if it does so in time.
      const { clock, workflow } = this.#context;
      this.#graceTimers.push(
        clock.after(workflow.maxCleanUpTimeSec * 1000, () => this.#end('abort', 'stop')),
      );
      return;
    }
    this.#end('abort', how);
  };

  /** Waits for the end of a running action. */
  awaitEnd(action: RunningStep): Promise<ExecutorResult> {
    const state = this.#state;
    this.#state = state.phase === 'ending' ? { ...state, action } : { phase: 'running', action };
    if (state.phase === 'ending') action[state.how]();
    return action.ended;
  }

  /** Whether a stop or kill of the attempt was requested, apart from its own timeout. */
  get isStopped(): boolean {
    return this.#state.phase === 'ending' && this.#state.cause === 'abort';
  }

  /** Returns the result of the attempt, considering what ended it. */
  explain(result: AttemptResult): AttemptResult {
    const timedOut = this.#isTimedOut(result) ? 'timeout' : undefined;
    const cause = this.#state.phase === 'ending' ? this.#state.cause : timedOut;
    if (cause === undefined) return result;
    if (cause === 'abort') {
      const when = this.#hasStarted() ? '' : ' before the step started';
      return { ...result, cause, error: `${String(this.#context.stopping.reason)}${when}` };
    }
    return { ...result, cause, exitCode: timedOutExitCode, error: formatTimeout(this.#step) };
  }

  /** Whether the attempt timed out. A worker enforces the time limit itself, because it knows first. */
  #isTimedOut({ exitCode, error }: AttemptResult): boolean {
    return exitCode === timedOutExitCode && hasTimeout(this.#step) && error === formatTimeout(this.#step);
  }

  dispose(): void {
    this.#timeLimit?.();
    for (const dispose of this.#graceTimers) dispose();
  }

  #hasStarted(): boolean {
    return this.#state.phase !== 'preparing' && this.#state.action !== undefined;
  }

  #end(cause: StopCause, how: 'stop' | 'kill'): void {
    const before = this.#state;
    const action = before.phase === 'preparing' ? undefined : before.action;
    this.#state =
      before.phase === 'ending'
        ? { ...before, how: before.how === 'kill' ? 'kill' : how }
        : { phase: 'ending', cause, how, action };
    this.#ending.abort(this.#state.cause);
    action?.[how]();
  }
}

const formatTimeout = ({ timeoutSec }: Step): string => `step timed out after ${timeoutSec} s`;

/** Whether the step has its own limit (its `timeoutSec` overrides the workflow's). */
export const hasTimeout = (step: Step): step is Step & { timeoutSec: number } =>
  step.timeoutSec !== undefined && step.timeoutSec > 0;
