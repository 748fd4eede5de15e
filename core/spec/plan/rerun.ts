import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { Workflow } from '../../model/workflow.ts';
import { handlerNames, type HandlerName } from '../../model/workflow-rules.ts';
import { isFulfilled, type StepStatus } from '../../model/run.ts';
import { findDownstream, findUpstream } from './graph.ts';
import { findMaskedSources, type StepChanges } from './resume.ts';

/** Options for retrying an ended run. */
export interface RerunOptions {
  /** Start with this step, whatever its result was; without it, with all steps that did not succeed. */
  readonly step?: string;
  /** With `step`: also run all of its dependents. */
  readonly downstream?: boolean;
}

/** Inputs of a plan in addition to the options. */
export interface RerunInputs {
  /** Names of the steps whose output was masked and is not stored. */
  readonly masked?: ReadonlySet<string>;
  /** How the current file differs, when its text is to be used. */
  readonly changes?: StepChanges;
}

/** The plan for one step. */
export interface PlannedStep {
  readonly name: string;
  readonly action: 'run' | 'keep' | 'new' | 'removed';
  /** Its current status, which it keeps unless it runs again. */
  readonly status: StepStatus;
  /** The reason, as a phrase that follows the step's name. */
  readonly reason: string;
}

/** The effect of a retry, step by step. */
export interface RerunPlan {
  /** Every step of the workflow, in file order, then those that the file no longer has. */
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
 * failed, were aborted, never ran or have changed, and everything downstream of them. With a step: that step alone, or
 * with its downstream and the steps that never ran, because a run with steps that cannot start has no end. A step with
 * a masked output runs when a step that runs may read it.
 * @param allStates by step name; a missing step has never run
 * @throws `nothing_to_retry`, `not_found` for an unknown step, `bad_request` for `downstream` without a step
 */
export function planRerun(
  workflow: RerunWorkflow,
  allStates: States,
  options: RerunOptions,
  inputs: RerunInputs = {},
): RerunPlan {
  const { changes } = inputs;
  const states = withoutAdded(allStates, changes);
  const isAlone = options.step !== undefined && options.downstream !== true;
  const first = findRerunSteps(workflow, states, options, changes);
  const rerunSteps = isAlone ? first : withMaskedSources(workflow, first, inputs.masked);
  const context = { states, rerunSteps, options, inputs };
  const steps = workflow.steps.map(({ name, depends }): PlannedStep => {
    const status = getStatus(states, name);
    if (!rerunSteps.has(name)) return { name, action: 'keep', status, reason: reasonToKeep(name, context) };
    const isNew = changes?.added.has(name) === true;
    return { name, action: isNew ? 'new' : 'run', status, reason: explain({ name, depends }, context) };
  });
  const removed = Array.from(changes?.removed ?? [], ([name, renamedTo]): PlannedStep => {
    const reason = renamedTo === undefined ? 'not in the file' : `renamed to ${renamedTo}`;
    return { name, action: 'removed', status: getStatus(states, name), reason };
  });
  return {
    steps: [...steps, ...removed],
    handlers: handlerNames.filter((name) => workflow.handlers[name] !== undefined),
  };
}

/** An added step may have the name of a step that an earlier version had: its results do not count. */
const withoutAdded = (states: States, changes: StepChanges | undefined): States =>
  changes === undefined ? states : new Map([...states].filter(([name]) => !changes.added.has(name)));

function withMaskedSources(
  { steps }: RerunWorkflow,
  rerunSteps: Set<string>,
  masked: ReadonlySet<string> = new Set(),
): Set<string> {
  const all = new Set(rerunSteps);
  for (let found = findMaskedSources(steps, all, masked); found.length > 0;) {
    for (const name of [...found, ...findDownstream(steps, found)]) all.add(name);
    found = findMaskedSources(steps, all, masked);
  }
  return all;
}

/** Returns the names of the steps that a plan runs again. */
export const stepsToRun = (plan: RerunPlan): string[] =>
  plan.steps.filter(({ action }) => action === 'run' || action === 'new').map(({ name }) => name);

function findRerunSteps(
  workflow: RerunWorkflow,
  states: States,
  { step, downstream }: RerunOptions,
  changes: StepChanges | undefined,
): Set<string> {
  const names = workflow.steps.map(({ name }) => name);
  const incomplete = names.filter((name) => !isFulfilled(getStatus(states, name)));
  if (step === undefined) {
    if (downstream) throw new AppError('bad_request', 'downstream requires a step.');
    const first = new Set([...incomplete, ...(changes?.changed.keys() ?? [])]);
    if (first.size === 0 && (changes === undefined || changes.removed.size === 0))
      throw nothingToRetry(workflow.name);
    return new Set([...first, ...findDownstream(workflow.steps, first)]);
  }
  if (!names.includes(step)) throw unknownStep(workflow.name, step, names);
  if (!downstream) return new Set([step]);
  const neverRan = incomplete.filter((name) => getStatus(states, name) === 'not_started');
  // Changed steps before the requested one keep their results, as the user has asked.
  const upstream = changes && findUpstream(workflow.steps, [step]);
  const changed = [...(changes?.changed.keys() ?? [])].filter((name) => !upstream?.has(name));
  const first = [step, ...neverRan, ...changed];
  return new Set([...first, ...findDownstream(workflow.steps, first)]);
}

interface RerunContext {
  readonly states: States;
  readonly rerunSteps: ReadonlySet<string>;
  readonly options: RerunOptions;
  readonly inputs: RerunInputs;
}

function explain(
  { name, depends }: { readonly name: string; readonly depends: readonly string[] },
  { states, rerunSteps, options, inputs: { changes } }: RerunContext,
): string {
  const status = getStatus(states, name);
  if (name === options.step) return 'requested';
  const origin = changes?.added.get(name);
  if (changes?.added.has(name)) return origin === undefined ? 'new in the file' : `renamed from ${origin}`;
  const change = changes?.changed.get(name);
  const cause = depends.find((dependency) => rerunSteps.has(dependency));
  const hasOwnReason = !isFulfilled(status) && (options.step === undefined || status === 'not_started');
  if (hasOwnReason) return change === undefined ? endLabels[status] : `${endLabels[status]}; ${change}`;
  if (change !== undefined) return change;
  if (cause === undefined)
    return isFulfilled(status)
      ? 'masked output is not stored, and a later step may read it'
      : endLabels[status];
  const failedDependency = depends.find(
    (dependency) => !rerunSteps.has(dependency) && !isFulfilled(getStatus(states, dependency)),
  );
  const unmetDependency =
    failedDependency === undefined
      ? ''
      : `; but ${failedDependency} remains ${getStatus(states, failedDependency)}`;
  return `depends on ${cause}, which runs again${unmetDependency}`;
}

function reasonToKeep(name: string, { states, options, inputs }: RerunContext): string {
  const status = getStatus(states, name);
  const change = inputs.changes?.changed.get(name);
  if (change !== undefined) return `${change}; stays, because the retry starts at ${options.step}`;
  return isFulfilled(status) ? endLabels[status] : `${endLabels[status]}; kept`;
}

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
