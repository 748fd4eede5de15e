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
 *   preparing ──started──▶ running ──stop, of a repeating step──▶ draining
 *       │                     │                                      │
 *       │ stop, kill, timeout │ stop, kill, timeout                  │ kill, timeout, grace_over
 *       └─────────────────────┴──────────▶ ending ◀──────────────────┘
 *
 * - draining: a repeating step may finish its current execution if it does so in time
 * - ending: stopped, killed or timed out; the first cause counts, and a stop can become a kill
 */
export type AttemptState =
  | { readonly phase: 'preparing' }
  | { readonly phase: 'running' | 'draining'; readonly action: RunningStep }
  | {
      readonly phase: 'ending';
      readonly cause: StopCause;
      readonly how: 'stop' | 'kill';
      /** Undefined when the action has not started. */
      readonly action: RunningStep | undefined;
    };

export type AttemptEvent =
  | { readonly type: 'started'; readonly action: RunningStep }
  | { readonly type: 'stop'; readonly isRepeating: boolean }
  | { readonly type: 'kill' | 'timeout' | 'grace_over' };

/** Returns the state after an event; undefined when the event does not apply to the state. */
export function transition(state: AttemptState, event: AttemptEvent): AttemptState | undefined {
  const action = state.phase === 'preparing' ? undefined : state.action;
  switch (event.type) {
    case 'started':
      if (state.phase === 'preparing') return { phase: 'running', action: event.action };
      return state.phase === 'ending' && action === undefined
        ? { ...state, action: event.action }
        : undefined;
    case 'stop':
      if (state.phase === 'draining') return undefined;
      // A stop can be repeated, for an action that has not ended yet.
      if (state.phase === 'ending') return state.how === 'stop' ? { ...state } : undefined;
      if (state.phase === 'running' && event.isRepeating) return { ...state, phase: 'draining' };
      return { phase: 'ending', cause: 'abort', how: 'stop', action };
    case 'kill':
      return {
        phase: 'ending',
        cause: state.phase === 'ending' ? state.cause : 'abort',
        how: 'kill',
        action,
      };
    case 'timeout':
      return state.phase === 'ending'
        ? undefined
        : { phase: 'ending', cause: 'timeout', how: 'stop', action };
    case 'grace_over':
      return state.phase === 'draining'
        ? { phase: 'ending', cause: 'abort', how: 'stop', action }
        : undefined;
  }
}

/** Ends one attempt early, while it resolves its values or runs its action. */
export class AttemptTerminator {
  readonly #context: Pick<StepRunContext, 'clock' | 'stopping' | 'workflow'>;
  readonly #step: Step;
  readonly #ending = new AbortController();
  readonly #timers = new Map<'timeout' | 'grace_over', Dispose>();
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
    this.#sendAfter('timeout', startedAt + this.#step.timeoutSec * 1000 - this.#context.clock.now());
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
    this.#send(
      how === 'kill' ? { type: 'kill' } : { type: 'stop', isRepeating: this.#step.repeat !== undefined },
    );
    if (this.#state.phase === 'draining')
      this.#sendAfter('grace_over', this.#context.workflow.maxCleanUpTimeSec * 1000);
  };

  /** Waits for the end of a running action. */
  awaitEnd(action: RunningStep): Promise<ExecutorResult> {
    this.#send({ type: 'started', action });
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
    for (const dispose of this.#timers.values()) dispose();
  }

  #hasStarted(): boolean {
    return this.#state.phase !== 'preparing' && this.#state.action !== undefined;
  }

  /** Changes the state, and ends the action in the state `ending`. */
  #send(event: AttemptEvent): void {
    const after = transition(this.#state, event);
    if (after === undefined) return;
    this.#state = after;
    if (after.phase !== 'ending') return;
    this.#ending.abort(after.cause);
    after.action?.[after.how]();
  }

  #sendAfter(type: 'timeout' | 'grace_over', delayMs: number): void {
    if (this.#timers.has(type)) return;
    this.#timers.set(
      type,
      this.#context.clock.after(Math.max(0, delayMs), () => this.#send({ type })),
    );
  }
}

const formatTimeout = ({ timeoutSec }: Step): string => `step timed out after ${timeoutSec} s`;

/** Whether the step has its own limit (its `timeoutSec` overrides the workflow's). */
export const hasTimeout = (step: Step): step is Step & { timeoutSec: number } =>
  step.timeoutSec !== undefined && step.timeoutSec > 0;
