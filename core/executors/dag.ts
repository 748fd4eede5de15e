import { AppError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { expandWithHome } from '../process/environment.ts';
import type { RunDetail } from '../model/run.ts';
import type { StepAction } from '../model/step.ts';
import type { Parameter } from '../model/workflow.ts';
import {
  ActionEnder,
  type Executor,
  type ExecutorResult,
  type RunningStep,
  type StepContext,
} from './executor.ts';
import { withStepOutput, type StepOutput } from './step-output.ts';

type DagAction = Extract<StepAction, { kind: 'dag' }>;

/** Runs another workflow as a separate run. The step's stdout is the result as JSON. */
export const dagExecutor: Executor<'dag'> = {
  kind: 'dag',
  start: (context, action) => new DagAttempt(context, action).begin(),
};

class DagAttempt {
  readonly #context: StepContext;
  readonly #action: DagAction;
  readonly #ender = new ActionEnder();

  constructor(context: StepContext, action: DagAction) {
    this.#context = context;
    this.#action = action;
  }

  begin(): RunningStep {
    const ended = withStepOutput(this.#context, (output) => this.#run(output));
    return { ended, stop: () => this.#ender.end('stop'), kill: () => this.#ender.end('kill') };
  }

  async #run(output: StepOutput): Promise<ExecutorResult> {
    const { dag, params } = await this.#expandAction();
    if (dag === '') throw new AppError('not_found', formatEmptyName(this.#action.dag));
    const subRun = await this.#context.subRuns.start(dag, params);
    output.stderr(`run ${subRun.ref.dagRunId} of ${subRun.ref.name} started\n`);
    this.#ender.attach(subRun);
    const detail = await subRun.ended;
    const result = toSubRunResult(detail);
    output.stdout(`${JSON.stringify(result, undefined, 2)}\n`);
    return { ...toResult(detail), output: result };
  }

  /**
   * Expands the name and parameters of the sub-workflow. The parameters of an item are already expanded and taken
   * literally.
   */
  async #expandAction(): Promise<Pick<DagAction, 'dag' | 'params'>> {
    const { step, expand } = this.#context;
    if (step.parallel !== undefined) return this.#action;
    const params: Parameter[] = [];
    for (const { name, value } of this.#action.params)
      params.push({ name, value: await expandWithHome(value, expand) });
    return { dag: (await expand(this.#action.dag)).trim(), params };
  }
}

const formatEmptyName = (written: string): string =>
  `The sub-workflow name "${written}" is empty at run time. Set the variable in the name.`;

/** Returns the output of a sub-workflow: an object with `name`, `params` and `outputs`, in Dagu's format. */
export function toSubRunResult({ run }: RunDetail): JsonObject {
  const { name, dagRunId, status } = run;
  return { name, dagRunId, status, ...toParamsObject(run.params), outputs: { ...run.outputs } };
}

/**
 * Returns the parameters for the output of a sub-workflow: `params` is a string in Dagu's format, `A=1 B=2`, and
 * `paramsMap` is an object. Expansion reads a path into `params`, such as `${RESULT.params.A}`, from the object.
 */
export function toParamsObject(params: readonly Parameter[]): JsonObject {
  return {
    params: params.map(({ name, value }) => `${name}=${value}`).join(' '),
    paramsMap: Object.fromEntries(params.map(({ name, value }) => [name, value])),
  };
}

function toResult({ run }: RunDetail): ExecutorResult {
  if (run.status === 'succeeded') return {};
  if (run.status === 'partially_succeeded') return { partial: true };
  return { error: `run ${run.dagRunId} of ${run.name} ${run.status}: ${run.error ?? 'see its steps'}` };
}
