import type { Random } from '../faults/rig/kill.ts';
import type { FakeClock } from '../harness/fakes.ts';

/** A request of an actor to another machine. */
export interface Call {
  /** The operation there. */
  readonly run: () => Promise<unknown>;
  /** Local to the machine: it cannot get lost. */
  readonly isLocal?: boolean;
}

/** An actor runs sequentially; anything may happen between two of its operations. */
export type Actor = Generator<Call, void, unknown>;

/** No response: whether the operation happened is unknown. */
export class NoResponse extends Error {}

/** Sends a request, and waits for the response. @throws Unanswered */
export function* ask<Value>(run: () => Promise<Value>): Generator<Call, Value, unknown> {
  return (yield { run }) as Value;
}

/** Idles for a moment. */
export function* rest(): Generator<Call, void, unknown> {
  yield { run: () => Promise.resolve(), isLocal: true };
}

/** Whether an event of this probability happens. */
export const occurs = (random: Random, chance: number): boolean => random.between(1, 1000) <= chance * 1000;

interface Part {
  readonly actor: Actor;
  /** Sent, not yet delivered. */
  call?: Call | undefined;
  /** The response is in transit. */
  answer?: { readonly value: unknown } | { readonly failure: unknown } | undefined;
  /** It does nothing before this time. */
  pausedUntil: number;
}

/** Probabilities of faults. */
interface Faults {
  readonly lostRequest: number;
  readonly lostAnswer: number;
}

/** Runs actors one at a time, in an order determined by the seed alone. */
export class Scheduler {
  readonly #random: Random;
  readonly #clock: FakeClock;
  readonly #machines = new Map<string, Part>();

  constructor(random: Random, clock: FakeClock) {
    this.#random = random;
    this.#clock = clock;
  }

  /** A named actor; it replaces the previous one and all its pending operations. */
  start(name: string, actor: Actor): void {
    this.#machines.set(name, { actor, pausedUntil: 0 });
  }

  /** Removes it. Its pending requests are dropped. */
  end(name: string): void {
    this.#machines.delete(name);
  }

  /** Halts an actor; the world continues. */
  pause(name: string, milliseconds: number): void {
    const simMachine = this.#machines.get(name);
    if (simMachine !== undefined) simMachine.pausedUntil = this.#clock.monotonic() + milliseconds;
  }

  isThere(name: string): boolean {
    return this.#machines.has(name);
  }

  /** One of the actors advances by a step. */
  async step(faults: Faults): Promise<void> {
    const now = this.#clock.monotonic();
    const able = [...this.#machines].filter(([, simMachine]) => simMachine.pausedUntil <= now);
    if (able.length === 0) return;
    const [name, simMachine] = this.#random.pick(able);
    if (simMachine.call !== undefined) await this.#execute(simMachine, faults);
    else if (this.#resume(simMachine)) this.#machines.delete(name);
  }

  async #execute(simMachine: Part, { lostRequest, lostAnswer }: Faults): Promise<void> {
    const { run, isLocal = false } = simMachine.call!;
    simMachine.call = undefined;
    if (!isLocal && occurs(this.#random, lostRequest)) {
      simMachine.answer = { failure: new NoResponse() };
      return;
    }
    try {
      const value = await run();
      simMachine.answer =
        !isLocal && occurs(this.#random, lostAnswer) ? { failure: new NoResponse() } : { value };
    } catch (failure) {
      if (!(failure instanceof NoResponse)) throw failure;
      simMachine.answer = { failure };
    }
  }

  /** Whether it has ended. */
  #resume(simMachine: Part): boolean {
    const { answer, actor } = simMachine;
    simMachine.answer = undefined;
    const next =
      answer !== undefined && 'failure' in answer ? actor.throw(answer.failure) : actor.next(answer?.value);
    if (next.done === true) return true;
    simMachine.call = next.value;
    return false;
  }
}
