import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { Workflow } from '../../model/workflow.ts';
import { handlerNames, type HandlerName } from '../../model/workflow-rules.ts';
import { isFulfilled, type StepStatus } from '../../model/run.ts';
import { findDownstream } from './graph.ts';

/** Options for retrying an ended run. */
export interface RerunOptions {
  /** Start with this step, whatever its result was; without it, with all steps that did not succeed. */
  readonly step?: string;
  /** With `step`: also run all of its dependents. */
  readonly downstream?: boolean;
}

/** The plan for one step. */
export interface PlannedStep {
  readonly name: string;
  readonly action: 'run' | 'keep';
  /** Its current status, which it keeps unless it runs again. */
  readonly status: StepStatus;
  /** The reason, as a phrase that follows the step's name. */
  readonly reason: string;
}

/** The effect of a retry, step by step. */
export interface RerunPlan {
  /** Every step of the workflow, in file order. */
  readonly steps: readonly PlannedStep[];
  /** The handlers that run again; the new outcome decides which closing handlers run. */
  readonly handlers: readonly HandlerName[];
}

type RerunWorkflow = Pick<Workflow, 'name' | 'steps' | 'handlers'>;
type States = ReadonlyMap<string, StepStatus>;

const endLabels: Record<StepStatus, string> = {
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
 * Returns which steps a retry of an ended run runs again and which keep their results. Without a step: steps that
 * failed, were aborted or never ran, and everything downstream of them. With a step: that step alone, or with its
 * downstream and the steps that never ran, because a run with steps that cannot start has no end.
 * @param states by step name; a missing step has never run
 * @throws `nothing_to_retry`, `not_found` for an unknown step, `bad_request` for `downstream` without a step
 */
export function planRerun(workflow: RerunWorkflow, states: States, options: RerunOptions): RerunPlan {
  const rerunSteps = findRerunSteps(workflow, states, options);
  const steps = workflow.steps.map(({ name, depends }): PlannedStep => {
    const status = getStatus(states, name);
    if (!rerunSteps.has(name)) return { name, action: 'keep', status, reason: reasonToKeep(status) };
    return {
      name,
      action: 'run',
      status,
      reason: explain({ name, depends }, { states, rerunSteps, options }),
    };
  });
  return { steps, handlers: handlerNames.filter((name) => workflow.handlers[name] !== undefined) };
}

/** Returns the names of the steps that a plan runs again. */
export const stepsToRun = (plan: RerunPlan): string[] =>
  plan.steps.filter(({ action }) => action === 'run').map(({ name }) => name);

function findRerunSteps(
  workflow: RerunWorkflow,
  states: States,
  { step, downstream }: RerunOptions,
): Set<string> {
  const names = workflow.steps.map(({ name }) => name);
  const incomplete = names.filter((name) => !isFulfilled(getStatus(states, name)));
  if (step === undefined) {
    if (downstream) throw new AppError('bad_request', 'downstream requires a step.');
    if (incomplete.length === 0) throw nothingToRetry(workflow.name);
    return new Set([...incomplete, ...findDownstream(workflow.steps, incomplete)]);
  }
  if (!names.includes(step)) throw unknownStep(workflow.name, step, names);
  if (!downstream) return new Set([step]);
  const neverRan = incomplete.filter((name) => getStatus(states, name) === 'not_started');
  const first = [step, ...neverRan];
  return new Set([...first, ...findDownstream(workflow.steps, first)]);
}

interface RerunContext {
  readonly states: States;
  readonly rerunSteps: ReadonlySet<string>;
  readonly options: RerunOptions;
}

function explain(
  { name, depends }: { readonly name: string; readonly depends: readonly string[] },
  { states, rerunSteps, options }: RerunContext,
): string {
  const status = getStatus(states, name);
  if (name === options.step) return 'requested';
  const cause = depends.find((dependency) => rerunSteps.has(dependency));
  const hasOwnReason = !isFulfilled(status) && (options.step === undefined || status === 'not_started');
  if (hasOwnReason || cause === undefined) return endLabels[status];
  const failedDependency = depends.find(
    (dependency) => !rerunSteps.has(dependency) && !isFulfilled(getStatus(states, dependency)),
  );
  const unmetDependency =
    failedDependency === undefined
      ? ''
      : `; but ${failedDependency} remains ${getStatus(states, failedDependency)}`;
  return `depends on ${cause}, which runs again${unmetDependency}`;
}

const reasonToKeep = (status: StepStatus): string =>
  isFulfilled(status) ? endLabels[status] : `${endLabels[status]}; kept`;

const getStatus = (states: States, name: string): StepStatus => states.get(name) ?? 'not_started';

function nothingToRetry(dag: string): AppError {
  return new AppError(
    'nothing_to_retry',
    `Nothing to retry: all steps of ${dag} succeeded or were skipped. Specify a step.`,
  );
}

function unknownStep(dag: string, step: string, names: readonly string[]): AppError {
  const nearest = findNearest(step, names);
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new AppError(
    'not_found',
    `${dag} has no step "${step}".${suggestion}`,
    nearest === undefined ? {} : { details: { nearest } },
  );
}
