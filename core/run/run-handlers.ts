import { failPoint } from '../base/fail-point.ts';
import type { HandlerName } from '../model/workflow/handler-name.ts';
import type { NodeId } from '../model/run/run-event.ts';
import type { RunStatus } from '../model/run/status.ts';
import type { Step } from '../model/workflow/step.ts';
import type { DrivenRun } from './driven-run.ts';
import { closingHandlers, type FinalStatus } from './ending.ts';
import { earlierAttempts, findOpen } from './reruns/earlier-run.ts';
import type { NodeResult } from './steps/node-task.ts';
import type { StepRunner } from './steps/step-runner.ts';
import type { Outputs } from './values/run-scope.ts';

/** What handlers need from their run. */
export interface HandledRun extends Pick<DrivenRun, 'workflow' | 'record' | 'earlier'> {
  /** Every output of the run so far. */
  outputs(): Outputs;
  /** How the run stands, as far as it has got. */
  status(): FinalStatus;
  /** Aborted when not even handlers may start any more. */
  readonly stopping: AbortSignal;
}

/** Runs the handlers of a run, each at most once, whichever host does it. */
export class RunHandlers {
  readonly #run: HandledRun;
  #failure: string | undefined;

  constructor(run: HandledRun) {
    this.#run = run;
  }

  /** The first closing handler that failed, in words. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** The init handler's result; undefined when there is none to run. */
  runInit(runner: StepRunner): Promise<NodeResult | undefined> {
    return this.#runOne(runner, 'init', 'running');
  }

  /** The handler of the outcome, then `exit`; one that fails makes the run `failed`. */
  async runClosing(runner: StepRunner): Promise<void> {
    const status = this.#run.status();
    const handler = this.#findBegun() ?? closingHandlers[status];
    this.#noteFailure(handler, await this.#runOne(runner, handler, status));
    this.#noteFailure('exit', await this.#runOne(runner, 'exit', this.#run.status()));
  }

  /** The one that another host has begun: a stop that came after its start must not lead to another one. */
  #findBegun(): HandlerName | undefined {
    const { open, handlers } = this.#run.earlier?.underWay ?? {};
    return Object.values(closingHandlers).find((handler) => {
      const name = this.#stepOf(handler)?.name;
      return name !== undefined && (handlers?.has(name) === true || open?.has(`handler:${name}`) === true);
    });
  }

  #noteFailure(handler: HandlerName, result: NodeResult | undefined): void {
    if (handler === 'abort' || result === undefined) return;
    if (result.status !== 'failed' && result.status !== 'aborted') return;
    this.#failure ??= `${handler} handler failed: ${result.error ?? 'unknown reason'}`;
  }

  async #runOne(
    runner: StepRunner,
    handler: HandlerName,
    status: RunStatus,
  ): Promise<NodeResult | undefined> {
    const { earlier, stopping } = this.#run;
    const step = this.#stepOf(handler);
    if (step === undefined) return undefined;
    const ended = earlier?.underWay?.handlers.get(step.name);
    if (ended !== undefined || stopping.aborted) return ended;
    const node: NodeId = { section: 'handler', name: step.name };
    failPoint('handler.before_start');
    const result = await runner.run({
      step,
      node,
      outputs: this.#run.outputs(),
      extra: { DAG_RUN_STATUS: status },
      earlierAttempts: earlierAttempts(earlier, node),
      open: findOpen(earlier, node),
    });
    failPoint('handler.ended');
    return result;
  }

  /** A sub-run does without the handlers of the base configuration. */
  #stepOf(handler: HandlerName): Step | undefined {
    const { workflow, record } = this.#run;
    const isDropped = record.parent !== undefined && workflow.inheritedHandlers?.includes(handler);
    return isDropped === true ? undefined : workflow.handlers[handler];
  }
}
