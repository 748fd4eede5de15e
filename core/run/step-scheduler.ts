import path from 'node:path';
import type { Clock, Dispose } from '../base/clock.ts';
import type { NodeId, RunEvent } from '../model/run-event.ts';
import type { Step } from '../model/step.ts';
import type { Workflow } from '../model/workflow.ts';
import { explainSecret, listLiterals, type LiteralSources } from '../spec/rules/literals.ts';
import { Plan, type DecidedStep } from '../spec/plan/plan.ts';
import { mask } from '../process/secrets/mask-scanner.ts';
import {
  previousAttempts,
  findOpenNode,
  sortReusedSteps,
  type PreviousRun,
} from './recovery/previous-run.ts';
import { attemptDir } from '../store/run-logs.ts';
import type { NodeResult, NodeTask } from './steps/node-task.ts';
import type { StepRunner } from './steps/step-runner.ts';
import { OutputVisibility } from './values/outputs.ts';
import type { StepProperties } from './values/run-scope.ts';

/** Properties of the run that the walk through its steps needs. */
export interface StepSchedulerContext {
  readonly workflow: Pick<Workflow, 'maxActiveSteps' | 'delaySec'> & LiteralSources;
  readonly clock: Clock;
  /** The earlier state of a run that is retried or taken over. */
  readonly previousRun: PreviousRun | undefined;
  /** Receives each step's newest attempt. */
  readonly properties: StepProperties;
  /** Aborted when no step may start any more. */
  readonly stopping: AbortSignal;
  /** Returns why steps that have not started count as aborted; without a reason they stay unchanged. */
  abortReason(): string | undefined;
  emit(event: RunEvent): void;
}

/**
 * State of the walk through the steps of a run.
 *
 *   open ◀──pause_over── pausing ◀──paused── open
 *    │                      │
 *    └──────── closed ──────┴──▶ closed
 *
 *   any of these ──ended──▶ ended
 *
 * - open: every step that is ready starts
 * - pausing: no step starts, because one has started less than `delaySec` ago
 * - closed: no further step starts, and running ones are awaited
 * - ended: no step is running, and none will start
 */
export type WalkState =
  | { readonly phase: 'open' | 'closed' | 'ended' }
  | { readonly phase: 'pausing'; readonly cancelPause: Dispose };

export type WalkEvent =
  | { readonly type: 'paused'; readonly cancelPause: Dispose }
  | { readonly type: 'pause_over' | 'closed' | 'ended' };

/** Returns the state after an event; undefined when the event does not apply to the state. */
export function transition(state: WalkState, event: WalkEvent): WalkState | undefined {
  switch (event.type) {
    case 'paused':
      return state.phase === 'open' ? { phase: 'pausing', cancelPause: event.cancelPause } : undefined;
    case 'pause_over':
      return state.phase === 'pausing' ? { phase: 'open' } : undefined;
    case 'closed':
      return state.phase === 'open' || state.phase === 'pausing' ? { phase: 'closed' } : undefined;
    case 'ended':
      return state.phase === 'ended' ? undefined : { phase: 'ended' };
  }
}

/** Executes the plan of one run: starts steps that are ready, and settles steps that never will be. */
export class StepScheduler {
  /** Results of the steps that have ended. */
  readonly results: ReadonlyMap<string, NodeResult>;
  readonly outputs = new OutputVisibility();
  readonly #context: StepSchedulerContext;
  readonly #results = new Map<string, NodeResult>();
  readonly #stepsByName: ReadonlyMap<string, Step>;
  readonly #plan: Plan;
  #state: WalkState = { phase: 'open' };

  constructor(context: StepSchedulerContext) {
    const { steps, maxActiveSteps } = context.workflow;
    this.#context = context;
    this.#stepsByName = new Map(steps.map((step) => [step.name, step]));
    const settled =
      context.previousRun?.onlyThisStep === true ? undefined : context.previousRun?.reusedResults;
    this.#plan = new Plan(plannedSteps(steps, context.previousRun), { maxActiveSteps, settled });
    this.results = this.#results;
  }

  /**
   * Adds the steps that keep their results. They count as ended and provide their outputs, whatever the other steps do.
   */
  adoptResults(runDir: string): void {
    const { previousRun, workflow } = this.#context;
    if (previousRun === undefined) return;
    for (const step of sortReusedSteps(workflow.steps, previousRun))
      this.#record(step, previousRun.reusedResults.get(step.name)!, runDir);
  }

