import { type NodeId, type RunEvent, stepTransitions } from '../../model/run-event.ts';
import type { RunStatus, StepStatus } from '../../model/run.ts';

/** An event that a step accepts in some states only. */
export type StepEvent = Extract<RunEvent, { type: keyof typeof stepTransitions }>;

export const isStepEvent = (event: RunEvent): event is StepEvent =>
  Object.hasOwn(stepTransitions, event.type);

/** The state that decides whether a step accepts an event. */
export interface StepState {
  readonly status: StepStatus;
  /** Number of the newest attempt, 0 before the first. */
  readonly attempt: number;
  /** Whether that attempt has not ended. */
  readonly isOpen: boolean;
}

/** A run as its owner has left it. Only the owner changes it and its steps, until the epoch rises. */
export interface RunState {
  readonly epoch: number;
  status: RunStatus;
  readonly steps: Map<string, StepState>;
  /** Whether steps that are not in `steps` have not started. */
  readonly isWhole: boolean;
}

/** Most runs to remember; a host drives fewer. */
const maxRuns = 10_000;

export const newStep: StepState = { status: 'not_started', attempt: 0, isOpen: false };

/**
 * The runs that this process writes, as it has left them, so that it need not read them again. A run is only taken from
 * here together with a condition on its epoch and status.
 */
export class RunStates {
  readonly #runs = new Map<number, RunState>();

  get(runKey: number): RunState | undefined {
    return this.#runs.get(runKey);
  }

  set(runKey: number, state: RunState): void {
    if (this.#runs.size >= maxRuns) this.#runs.clear();
    this.#runs.set(runKey, state);
  }

  forget(runKeys: Iterable<number>): void {
    for (const key of runKeys) this.#runs.delete(key);
  }
}

export const stepKeyOf = ({ section, name }: NodeId): string => `${section}/${name}`;

/** Returns the state of a step after an event that it has accepted. */
export function nextStepState(state: StepState, event: StepEvent): StepState {
  switch (event.type) {
    case 'step.started':
      return { status: 'running', attempt: event.attempt, isOpen: true };
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
      return { ...state, isOpen: false };
    case 'step.finished':
    case 'step.ended':
      return { ...state, status: event.status, isOpen: false };
    default:
      return state;
  }
}
