import { AppError } from '../base/errors.ts';
import { findNearest } from '../base/text/nearest.ts';
import { handlerNames, type HandlerName } from '../model/workflow/handler-name.ts';
import { isFulfilled, type StepStatus } from '../model/run/status.ts';
import type { Workflow } from '../model/workflow/workflow.ts';
import { findDownstream } from './graph.ts';

/** What is to begin anew in a run that has ended. */
export interface RerunWish {
  /** Begin with this step, whatever its end was; without one, with all that did not succeed. */
  readonly step?: string;
  /** With `step`: everything that depends on it, too. */
  readonly downstream?: boolean;
}

/** What becomes of one step. */
export interface PlannedStep {
  readonly name: string;
  readonly action: 'run' | 'keep';
  /** How it stands before; what is kept keeps it. */
  readonly status: StepStatus;
  /** Why, in words that follow the step's name. */
  readonly reason: string;
}

/** What a retry would do, step by step. */
export interface RerunPlan {
  /** Every step of the workflow, in file order. */
  readonly steps: readonly PlannedStep[];
  /** The handlers that begin anew; which of the closing ones then run, the new end decides. */
  readonly handlers: readonly HandlerName[];
}

type RerunWorkflow = Pick<Workflow, 'name' | 'steps' | 'handlers'>;
type States = ReadonlyMap<string, StepStatus>;

const endWords: Record<StepStatus, string> = {
  not_started: 'never ran',
  queued: 'never ran',
  running: 'did not finish',
  succeeded: 'already succeeded',
  partially_succeeded: 'already partially succeeded',
  skipped: 'was skipped',
  failed: 'failed',
  aborted: 'was aborted',
};

/**
 * What a retry of an ended run does again and what it keeps. Without a step: what failed, was
 * aborted or never ran, and everything downstream of it. With one: that step alone, or with its downstream
 * and what never ran, since a run with steps that cannot begin has no end.
 * Throws `nothing_to_retry`, `not_found` for an unknown step, `bad_request` for `downstream` without one.
 * @param states by step name; a step that is missing has never run
 */
export function planRerun(workflow: RerunWorkflow, states: States, wish: RerunWish): RerunPlan {
  const again = findAgain(workflow, states, wish);
  const steps = workflow.steps.map(({ name, depends }): PlannedStep => {
    const status = statusOf(states, name);
    if (!again.has(name)) return { name, action: 'keep', status, reason: keepReason(status) };
    return { name, action: 'run', status, reason: explain({ name, depends }, { states, again, wish }) };
  });
  return { steps, handlers: handlerNames.filter((name) => workflow.handlers[name] !== undefined) };
}

/** Names of the steps that a plan runs again. */
export const stepsToRun = (plan: RerunPlan): string[] =>
  plan.steps.filter(({ action }) => action === 'run').map(({ name }) => name);

function findAgain(workflow: RerunWorkflow, states: States, { step, downstream }: RerunWish): Set<string> {
  const names = workflow.steps.map(({ name }) => name);
  const unfinished = names.filter((name) => !isFulfilled(statusOf(states, name)));
  if (step === undefined) {
    if (downstream) throw new AppError('bad_request', 'downstream requires a step.');
    if (unfinished.length === 0) throw nothingToRetry(workflow.name);
    return new Set([...unfinished, ...findDownstream(workflow.steps, unfinished)]);
  }
  if (!names.includes(step)) throw unknownStep(workflow.name, step, names);
  if (!downstream) return new Set([step]);
  const neverRan = unfinished.filter((name) => statusOf(states, name) === 'not_started');
  const first = [step, ...neverRan];
  return new Set([...first, ...findDownstream(workflow.steps, first)]);
}

interface Circumstances {
  readonly states: States;
  readonly again: ReadonlySet<string>;
  readonly wish: RerunWish;
}

function explain(
  { name, depends }: { readonly name: string; readonly depends: readonly string[] },
  { states, again, wish }: Circumstances,
): string {
  const status = statusOf(states, name);
  if (name === wish.step) return 'requested';
  const cause = depends.find((dependency) => again.has(dependency));
  const ownEnd = !isFulfilled(status) && (wish.step === undefined || status === 'not_started');
  if (ownEnd || cause === undefined) return endWords[status];
  const broken = depends.find(
    (dependency) => !again.has(dependency) && !isFulfilled(statusOf(states, dependency)),
  );
  const doubt = broken === undefined ? '' : `; but ${broken} remains ${statusOf(states, broken)}`;
  return `depends on ${cause}, which runs again${doubt}`;
}

const keepReason = (status: StepStatus): string =>
  isFulfilled(status) ? endWords[status] : `${endWords[status]}; kept`;

const statusOf = (states: States, name: string): StepStatus => states.get(name) ?? 'not_started';

function nothingToRetry(dag: string): AppError {
  return new AppError(
    'nothing_to_retry',
    `Nothing to retry: all steps of ${dag} succeeded or were skipped. Specify a step.`,
  );
}

function unknownStep(dag: string, step: string, names: readonly string[]): AppError {
  const nearest = findNearest(step, names);
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new AppError(
    'not_found',
    `${dag} has no step "${step}".${guess}`,
    nearest === undefined ? {} : { details: { nearest } },
  );
}
