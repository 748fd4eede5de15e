import path from 'node:path';
import type { Clock, Dispose } from '../base/clock.ts';
import type { NodeId, RunEvent } from '../model/run/run-event.ts';
import type { Step } from '../model/workflow/step.ts';
import type { Workflow } from '../model/workflow/workflow.ts';
import { describeSecret, listLiterals, type LiteralSources } from '../spec/rules/literals/find-literals.ts';
import { Plan, type Settled } from '../plan/plan.ts';
import { mask } from '../secrets/mask-scanner.ts';
import { earlierAttempts, findOpen, keptInOrder, type EarlierRun } from './reruns/earlier-run.ts';
import { attemptDir } from './kept/log-places.ts';
import type { NodeResult, NodeTask } from './steps/node-task.ts';
import type { StepRunner } from './steps/step-runner.ts';
import { OutputVisibility } from './values/outputs.ts';
import type { StepProperties } from './values/step-properties.ts';

/** What walking through the steps needs from the run. */
export interface WalkSurroundings {
  readonly workflow: Pick<Workflow, 'maxActiveSteps' | 'delaySec'> & LiteralSources;
  readonly clock: Clock;
  /** What stays of the run when it goes on after its end. */
  readonly earlier: EarlierRun | undefined;
  /** Told of each step's newest attempt. */
  readonly properties: StepProperties;
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
  #disposePause: Dispose | undefined;

  constructor(around: WalkSurroundings) {
    const { steps, maxActiveSteps } = around.workflow;
    this.#around = around;
    this.#stepsByName = new Map(steps.map((step) => [step.name, step]));
    const settled = around.earlier?.alone === true ? undefined : around.earlier?.kept;
    this.#plan = new Plan(plannedSteps(steps, around.earlier), { maxActiveSteps, settled });
    this.results = this.#results;
  }

  /** Kept steps count as ended, and give their outputs, whatever becomes of the others. */
  adoptKept(runDir: string): void {
    const { earlier, workflow } = this.#around;
    if (earlier === undefined) return;
    for (const step of keptInOrder(workflow.steps, earlier))
      this.#note(step, earlier.kept.get(step.name)!, runDir);
  }

  /** Resolves when no step runs and none will start. Rejects with `RunLost`. */
  run(runner: StepRunner, runDir: string): Promise<void> {
    for (const unstarted of this.#plan.decided) this.#settleUnstarted(unstarted);
    if (this.#around.earlier === undefined)
      for (const note of listLiterals(this.#around.workflow))
        this.#around.emit({ type: 'run.message', level: 'warning', ...note });
    return new Promise((resolve, reject) => {
      const start = (step: Step): void => {
        runner
          .run(this.#taskOf(step, { section: 'step', name: step.name }))
          .then((result) => {
            this.#settle(step, result, runDir);
            advance();
          })
          .catch(reject);
      };
      const advance = (): void => {
        try {
          for (const step of this.#takeReady(advance)) start(step);
          if (!this.#plan.done) return;
          this.#disposePause?.();
          resolve();
        } catch (thrown) {
          reject(thrown);
        }
      };
      this.#around.stopping.addEventListener('abort', advance, { once: true });
      for (const step of this.#takeUnderWay(advance)) start(step);
      advance();
    });
  }

  #taskOf(step: Step, node: NodeId): NodeTask {
    const { earlier } = this.#around;
    return {
      step,
      node,
      outputs: this.outputs.before(step),
      extra: {},
      earlierAttempts: earlierAttempts(earlier, node),
      keptItems: earlier?.items.get(step.name),
      open: findOpen(earlier, node),
    };
  }

  /** Steps that had begun on another host; what is left of the pause after the newest of them is kept. */
  #takeUnderWay(advance: () => void): Step[] {
    const { earlier, workflow, clock } = this.#around;
    const { open, lastStepAt } = earlier?.underWay ?? {};
    const pauseMs = (workflow.delaySec ?? 0) * 1000;
    const leftMs = Math.min((lastStepAt ?? -Infinity) + pauseMs - clock.now(), pauseMs);
    if (leftMs > 0) this.#pause(leftMs, advance);
    const begun = workflow.steps.filter(({ name }) => open?.has(`step:${name}`));
    for (const { name } of begun) this.#plan.start(name);
    return begun.map((step) => this.#prepare(this.#stepsByName.get(step.name)!));
  }

  #pause(milliseconds: number, advance: () => void): void {
    this.#disposePause = this.#around.clock.after(milliseconds, () => {
      this.#disposePause = undefined;
      advance();
    });
  }

  /** With a pause after each start (`delaySec`) one step at a time. */
  #takeReady(advance: () => void): Step[] {
    const { stopping, earlier, workflow } = this.#around;
    if (stopping.aborted) this.#cancelPending();
    if (this.#disposePause !== undefined) return [];
    const pauseMs = (workflow.delaySec ?? 0) * 1000;
    const ready = [...this.#plan.ready(pauseMs > 0 ? 1 : undefined)];
    for (const { name } of ready) this.#plan.start(name);
    if (pauseMs > 0 && ready.length > 0) this.#pause(pauseMs, advance);
    // Nothing but the one step that was asked for.
    if (earlier?.alone === true && ready.length > 0) this.#plan.cancel();
    return ready.map(({ name }) => this.#prepare(this.#stepsByName.get(name)!));
  }

  #prepare(step: Step): Step {
    return this.#around.earlier?.alone === true ? { ...step, retry: undefined } : step;
  }

  #cancelPending(): void {
    const reason = this.#around.abortReason();
    if (reason !== undefined) {
      for (const unstarted of this.#plan.abortPending(reason)) this.#settleUnstarted(unstarted);
    }
    this.#plan.cancel();
  }

  #warnOfHiddenOutput({ name }: Step, { output }: NodeResult): void {
    if (typeof output?.value !== 'string' || !output.value.includes(mask)) return;
    const message = describeSecret(output.name);
    this.#around.emit({ type: 'run.message', level: 'warning', message, node: { section: 'step', name } });
  }

  #settle(step: Step, result: NodeResult, runDir: string): void {
    this.#warnOfHiddenOutput(step, result);
    this.#note(step, result, runDir);
    for (const unstarted of this.#plan.settle(step.name, result)) this.#settleUnstarted(unstarted);
  }

  #note(step: Step, result: NodeResult, runDir: string): void {
    this.#results.set(step.name, result);
    this.outputs.settle(step, result.output);
    const { attempt } = result;
    if (attempt === undefined) return;
    const node: NodeId = { section: 'step', name: step.name };
    this.#around.properties.note(step, path.join(runDir, attemptDir(node, attempt)), result.exitCode);
  }

  #settleUnstarted({ name, status, reason }: Settled): void {
    const step = this.#stepsByName.get(name)!;
    const tolerated = status === 'skipped' && step.continueOn.skipped;
    this.#results.set(name, { status, tolerated, error: reason });
    this.outputs.settle(step, undefined);
    this.#around.emit({ type: 'step.ended', node: { section: 'step', name }, status, reason });
  }
}

/**
 * The steps as the plan is to see them: the one that was asked for waits for nothing, and when it is the only one,
 * the others are none of the plan's business.
 */
function plannedSteps(steps: readonly Step[], earlier: EarlierRun | undefined): readonly Step[] {
  const from = steps.find(({ name }) => name === earlier?.from);
  if (from === undefined) return steps;
  const free: Step = { ...from, depends: [] };
  return earlier?.alone === true ? [free] : steps.map((step) => (step === from ? free : step));
}
