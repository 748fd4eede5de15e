import type { Random } from '../faults/rig/random.ts';
import type { FakeClock } from '../rig/fake-clock.ts';

/** What an actor asks of another machine. */
export interface Call {
  /** What is done there. */
  readonly run: () => Promise<unknown>;
  /** It stays on the machine: nothing of it can get lost. */
  readonly isLocal?: boolean;
}

/** Somebody who does one thing after the other; between any two of them anything may happen. */
export type Actor = Generator<Call, void, unknown>;

/** No answer came: whether it was done is not known. */
export class Unanswered extends Error {}

/** Asks, and waits for the answer. @throws Unanswered */
export function* ask<Value>(run: () => Promise<Value>): Generator<Call, Value, unknown> {
  return (yield { run }) as Value;
}

/** Does nothing for a moment. */
export function* rest(): Generator<Call, void, unknown> {
  yield { run: () => Promise.resolve(), isLocal: true };
}

/** Whether something of this chance, of 1, happens. */
export const happens = (random: Random, chance: number): boolean => random.between(1, 1000) <= chance * 1000;

interface Part {
  readonly actor: Actor;
  /** Asked for, not there yet. */
  call?: Call | undefined;
  /** On its way back. */
  answer?: { readonly value: unknown } | { readonly failure: unknown } | undefined;
  /** It does nothing before this time. */
  pausedUntil: number;
}

/** Chances of faults, of 1. */
export interface Faults {
  readonly lostRequest: number;
  readonly lostAnswer: number;
}

/** Lets actors go on one at a time, in an order that the seed decides alone. */
export class Scheduler {
  readonly #random: Random;
  readonly #clock: FakeClock;
  readonly #parts = new Map<string, Part>();

  constructor(random: Random, clock: FakeClock) {
    this.#random = random;
    this.#clock = clock;
  }

  /** An actor of a name; the one before is gone with all that was under way for it. */
  start(name: string, actor: Actor): void {
    this.#parts.set(name, { actor, pausedUntil: 0 });
  }

  /** It is gone. What it had asked for, and had not been done yet, will not be. */
  end(name: string): void {
    this.#parts.delete(name);
  }

  /** Halts an actor; the world goes on. */
  pause(name: string, milliseconds: number): void {
    const part = this.#parts.get(name);
    if (part !== undefined) part.pausedUntil = this.#clock.monotonic() + milliseconds;
  }

  isThere(name: string): boolean {
    return this.#parts.has(name);
  }

  /** One of the actors goes on by a step. */
  async step(faults: Faults): Promise<void> {
    const now = this.#clock.monotonic();
    const able = [...this.#parts].filter(([, part]) => part.pausedUntil <= now);
    if (able.length === 0) return;
    const [name, part] = this.#random.pick(able);
    if (part.call !== undefined) await this.#carryOut(part, faults);
    else if (this.#resume(part)) this.#parts.delete(name);
  }

  async #carryOut(part: Part, { lostRequest, lostAnswer }: Faults): Promise<void> {
    const { run, isLocal = false } = part.call!;
    part.call = undefined;
    if (!isLocal && happens(this.#random, lostRequest)) {
      part.answer = { failure: new Unanswered() };
      return;
    }
    try {
      const value = await run();
      part.answer = !isLocal && happens(this.#random, lostAnswer) ? { failure: new Unanswered() } : { value };
    } catch (failure) {
      if (!(failure instanceof Unanswered)) throw failure;
      part.answer = { failure };
    }
  }

  /** Whether it has ended. */
  #resume(part: Part): boolean {
    const { answer, actor } = part;
    part.answer = undefined;
    const next =
      answer !== undefined && 'failure' in answer ? actor.throw(answer.failure) : actor.next(answer?.value);
    if (next.done === true) return true;
    part.call = next.value;
    return false;
  }
}
