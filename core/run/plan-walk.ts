import type { NodeId, RunEvent } from '../model/run-event.ts';
import type { Step } from '../model/step.ts';
import type { Workflow } from '../model/workflow.ts';
import { Plan } from '../plan/plan.ts';
import { OutputVisibility } from './values/outputs.ts';
import type { NodeResult, StepRunner } from './step-runner.ts';

/** What walking through the steps needs from the run. */
export interface WalkSurroundings {
  readonly workflow: Pick<Workflow, 'steps' | 'maxActiveSteps'>;
  /** Aborted when no step may start any more. */
  readonly stopping: AbortSignal;
  /** Why steps that have not started count as aborted; without a reason they stay as they are. */
  abortReason(): string | undefined;
  emit(event: RunEvent): void;
}

/** Takes the steps of one run through their plan: starts what is ready, settles what never will be. */
export class PlanWalk {
  /** How each step ended; those that never got so far are not in it. */
  readonly results: ReadonlyMap<string, NodeResult>;
  readonly outputs = new OutputVisibility();
  readonly #around: WalkSurroundings;
  readonly #results = new Map<string, NodeResult>();
  readonly #stepsByName: ReadonlyMap<string, Step>;
  readonly #plan: Plan;

  constructor(around: WalkSurroundings) {
    const { steps, maxActiveSteps } = around.workflow;
    this.#around = around;
    this.#stepsByName = new Map(steps.map((step) => [step.name, step]));
    this.#plan = new Plan(steps, { maxActiveSteps });
    this.results = this.#results;
  }

  /** Resolves when no step runs and none will start. Rejects with `RunLost`. */
  run(runner: StepRunner): Promise<void> {
    return new Promise((resolve, reject) => {
      const advance = (): void => {
        try {
          for (const step of this.#takeReady()) {
            const node: NodeId = { section: 'step', name: step.name };
            runner
              .run({ step, node, outputs: this.outputs.before(step), extra: {} })
              .then((result) => {
                this.#settle(step, result);
                advance();
              })
              .catch(reject);
          }
          if (this.#plan.done) resolve();
        } catch (thrown) {
          reject(thrown);
        }
      };
      this.#around.stopping.addEventListener('abort', advance, { once: true });
      advance();
    });
  }

  #takeReady(): Step[] {
    if (this.#around.stopping.aborted) this.#cancelPending();
    const ready = [...this.#plan.ready()];
    for (const { name } of ready) this.#plan.start(name);
    return ready;
  }

  #cancelPending(): void {
    const reason = this.#around.abortReason();
    if (reason !== undefined) {
      for (const unstarted of this.#plan.abortPending(reason)) this.#settleUnstarted(unstarted);
    }
    this.#plan.cancel();
  }

  #settle(step: Step, result: NodeResult): void {
    this.#results.set(step.name, result);
    this.outputs.settle(step, result.output);
    for (const unstarted of this.#plan.settle(step.name, result)) this.#settleUnstarted(unstarted);
  }

  #settleUnstarted({ name, status, reason }: ReturnType<Plan['settle']>[number]): void {
    const step = this.#stepsByName.get(name)!;
    const tolerated = status === 'skipped' && step.continueOn.skipped;
    this.#results.set(name, { status, tolerated, error: reason });
    this.outputs.settle(step, undefined);
    this.#around.emit({ type: 'step.settled', node: { section: 'step', name }, status, reason });
  }
}
