import type { Dispose } from '../../base/clock.ts';
import type { ExecutorResult, RunningStep } from '../../executors/executor.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { AttemptResult, StopCause } from './node-task.ts';
import type { StepRunContext } from './step-context.ts';

/** Exit code of a step that timed out, as in `timeout(1)`. */
const timedOutExitCode = 124;

/** Ends a running attempt. */
export type EndAttempt = (how: 'stop' | 'kill') => void;

/** Ends one attempt early, while it resolves its values or runs its action. The first reason counts. */
export class AttemptTerminator {
  readonly #context: Pick<StepRunContext, 'clock' | 'stopping' | 'workflow'>;
  readonly #step: Step;
  readonly #ending = new AbortController();
  readonly #timers: Dispose[] = [];
  #running: RunningStep | undefined;
  #cause: StopCause | undefined;
  #hasTime = false;
  /** The request for an action that has not started yet. */
  #asked: 'stop' | 'kill' | undefined;

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
    if (startedAt !== undefined) this.beginTime(startedAt);
  }

  /** Starts the time of the attempt, unless it has started before. */
  beginTime(startedAt: number): void {
    if (!hasOwnLimit(this.#step) || this.#hasTime) return;
    this.#hasTime = true;
    const { clock } = this.#context;
    const leftMs = Math.max(0, startedAt + this.#step.timeoutSec * 1000 - clock.now());
    this.#timers.push(clock.after(leftMs, () => this.#stop('timeout')));
  }

  /** Aborted as soon as the attempt has to end. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the attempt has to end. */
  get isWanted(): boolean {
    return this.#cause !== undefined;
  }

  readonly end: EndAttempt = (how) => {
    if (how === 'kill') {
      this.#ask('abort', 'kill');
      return;
    }
    if (this.#step.repeat === undefined || this.#running === undefined) return this.#stop('abort');
    // A repeating step may finish its current execution if it does so in time.
    const { clock, workflow } = this.#context;
    this.#timers.push(clock.after(workflow.maxCleanUpTimeSec * 1000, () => this.#stop('abort')));
  };

  /** Waits for the end of a running action. */
  awaitEnd(running: RunningStep): Promise<ExecutorResult> {
    this.#running = running;
    if (this.#asked !== undefined) running[this.#asked]();
    return running.ended;
  }

  /** Whether a stop or kill of the attempt was requested, apart from its own timeout. */
  get isStopped(): boolean {
    return this.#cause === 'abort';
  }

  /** Returns the result of the attempt, considering what ended it. */
  explain(result: AttemptResult): AttemptResult {
    const cause = this.#cause ?? (this.#isTimedOut(result) ? 'timeout' : undefined);
    if (cause === undefined) return result;
    if (cause === 'abort') {
      const when = this.#running === undefined ? ' before the step started' : '';
      return { ...result, cause, error: `${String(this.#context.stopping.reason)}${when}` };
    }
    return { ...result, cause, exitCode: timedOutExitCode, error: describeTimeout(this.#step) };
  }

  /** Whether the attempt timed out. A worker enforces the time limit itself, because it knows first. */
  #isTimedOut({ exitCode, error }: AttemptResult): boolean {
    return exitCode === timedOutExitCode && hasOwnLimit(this.#step) && error === describeTimeout(this.#step);
  }

  dispose(): void {
    for (const dispose of this.#timers) dispose();
  }

  #stop(cause: StopCause): void {
    this.#ask(cause, 'stop');
  }

  #ask(cause: StopCause, how: 'stop' | 'kill'): void {
    this.#cause ??= cause;
    if (this.#asked !== 'kill') this.#asked = how;
    this.#ending.abort(cause);
    this.#running?.[how]();
  }
}

const describeTimeout = ({ timeoutSec }: Step): string => `step timed out after ${timeoutSec} s`;

/** Whether the step has its own limit (its `timeoutSec` overrides the workflow's). */
export const hasOwnLimit = (step: Step): step is Step & { timeoutSec: number } =>
  step.timeoutSec !== undefined && step.timeoutSec > 0;
