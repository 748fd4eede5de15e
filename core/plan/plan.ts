import { AppError } from '../base/errors.ts';
import { hasSucceeded, type StepStatus } from '../model/run/status.ts';
import { describeUpstream } from '../model/run/step-reason.ts';
import type { Step } from '../model/workflow/step.ts';
import { findCycle, mapDependents } from './graph.ts';
import { IndexHeap } from './index-heap.ts';

/** How a step ended, as far as its dependents are concerned. */
export interface StepEnd {
  readonly status: Extract<
    StepStatus,
    'succeeded' | 'partially_succeeded' | 'failed' | 'aborted' | 'skipped'
  >;
  /** `continueOn` applies: dependents go on as if the step had succeeded. */
  readonly tolerated: boolean;
}

/** A step that will not run, and why, in words for people. */
export interface Settled {
  readonly name: string;
  readonly status: 'skipped' | 'aborted';
  readonly reason: string;
}

/** What a plan begins with besides its steps. */
export interface PlanOptions {
  /** Steps allowed to run at once; 0 for no limit. */
  readonly maxActiveSteps: number;
  /** Steps that ended before this plan was made (take-over, retry); by name. */
  readonly settled?: ReadonlyMap<string, StepEnd>;
}

/**
 * What may run now? Pure and synchronous; the runner tells it what started and how it ended. All calls
 * together cost O((steps + edges) log steps).
 *
 * A failed or aborted step aborts what depends on it at once, a skipped one skips it when its other
 * dependencies have ended as well, unless tolerated; branches that do not depend on it go on. So the result never
 * depends on which of two steps ends first.
 */
export class Plan {
  readonly #steps: readonly Step[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #dependents: ReadonlyMap<string, readonly string[]>;
  /** Dependencies that have not ended yet, by step index. */
  readonly #waitingFor: number[];
  /** Reasons to skip a step when all its dependencies have ended, by step index. */
  readonly #skipReasons = new Map<number, string>();
  readonly #states = new Map<string, StepStatus>();
  readonly #ready = new IndexHeap();
  readonly #limit: number;
  #running = 0;
  #pending: number;
  #cancelled = false;

  /** What the given settled steps already decide for others that were not given; in dependency order. */
  readonly decided: readonly Settled[];

  /** Throws `invalid_spec` on a cycle or on a dependency that is not among `steps`. */
  constructor(steps: readonly Step[], options: PlanOptions) {
    this.#steps = steps;
    this.#indexes = new Map(steps.map(({ name }, index) => [name, index]));
    refuseBadGraph(steps, this.#indexes);
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
   * Steps that may start now, in file order, no more than the limit leaves room for; each is returned until
   * it is started. `atMost` bounds the work when the caller starts only a few in one turn.
   */
  ready(atMost = Infinity): Step[] {
    if (this.#cancelled) return [];
    const room = Math.min(this.#limit - this.#running, atMost);
    const indexes: number[] = [];
    while (indexes.length < room) {
      const index = this.#ready.pop();
      if (index === undefined) break;
      // Started or settled since it became ready: it leaves the heap here.
      if (this.#stateAt(index) === 'not_started') indexes.push(index);
    }
    for (const index of indexes) this.#ready.push(index);
    return indexes.map((index) => this.#steps[index]!);
  }

  /** Marks a step as running. A defect of the caller, thrown, when its dependencies do not allow it. */
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
   * @returns what this decides for others at once, transitively, each after what it depends on
   */
  settle(name: string, end: StepEnd): Settled[] {
    const before = this.#states.get(name);
    if (before === 'running') this.#running -= 1;
    else if (before === 'not_started') this.#pending -= 1;
    else throw new Error(`step "${name}" cannot end: it is ${before ?? 'unknown'}`);
    this.#states.set(name, end.status);
    return this.#cancelled ? [] : this.#spread(name, end);
  }

  /** Nothing starts any more; steps that have not started stay `not_started`. Running ones are still awaited. */
  cancel(): void {
    this.#cancelled = true;
  }

  /** Ends every step that has not started as `aborted` with this reason. Running ones are still awaited. */
  abortPending(reason: string): Settled[] {
    const settled: Settled[] = [];
    for (const { name } of this.#steps) {
      if (this.#states.get(name) !== 'not_started') continue;
      this.#states.set(name, 'aborted');
      settled.push({ name, status: 'aborted', reason });
    }
    this.#pending = 0;
    return settled;
  }

  /** Nothing runs and nothing can start any more. */
  get done(): boolean {
    return this.#running === 0 && (this.#cancelled || this.#pending === 0);
  }

  /** Steps that run now. */
  get running(): number {
    return this.#running;
  }

  /** Every step's status; a live view in file order. */
  states(): ReadonlyMap<string, StepStatus> {
    return this.#states;
  }

  /** Takes over steps that ended earlier, all of them before any decision: a given end wins over a derived one. */
  #adopt(given: ReadonlyMap<string, StepEnd>): Settled[] {
    for (const [name, end] of given) {
      this.#indexOf(name);
      this.#states.set(name, end.status);
      this.#pending -= 1;
    }
    return [...given].flatMap(([name, end]) => this.#spread(name, end));
  }

  /** Walks from an ended step to everything it decides. */
  #spread(cause: string, causeEnd: StepEnd): Settled[] {
    const settled: Settled[] = [];
    const open: { name: string; end: StepEnd }[] = [{ name: cause, end: causeEnd }];
    // The list grows while it is walked: breadth first, so that each entry follows what it depends on.
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

  /** What the end of one of its dependencies means for a step; undefined when it may still run, or is decided. */
  #decide(index: number, verdict: Verdict, reason: string): { settled: Settled; end: StepEnd } | undefined {
    const { name, continueOn } = this.#steps[index]!;
    this.#waitingFor[index]! -= 1;
    if (this.#states.get(name) !== 'not_started') return undefined;
    if (verdict === 'skipped' && !this.#skipReasons.has(index)) this.#skipReasons.set(index, reason);
    if (verdict === 'aborted') return this.#settleUnstarted({ name, status: 'aborted', reason }, false);
    if (this.#waitingFor[index] !== 0) return undefined;
    const skipReason = this.#skipReasons.get(index);
    if (skipReason !== undefined) {
      return this.#settleUnstarted({ name, status: 'skipped', reason: skipReason }, continueOn.skipped);
    }
    this.#ready.push(index);
    return undefined;
  }

  #settleUnstarted(settled: Settled, tolerated: boolean): { settled: Settled; end: StepEnd } {
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

/** What an ended step means for one that depends on it. */
type Verdict = 'go' | 'skipped' | 'aborted';

function judge({ status, tolerated }: StepEnd): Verdict {
  if (tolerated || hasSucceeded(status)) return 'go';
  return status === 'skipped' ? 'skipped' : 'aborted';
}

function explain(verdict: Verdict, cause: string, causeStatus: StepStatus): string {
  if (verdict === 'skipped') return describeUpstream('skipped', cause);
  return describeUpstream(causeStatus === 'aborted' ? 'aborted' : 'failed', cause);
}

function refuseBadGraph(steps: readonly Step[], indexes: ReadonlyMap<string, number>): void {
  for (const { name, depends } of steps) {
    const missing = depends.find((dependency) => !indexes.has(dependency));
    if (missing !== undefined) {
      throw new AppError('invalid_spec', `step "${name}" depends on unknown step "${missing}"`);
    }
  }
  const cycle = findCycle(steps);
  if (cycle) throw new AppError('invalid_spec', `dependency cycle: ${cycle.join(' -> ')}`);
}
