import { AppError } from './errors.ts';

/** What may be wrong with a host that still answers. */
export const healthCodes = [
  'storage_full',
  'unavailable',
  'home_unusable',
  'supervisor_unresponsive',
] as const;
export type HealthCode = (typeof healthCodes)[number];

/** Something that keeps runs of this host from going on, or from being kept. */
export interface HealthProblem {
  readonly code: HealthCode;
  /** What is wrong and what to do, in one or two sentences. */
  readonly message: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The problems of one host. Whoever notices one reports it, and clears it when it is over. */
export class Health {
  readonly #now: () => number;
  readonly #problems = new Map<HealthCode, HealthProblem>();
  readonly #listeners: ((problem: HealthProblem) => void)[] = [];

  constructor(clock: { now(): number }) {
    this.#now = () => clock.now();
  }

  /** The oldest first. */
  get problems(): readonly HealthProblem[] {
    return [...this.#problems.values()];
  }

  /** Does nothing when the problem is known. */
  report(code: HealthCode, message: string): void {
    if (this.#problems.has(code)) return;
    const problem = { code, message, since: this.#now() };
    this.#problems.set(code, problem);
    for (const tell of this.#listeners) tell(problem);
  }

  clear(code: HealthCode): void {
    this.#problems.delete(code);
  }

  /** Calls back for each new problem. */
  onProblem(listener: (problem: HealthProblem) => void): void {
    this.#listeners.push(listener);
  }

  /** Throws `home_unusable` while what is written would be lost. */
  requireHome(): void {
    const problem = this.#problems.get('home_unusable');
    if (problem !== undefined) throw new AppError('home_unusable', problem.message);
  }
}
