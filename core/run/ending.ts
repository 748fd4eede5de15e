import type { HandlerName } from '../model/workflow/handler-name.ts';
import { describeDoer } from '../model/run/doer.ts';
import type { RunEndCause } from '../model/run/run-event.ts';
import type { RunStatus } from '../model/run/status.ts';
import { nameStep } from '../model/run/step-reason.ts';
import type { NodeResult } from './steps/node-task.ts';

/** The handler that runs after the steps, before `exit`, by what became of them. */
export const closingHandlers = {
  succeeded: 'success',
  partially_succeeded: 'success',
  failed: 'failure',
  aborted: 'abort',
} as const satisfies Partial<Record<RunStatus, HandlerName>>;
/** What a run may end as. */
export type FinalStatus = keyof typeof closingHandlers;

/** Why a run ends otherwise than `succeeded`, for programs and for people. */
export interface Ending {
  readonly cause: RunEndCause;
  readonly error: string;
}

/** The ending of a run that somebody has stopped. @param by who, or the way that was taken */
export const endingByStop = (by: string): Ending => ({
  cause: 'stopped',
  error: `stopped ${describeDoer(by)}`,
});

/** Everything that may be the reason. */
export interface EndingFacts {
  /** What ended the steps early, if anything. */
  readonly early: Ending | undefined;
  /** Names of all steps, in file order. */
  readonly steps: readonly string[];
  /** Of those that have ended. */
  readonly results: ReadonlyMap<string, NodeResult>;
  /** The steps alone would have made the run succeed, at least in part. */
  readonly stepsSucceeded: boolean;
  /** The first closing handler that failed. */
  readonly handlerFailure: string | undefined;
}

/** The first reason counts; a handler that failed after it is told as well. */
export function explainEnding({
  early,
  steps,
  results,
  stepsSucceeded,
  handlerFailure,
}: EndingFacts): Ending {
  if (early === undefined && stepsSucceeded && handlerFailure !== undefined)
    return { cause: 'handler', error: handlerFailure };
  const first: Ending = early ?? { cause: 'steps', error: describeFailures(steps, results) };
  return handlerFailure === undefined ? first : { ...first, error: `${first.error}; ${handlerFailure}` };
}

function describeFailures(steps: readonly string[], results: EndingFacts['results']): string {
  const [first, ...others] = [...results].filter(
    ([, { status }]) => status === 'failed' || status === 'partially_succeeded',
  );
  if (first === undefined) {
    const unstarted = steps.find((step) => !results.has(step));
    return unstarted === undefined ? 'a step did not succeed' : `${nameStep(unstarted)} never ran`;
  }
  const [name, { status, error }] = first;
  const verb = status === 'failed' ? 'failed' : 'partially succeeded';
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${nameStep(name)} ${verb}: ${error ?? 'see its log'}${more}`;
}
