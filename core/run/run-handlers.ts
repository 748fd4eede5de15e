import { failPoint } from '../base/fail-point.ts';
import type { HandlerName } from '../model/workflow-rules.ts';
import { type NodeId, formatActor, type RunEndCause, quoteStepName } from '../model/run-event.ts';
import type { RunStatus } from '../model/run.ts';
import type { Step } from '../model/step.ts';
import type { RunInput } from './run-input.ts';
import { previousAttempts, findOpenNode } from './recovery/previous-run.ts';
import type { NodeResult } from './steps/node-task.ts';
import type { StepRunner } from './steps/step-runner.ts';
import type { Outputs } from './values/run-scope.ts';

/** Properties of their run that handlers need. */
export interface RunHandlersInput extends Pick<RunInput, 'workflow' | 'record' | 'previousRun'> {
  /** Returns all outputs of the run so far. */
  outputs(): Outputs;
  /** Returns the current status of the run. */
  status(): FinalStatus;
  /** Aborted when not even handlers may start any more. */
  readonly stopping: AbortSignal;
  /** Called with a sentence when a closing handler has failed. */
  onFailure(error: string): void;
}

/** Runs the handlers of a run, each at most once across all hosts. */
export class RunHandlers {
  readonly #run: RunHandlersInput;

  constructor(run: RunHandlersInput) {
    this.#run = run;
  }

  /** Runs the init handler; undefined when there is none to run. */
  runInit(runner: StepRunner): Promise<NodeResult | undefined> {
    return this.#runOne(runner, 'init', 'running');
  }

  /** Runs the handler of the outcome, then `exit`; a failed handler makes the run `failed`. */
  async runClosing(runner: StepRunner): Promise<void> {
    const status = this.#run.status();
    const handler = this.#findStarted() ?? closingHandlers[status];
    this.#reportFailure(handler, await this.#runOne(runner, handler, status));
    this.#reportFailure('exit', await this.#runOne(runner, 'exit', this.#run.status()));
  }

  /**
   * Returns the handler that another host has started: a stop that came after its start must not select another one.
   */
  #findStarted(): HandlerName | undefined {
    const { open, handlers } = this.#run.previousRun?.inProgress ?? {};
    return Object.values(closingHandlers).find((handler) => {
      const name = this.#getStep(handler)?.name;
      return name !== undefined && (handlers?.has(name) === true || open?.has(`handler:${name}`) === true);
    });
  }

  #reportFailure(handler: HandlerName, result: NodeResult | undefined): void {
    if (handler === 'abort' || result === undefined) return;
    if (result.status !== 'failed' && result.status !== 'aborted') return;
    this.#run.onFailure(`${handler} handler failed: ${result.error ?? 'unknown reason'}`);
  }

  async #runOne(
    runner: StepRunner,
    handler: HandlerName,
    status: RunStatus,
  ): Promise<NodeResult | undefined> {
    const { previousRun, stopping } = this.#run;
    const step = this.#getStep(handler);
    if (step === undefined) return undefined;
    const ended = previousRun?.inProgress?.handlers.get(step.name);
    if (ended !== undefined || stopping.aborted) return ended;
    const node: NodeId = { section: 'handler', name: step.name };
    failPoint('handler.before_start');
    const result = await runner.run({
      step,
      node,
      outputs: this.#run.outputs(),
      extra: { DAG_RUN_STATUS: status },
      previousAttempts: previousAttempts(previousRun, node),
      open: findOpenNode(previousRun, node),
    });
    failPoint('handler.ended');
    return result;
  }

  /** Returns the step of a handler. A sub-run does not run the handlers of the base configuration. */
  #getStep(handler: HandlerName): Step | undefined {
    const { workflow, record } = this.#run;
    const isDropped = record.parent !== undefined && workflow.inheritedHandlers?.includes(handler);
    return isDropped === true ? undefined : workflow.handlers[handler];
  }
}

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

/** Returns the ending of a run that was stopped. @param by user or interface that stopped it */
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
export function getTermination({
  requested,
  steps,
  results,
  stepsSucceeded,
  handlerFailure,
}: TerminationInput): Termination {
  if (requested === undefined && stepsSucceeded && handlerFailure !== undefined)
    return { cause: 'handler', error: handlerFailure };
  const first: Termination = requested ?? { cause: 'steps', error: formatFailures(steps, results) };
  return handlerFailure === undefined ? first : { ...first, error: `${first.error}; ${handlerFailure}` };
}

function formatFailures(steps: readonly string[], results: TerminationInput['results']): string {
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
