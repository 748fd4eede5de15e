import type { HandlerName } from '../model/workflow/handler-name.ts';
import { formatActor } from '../model/run/actor.ts';
import type { RunEndCause } from '../model/run/run-event.ts';
import type { RunStatus } from '../model/run/status.ts';
import { quoteStepName } from '../model/run/step-reason.ts';
import type { NodeResult } from './steps/node-task.ts';

/** The handler that runs after the steps and before `exit`, by the outcome of the steps. */
export const closingHandlers = {
  succeeded: 'success',
  partially_succeeded: 'success',
  failed: 'failure',
  aborted: 'abort',
} as const satisfies Partial<Record<RunStatus, HandlerName>>;
/** Final status of a run. */
export type FinalStatus = keyof typeof closingHandlers;

/** Why a run did not succeed, for programs and for people. */
export interface Termination {
  readonly cause: RunEndCause;
  readonly error: string;
}

/** Returns the ending of a run that was stopped. @param by who stopped it, or through which interface */
export const createStopTermination = (by: string): Termination => ({
  cause: 'stopped',
  error: `stopped ${formatActor(by)}`,
});

/** Everything that can be the reason of an ending. */
export interface TerminationInput {
  /** The reason why the steps ended early, if they did. */
  readonly requested: Termination | undefined;
  /** Names of all steps, in file order. */
  readonly steps: readonly string[];
  /** Results of the steps that have ended. */
  readonly results: ReadonlyMap<string, NodeResult>;
  /** Whether the run would have succeeded, at least partially, judging by the steps alone. */
  readonly stepsSucceeded: boolean;
  /** The first closing handler that failed. */
  readonly handlerFailure: string | undefined;
}

/** Returns the ending. The first reason counts; a handler that failed later is mentioned too. */
export function describeTermination({
  requested,
  steps,
  results,
  stepsSucceeded,
  handlerFailure,
}: TerminationInput): Termination {
  if (requested === undefined && stepsSucceeded && handlerFailure !== undefined)
    return { cause: 'handler', error: handlerFailure };
  const first: Termination = requested ?? { cause: 'steps', error: describeFailures(steps, results) };
  return handlerFailure === undefined ? first : { ...first, error: `${first.error}; ${handlerFailure}` };
}

function describeFailures(steps: readonly string[], results: TerminationInput['results']): string {
  const [first, ...remaining] = [...results].filter(
    ([, { status }]) => status === 'failed' || status === 'partially_succeeded',
  );
  if (first === undefined) {
    const unstarted = steps.find((step) => !results.has(step));
    return unstarted === undefined ? 'a step did not succeed' : `${quoteStepName(unstarted)} never ran`;
  }
  const [name, { status, error }] = first;
  const verb = status === 'failed' ? 'failed' : 'partially succeeded';
  const more = remaining.length > 0 ? ` (and ${remaining.length} more)` : '';
  return `${quoteStepName(name)} ${verb}: ${error ?? 'see its log'}${more}`;
}
