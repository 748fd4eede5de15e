import type { Dispose } from '../../base/clock.ts';
import type { ExecutorEnd, RunningStep } from '../../executors/executor.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { AttemptResult, StopCause } from './node-task.ts';
import type { StepSurroundings } from './step-context.ts';

/** Exit code of a step whose time was over, as `timeout(1)` has it. */
const timedOutExitCode = 124;

/** Ends an attempt that is under way. */
export type EndAttempt = (how: 'stop' | 'kill') => void;

/** Ends one attempt early, whatever it is at: at its values, or at its action. The first reason is kept. */
export class AttemptEnding {
  readonly #around: Pick<StepSurroundings, 'clock' | 'stopping' | 'workflow'>;
  readonly #step: Step;
  readonly #ending = new AbortController();
  readonly #timers: Dispose[] = [];
  #running: RunningStep | undefined;
  #cause: StopCause | undefined;
  #hasTime = false;
  /** What what has not begun yet is to be told. */
  #asked: 'stop' | 'kill' | undefined;

  /** @param startedAt when the time of a step with a limit of its own began, epoch milliseconds; undefined when it has not */
  constructor(
    around: Pick<StepSurroundings, 'clock' | 'stopping' | 'workflow'>,
    step: Step,
    startedAt: number | undefined,
  ) {
    this.#around = around;
    this.#step = step;
    if (startedAt !== undefined) this.beginTime(startedAt);
  }

  /** The time of the attempt has begun: unless it had before. */
  beginTime(startedAt: number): void {
    if (!hasOwnLimit(this.#step) || this.#hasTime) return;
    this.#hasTime = true;
    const { clock } = this.#around;
    const leftMs = Math.max(0, startedAt + this.#step.timeoutSec * 1000 - clock.now());
    this.#timers.push(clock.after(leftMs, () => this.#stop('timeout')));
  }

  /** Aborted as soon as the attempt is to end. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the attempt is to end. */
  get isWanted(): boolean {
    return this.#cause !== undefined;
  }

  readonly end: EndAttempt = (how) => {
    if (how === 'kill') {
      this.#ask('abort', 'kill');
      return;
    }
    if (this.#step.repeat === undefined || this.#running === undefined) return this.#stop('abort');
    // A step that repeats is let finish its time, if it does so soon.
    const { clock, workflow } = this.#around;
    this.#timers.push(clock.after(workflow.maxCleanUpTimeSec * 1000, () => this.#stop('abort')));
  };

  /** What has begun, up to its end. */
  awaitEnd(running: RunningStep): Promise<ExecutorEnd> {
    this.#running = running;
    if (this.#asked !== undefined) running[this.#asked]();
    return running.ended;
  }

  /** Whether somebody wants the attempt to end, its own time apart. */
  get isStopped(): boolean {
    return this.#cause === 'abort';
  }

  /** How the attempt ended, in the light of what ended it. */
  explain(result: AttemptResult): AttemptResult {
    const cause = this.#cause ?? (this.#isTimedOut(result) ? 'timeout' : undefined);
    if (cause === undefined) return result;
    if (cause === 'abort') {
      const when = this.#running === undefined ? ' before the step started' : '';
      return { ...result, cause, error: `${String(this.#around.stopping.reason)}${when}` };
    }
    return { ...result, cause, exitCode: timedOutExitCode, error: describeTimeout(this.#step) };
  }

  /** A worker ends what is out of time itself, since it is the first to know. */
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

/** Whether the step's own limit counts and not the run's (its `timeoutSec` overrides the workflow's). */
export const hasOwnLimit = (step: Step): step is Step & { timeoutSec: number } =>
  step.timeoutSec !== undefined && step.timeoutSec > 0;
