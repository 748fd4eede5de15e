import { AppError } from '../../base/errors.ts';
import { hasSucceeded, type StepStatus } from '../../model/run.ts';
import { formatUpstream } from '../../model/run-event.ts';
import type { Step } from '../../model/step.ts';
import { findCycle, mapDependents } from './graph.ts';

/** How a step ended, as relevant for its dependents. */
export interface StepOutcome {
  readonly status: Extract<
    StepStatus,
    'succeeded' | 'partially_succeeded' | 'failed' | 'aborted' | 'skipped'
  >;
  /** `continueOn` applies: dependents run as if the step had succeeded. */
  readonly tolerated: boolean;
}

/** A step that will not run, and why, as a sentence. */
export interface DecidedStep {
  readonly name: string;
  readonly status: 'skipped' | 'aborted';
  readonly reason: string;
}

/** Input of a plan in addition to its steps. */
export interface PlanOptions {
  /** Most steps that run at the same time; 0: no limit. */
  readonly maxActiveSteps: number;
  /** Steps that ended before this plan was made (takeover, retry), by name. */
  readonly settled?: ReadonlyMap<string, StepOutcome>;
}

/**
 * Decides which steps can run now. Pure and synchronous; the runner reports starts and ends. All calls together cost
 * O((steps + edges) log steps).
 *
 * Unless tolerated, a failed or aborted step aborts its dependents at once, and a skipped step skips them when their
 * other dependencies have ended. Independent branches continue. So the result never depends on which of two steps ends
 * first.
 */
export class Plan {
  readonly #steps: readonly Step[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #dependents: ReadonlyMap<string, readonly string[]>;
  /** Number of dependencies that have not ended yet, by step index. */
  readonly #waitingFor: number[];
  /** Reasons to skip a step when all its dependencies have ended, by step index. */
  readonly #skipReasons = new Map<number, string>();
  readonly #states = new Map<string, StepStatus>();
  readonly #ready = new IndexHeap();
  readonly #limit: number;
  #running = 0;
  #pending: number;
  #cancelled = false;

  /** Steps that the settled steps of the options already decide; in dependency order. */
  readonly decided: readonly DecidedStep[];