  /** Runs the steps. Resolves when none is running and none will start. Rejects with `RunLost`. */
  run(runner: StepRunner, runDir: string): Promise<void> {
    for (const unstarted of this.#plan.decided) this.#endUnstarted(unstarted);
    if (this.#context.previousRun === undefined)
      for (const note of listLiterals(this.#context.workflow))
        this.#context.emit({ type: 'run.message', level: 'warning', ...note });
    return new Promise((resolve, reject) => {
      const start = (step: Step): void => {
        runner
          .run(this.#getTask(step, { section: 'step', name: step.name }))
          .then((result) => {
            this.#finish(step, result, runDir);
            advance();
          })
          .catch(reject);
      };
      const advance = (): void => {
        try {
          for (const step of this.#takeReady(advance)) start(step);
          if (!this.#plan.done) return;
          this.#send({ type: 'ended' });
          resolve();
        } catch (error) {
          reject(error);
        }
      };
      this.#context.stopping.addEventListener('abort', advance, { once: true });
      for (const step of this.#adoptInProgress(advance)) start(step);
      advance();
    });
  }

  #getTask(step: Step, node: NodeId): NodeTask {
    const { previousRun } = this.#context;
    return {
      step,
      node,
      outputs: this.outputs.before(step),
      extra: {},
      previousAttempts: previousAttempts(previousRun, node),
      completedItems: previousRun?.items.get(step.name),
      open: findOpenNode(previousRun, node),
    };
  }

  /**
   * Takes the steps that were running on another host. The rest of the pause after the newest of them still applies.
   */
  #adoptInProgress(advance: () => void): Step[] {
    const { previousRun, workflow, clock } = this.#context;
    const { open, lastStepAt } = previousRun?.inProgress ?? {};
    const pauseMs = (workflow.delaySec ?? 0) * 1000;
    const remainingMs = Math.min((lastStepAt ?? -Infinity) + pauseMs - clock.now(), pauseMs);
    if (remainingMs > 0) this.#pause(remainingMs, advance);
    const started = workflow.steps.filter(({ name }) => open?.has(`step:${name}`));
    for (const { name } of started) this.#plan.start(name);
    return started.map((step) => this.#prepare(this.#stepsByName.get(step.name)!));
  }

  #pause(milliseconds: number, advance: () => void): void {
    const cancelPause = this.#context.clock.after(milliseconds, () => {
      this.#send({ type: 'pause_over' });
      advance();
    });
    this.#send({ type: 'paused', cancelPause });
  }

  /**
   * Returns the steps to start now: all that are ready, or one at a time with a pause after each start (`delaySec`).
   */
  #takeReady(advance: () => void): Step[] {
    const { stopping, previousRun, workflow } = this.#context;
    if (stopping.aborted) this.#stop();
    if (this.#state.phase !== 'open') return [];
    const pauseMs = (workflow.delaySec ?? 0) * 1000;
    const ready = [...this.#plan.ready(pauseMs > 0 ? 1 : undefined)];
    for (const { name } of ready) this.#plan.start(name);
    if (pauseMs > 0 && ready.length > 0) this.#pause(pauseMs, advance);
    // Only the requested step runs.
    if (previousRun?.onlyThisStep === true && ready.length > 0) this.#send({ type: 'closed' });
    return ready.map(({ name }) => this.#prepare(this.#stepsByName.get(name)!));
  }

  #prepare(step: Step): Step {
    return this.#context.previousRun?.onlyThisStep === true ? { ...step, retry: undefined } : step;
  }

  /** Starts no further step, and ends those that have not started if there is a reason. */
  #stop(): void {
    if (this.#state.phase !== 'open' && this.#state.phase !== 'pausing') return;
    const reason = this.#context.abortReason();
    if (reason !== undefined)
      for (const unstarted of this.#plan.abortPending(reason)) this.#endUnstarted(unstarted);
    this.#send({ type: 'closed' });
  }

  /** Changes the state, and does what belongs to the change. */
  #send(event: WalkEvent): void {
    const before = this.#state;
    const after = transition(before, event);
    if (after === undefined) return;
    this.#state = after;
    if (before.phase === 'pausing') before.cancelPause();
    if (after.phase === 'closed') this.#plan.cancel();
  }

  #warnAboutHiddenOutput({ name }: Step, { output }: NodeResult): void {
    if (typeof output?.value !== 'string' || !output.value.includes(mask)) return;
    const message = explainSecret(output.name);
    this.#context.emit({ type: 'run.message', level: 'warning', message, node: { section: 'step', name } });
  }

  #finish(step: Step, result: NodeResult, runDir: string): void {
    this.#warnAboutHiddenOutput(step, result);
    this.#record(step, result, runDir);
    for (const unstarted of this.#plan.finish(step.name, result)) this.#endUnstarted(unstarted);
  }

  #record(step: Step, result: NodeResult, runDir: string): void {
    this.#results.set(step.name, result);
    this.outputs.finish(step, result.output);
    const { attempt } = result;
    if (attempt === undefined) return;
    const node: NodeId = { section: 'step', name: step.name };
    this.#context.properties.note(step, path.join(runDir, attemptDir(node, attempt)), result.exitCode);
  }

  #endUnstarted({ name, status, reason }: DecidedStep): void {
    const step = this.#stepsByName.get(name)!;
    const tolerated = status === 'skipped' && step.continueOn.skipped;
    this.#results.set(name, { status, tolerated, error: reason });
    this.outputs.finish(step, undefined);
    this.#context.emit({ type: 'step.ended', node: { section: 'step', name }, status, reason });
  }
}

/**
 * Returns the steps for the plan: the requested step has no dependencies, and if only that step runs, the others are
 * left out.
 */
function plannedSteps(steps: readonly Step[], previousRun: PreviousRun | undefined): readonly Step[] {
  const from = steps.find(({ name }) => name === previousRun?.from);
  if (from === undefined) return steps;
  const free: Step = { ...from, depends: [] };
  return previousRun?.onlyThisStep === true ? [free] : steps.map((step) => (step === from ? free : step));
}
