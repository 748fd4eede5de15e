import type { AppError } from '../base/errors.ts';
import type { Step } from '../model/step.ts';
import type { Termination } from './run-handlers.ts';
import { hasTimeout } from './steps/attempt-terminator.ts';
import type { StepRunner } from './steps/step-runner.ts';

/**
 * State of a run on this host.
 *
 *   preparing ──prepared──▶ running ──steps_ended──▶ closing ──work_ended──▶ finishing ──recorded──▶ finished
 *       │                                                                        ▲
 *       └──preparation_failed──▶ unprepared ──────────work_ended─────────────────┘
 *
 *   any of these but finished ──released──▶ released
 *
 * - preparing: opens the run's log and resolves its values
 * - unprepared: its values cannot be resolved; ends what another host has started, then sends the mails
 * - running: conditions → init handler → steps
 * - closing: success, failure or abort handler → exit handler → mails
 * - finishing: the end is emitted and not yet on disk; it can no longer change
 * - released: another host owns the run, or it cannot be driven from here
 *
 * `end_early` and `kill` keep the phase and set `earlyEnd`; `handler_failed` keeps it and sets `handlerFailure`.
 */
export type RunState =
  | { readonly phase: 'preparing'; readonly earlyEnd?: EarlyEnd | undefined }
  | { readonly phase: 'unprepared'; readonly earlyEnd: EarlyEnd }
  | { readonly phase: 'running'; readonly earlyEnd?: EarlyEnd | undefined; readonly runners: Runners }
  | {
      readonly phase: 'closing';
      readonly earlyEnd?: EarlyEnd | undefined;
      readonly runners: Runners;
      /** The first closing handler that failed, as a sentence. */
      readonly handlerFailure?: string;
    }
  | { readonly phase: 'finishing' | 'finished' }
  | {
      readonly phase: 'released';
      /** Why this host cannot drive the run although no other does. */
      readonly failure?: AppError | undefined;
    };

/** Runs the steps of the run, and its handlers, which go on when the steps are stopped. */
export type Runners = Readonly<Record<'steps' | 'handlers', Pick<StepRunner, 'stop' | 'kill' | 'abandon'>>>;

/** Why a run ends before its steps have: the first reason counts, while `scope` can grow. */
export interface EarlyEnd {
  readonly reason: Termination;
  /** What ends: after a timeout, not the steps with a limit of their own; after a kill, handlers too. */
  readonly scope: 'untimed_steps' | 'steps' | 'everything';
}

export type RunStateEvent =
  | { readonly type: 'prepared'; readonly runners: Runners }
  | { readonly type: 'preparation_failed'; readonly reason: Termination }
  | { readonly type: 'steps_ended' | 'work_ended' | 'recorded' }
  | { readonly type: 'kill' }
  | { readonly type: 'handler_failed'; readonly error: string }
  | { readonly type: 'end_early'; readonly reason: Termination }
  | { readonly type: 'released'; readonly failure?: AppError | undefined };

/** Returns the first state of a run. @param reason why another host has ended it early */
export const initialState = (reason: Termination | undefined): RunState => ({
  phase: 'preparing',
  earlyEnd: reason && toEarlyEnd(reason),
});

/** Returns the state after an event; undefined when the event does not apply to the state. */
export function transition(state: RunState, event: RunStateEvent): RunState | undefined {
  switch (event.type) {
    case 'prepared':
      return state.phase === 'preparing' ? { ...state, phase: 'running', runners: event.runners } : undefined;
    case 'preparation_failed':
      if (state.phase !== 'preparing') return undefined;
      return { phase: 'unprepared', earlyEnd: state.earlyEnd ?? toEarlyEnd(event.reason) };
    case 'steps_ended':
      return state.phase === 'running' ? { ...state, phase: 'closing' } : undefined;
    case 'handler_failed':
      if (state.phase !== 'closing' || state.handlerFailure !== undefined) return undefined;
      return { ...state, handlerFailure: event.error };
    case 'work_ended':
      return state.phase === 'closing' || state.phase === 'unprepared' ? { phase: 'finishing' } : undefined;
    case 'recorded':
      return state.phase === 'finishing' ? { phase: 'finished' } : undefined;
    case 'end_early':
      return isStoppable(state) ? endEarly(state, event.reason) : undefined;
    case 'kill':
      if (!isStoppable(state)) return undefined;
      return { ...state, earlyEnd: { reason: state.earlyEnd?.reason ?? killed, scope: 'everything' } };
    case 'released':
      if (state.phase === 'finished' || state.phase === 'released') return undefined;
      return { phase: 'released', failure: event.failure };
  }
}

/** Whether the run ends the step early. */
export function endsEarly(state: RunState, step: Step): boolean {
  if (!isStoppable(state) || state.earlyEnd === undefined) return false;
  return state.earlyEnd.scope !== 'untimed_steps' || !hasTimeout(step);
}

type StoppableState = Extract<RunState, { readonly earlyEnd?: EarlyEnd | undefined }>;

const isStoppable = (state: RunState): state is StoppableState =>
  state.phase === 'preparing' ||
  state.phase === 'unprepared' ||
  state.phase === 'running' ||
  state.phase === 'closing';

/** A stop also ends the steps that a timeout has left, and repeats itself to those that have not ended yet. */
function endEarly(state: StoppableState, reason: Termination): RunState | undefined {
  const { earlyEnd } = state;
  if (earlyEnd === undefined) return { ...state, earlyEnd: toEarlyEnd(reason) };
  if (reason.cause !== 'stopped' || earlyEnd.scope === 'everything') return undefined;
  return { ...state, earlyEnd: { ...earlyEnd, scope: 'steps' } };
}

const killed: Termination = { cause: 'stopped', error: 'killed' };

const toEarlyEnd = (reason: Termination): EarlyEnd => ({
  reason,
  scope: reason.cause === 'timeout' ? 'untimed_steps' : 'steps',
});