  /** @throws `invalid_spec` on a cycle or on a dependency that is not among `steps` */
  constructor(steps: readonly Step[], options: PlanOptions) {
    this.#steps = steps;
    this.#indexes = new Map(steps.map(({ name }, index) => [name, index]));
    assertValidGraph(steps, this.#indexes);
    this.#dependents = mapDependents(steps);
    this.#waitingFor = steps.map(({ depends }) => depends.length);
    this.#limit = options.maxActiveSteps > 0 ? options.maxActiveSteps : Infinity;
    this.#pending = steps.length;
    for (const { name } of steps) this.#states.set(name, 'not_started');
    steps.forEach(({ depends }, index) => {
      if (depends.length === 0) this.#ready.push(index);
    });
    this.decided = this.#adopt(options.settled ?? new Map());
  }

  /**
   * Returns the steps that can start now, in file order, up to the concurrency limit; each is returned until it is
   * started. `max` bounds the work when the caller starts only a few per tick.
   */
  ready(max = Infinity): Step[] {
    if (this.#cancelled) return [];
    const available = Math.min(this.#limit - this.#running, max);
    const indexes: number[] = [];
    while (indexes.length < available) {
      const index = this.#ready.pop();
      if (index === undefined) break;
      // Started or settled since it became ready, so it is removed from the heap.
      if (this.#stateAt(index) === 'not_started') indexes.push(index);
    }
    for (const index of indexes) this.#ready.push(index);
    return indexes.map((index) => this.#steps[index]!);
  }

  /** Marks a step as running. Throws, as a defect of the caller, when its dependencies do not allow it. */
  start(name: string): void {
    const index = this.#indexOf(name);
    if (this.#states.get(name) !== 'not_started' || this.#waitingFor[index] !== 0) {
      throw new Error(
        `step "${name}" cannot start: it is ${this.#states.get(name)} or waits for a dependency`,
      );
    }
    this.#states.set(name, 'running');
    this.#running += 1;
    this.#pending -= 1;
  }

  /**
   * Records the end of a running step, or of a ready one that will not run (`skipped`, `aborted`, `failed`).
   * @returns the steps that this decides transitively, each after its dependencies
   */
  finish(name: string, end: StepOutcome): DecidedStep[] {
    const before = this.#states.get(name);
    if (before === 'running') this.#running -= 1;
    else if (before === 'not_started') this.#pending -= 1;
    else throw new Error(`step "${name}" cannot end: it is ${before ?? 'unknown'}`);
    this.#states.set(name, end.status);
    return this.#cancelled ? [] : this.#spread(name, end);
  }

  /** Starts nothing more; steps that have not started stay `not_started`. Running ones are still awaited. */
  cancel(): void {
    this.#cancelled = true;
  }

  /** Ends every step that has not started as `aborted` with this reason. Running ones are still awaited. */
  abortPending(reason: string): DecidedStep[] {
    const settled: DecidedStep[] = [];
    for (const { name } of this.#steps) {
      if (this.#states.get(name) !== 'not_started') continue;
      this.#states.set(name, 'aborted');
      settled.push({ name, status: 'aborted', reason });
    }
    this.#pending = 0;
    return settled;
  }

  /** Whether nothing is running and nothing can start. */
  get done(): boolean {
    return this.#running === 0 && (this.#cancelled || this.#pending === 0);
  }

  /** Number of running steps. */
  get running(): number {
    return this.#running;
  }

  /** Returns every step's status; a live view in file order. */
  states(): ReadonlyMap<string, StepStatus> {
    return this.#states;
  }

  /** Adds all steps that ended earlier before deciding others: an explicit end overrides a derived one. */
  #adopt(outcomes: ReadonlyMap<string, StepOutcome>): DecidedStep[] {
    for (const [name, end] of outcomes) {
      this.#indexOf(name);
      this.#states.set(name, end.status);
      this.#pending -= 1;
    }
    return [...outcomes].flatMap(([name, end]) => this.#spread(name, end));
  }

  /** Propagates the end of a step to every step that it decides. */
  #spread(cause: string, causeEnd: StepOutcome): DecidedStep[] {
    const settled: DecidedStep[] = [];
    const open: { name: string; end: StepOutcome }[] = [{ name: cause, end: causeEnd }];
    // The list grows during iteration: breadth first, so that each entry follows its dependencies.
    for (const { name, end } of open) {
      const verdict = judge(end);
      for (const dependent of this.#dependents.get(name)!) {
        const decision = this.#decide(
          this.#indexOf(dependent),
          verdict,
          explain(verdict, cause, causeEnd.status),
        );
        if (!decision) continue;
        settled.push(decision.settled);
        open.push({ name: dependent, end: decision.end });
      }
    }
    return settled;
  }

  /** Returns the effect of a dependency's end on a step; undefined when the step may still run, or is decided. */
  #decide(
    index: number,
    verdict: VerificationResult,
    reason: string,
  ): { settled: DecidedStep; end: StepOutcome } | undefined {
    const { name, continueOn } = this.#steps[index]!;
    this.#waitingFor[index]! -= 1;
    if (this.#states.get(name) !== 'not_started') return undefined;
    if (verdict === 'skipped' && !this.#skipReasons.has(index)) this.#skipReasons.set(index, reason);
    if (verdict === 'aborted') return this.#endUnstarted({ name, status: 'aborted', reason }, false);
    if (this.#waitingFor[index] !== 0) return undefined;
    const skipReason = this.#skipReasons.get(index);
    if (skipReason !== undefined) {
      return this.#endUnstarted({ name, status: 'skipped', reason: skipReason }, continueOn.skipped);
    }
    this.#ready.push(index);
    return undefined;
  }

  #endUnstarted(settled: DecidedStep, tolerated: boolean): { settled: DecidedStep; end: StepOutcome } {
    this.#states.set(settled.name, settled.status);
    this.#pending -= 1;
    return { settled, end: { status: settled.status, tolerated } };
  }

  #stateAt(index: number): StepStatus {
    return this.#states.get(this.#steps[index]!.name)!;
  }

  #indexOf(name: string): number {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`the plan has no step "${name}"`);
    return index;
  }
}

/** The effect of an ended step on a dependent. */
type VerificationResult = 'go' | 'skipped' | 'aborted';

function judge({ status, tolerated }: StepOutcome): VerificationResult {
  if (tolerated || hasSucceeded(status)) return 'go';
  return status === 'skipped' ? 'skipped' : 'aborted';
}

function explain(verdict: VerificationResult, cause: string, causeStatus: StepStatus): string {
  if (verdict === 'skipped') return formatUpstream('skipped', cause);
  return formatUpstream(causeStatus === 'aborted' ? 'aborted' : 'failed', cause);
}

function assertValidGraph(steps: readonly Step[], indexes: ReadonlyMap<string, number>): void {
  for (const { name, depends } of steps) {
    const missing = depends.find((dependency) => !indexes.has(dependency));
    if (missing !== undefined) {
      throw new AppError('invalid_spec', `step "${name}" depends on unknown step "${missing}"`);
    }
  }
  const cycle = findCycle(steps);
  if (cycle) throw new AppError('invalid_spec', `dependency cycle: ${cycle.join(' -> ')}`);
}

/** A min-heap of numbers; every operation is O(log n). */
class IndexHeap {
  readonly #items: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(item: number): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]! <= item) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = item;
  }

  /** Removes and returns the smallest number; undefined when empty. */
  pop(): number | undefined {
    const items = this.#items;
    const minimum = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return minimum;
  }

  /** Puts `item` at the root and moves it down to its place. */
  #sink(item: number): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= items.length) break;
      const right = left + 1;
      const child = right < items.length && items[right]! < items[left]! ? right : left;
      if (items[child]! >= item) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = item;
  }
}
