import type { JsonObject } from '../base/json.ts';
import type { RunDetail } from '../model/run/run.ts';
import type { StepAction } from '../model/workflow/step.ts';
import type { Parameter } from '../model/workflow/workflow.ts';
import type { Executor, ExecutorEnd, RunningStep, StepContext, SubRun } from './executor.ts';
import { withStepOutput, type StepOutput } from './step-output.ts';

type DagAction = Extract<StepAction, { kind: 'dag' }>;

/** Runs another workflow as a run of its own. The step's stdout is the result as JSON. */
export const dagExecutor: Executor<'dag'> = {
  kind: 'dag',
  start: (context, action) => new DagAttempt(context, action).begin(),
};

class DagAttempt {
  readonly #context: StepContext;
  readonly #action: DagAction;
  #subRun: SubRun | undefined;
  #wanted: 'stop' | 'kill' | undefined;

  constructor(context: StepContext, action: DagAction) {
    this.#context = context;
    this.#action = action;
  }

  begin(): RunningStep {
    const ended = withStepOutput(this.#context, (output) => this.#run(output));
    return { ended, stop: () => this.#end('stop'), kill: () => this.#end('kill') };
  }

  #end(how: 'stop' | 'kill'): void {
    this.#wanted = how;
    this.#subRun?.[how]();
  }

  async #run(output: StepOutput): Promise<ExecutorEnd> {
    const params = await this.#expandParams();
    const subRun = await this.#context.subRuns.start(this.#action.dag, params);
    this.#subRun = subRun;
    output.stderr(`run ${subRun.ref.dagRunId} of ${subRun.ref.name} started\n`);
    if (this.#wanted !== undefined) subRun[this.#wanted]();
    const detail = await subRun.ended;
    const result = describeSubRun(detail);
    output.stdout(`${JSON.stringify(result, undefined, 2)}\n`);
    return { ...judge(detail), output: result };
  }

  async #expandParams(): Promise<Parameter[]> {
    const expanded: Parameter[] = [];
    for (const { name, value } of this.#action.params)
      expanded.push({ name, value: await this.#context.expand(value) });
    return expanded;
  }
}

/** A sub-DAG output is an object with `name`, `params` and `outputs` (seed 1, Step fields, `output`). */
export function describeSubRun({ run }: RunDetail): JsonObject {
  const params = Object.fromEntries(run.params.map(({ name, value }) => [name, value]));
  return { name: run.name, dagRunId: run.dagRunId, status: run.status, params, outputs: { ...run.outputs } };
}

function judge({ run }: RunDetail): ExecutorEnd {
  if (run.status === 'succeeded') return {};
  if (run.status === 'partially_succeeded') return { partial: true };
  return { error: `run ${run.dagRunId} of ${run.name} ${run.status}: ${run.error ?? 'see its steps'}` };
}
