import { AppError } from './errors.ts';

/** Problems of a host that still responds. */
export const healthCodes = [
  'storage_full',
  'unavailable',
  'home_unusable',
  'supervisor_unresponsive',
] as const;
export type HealthCode = (typeof healthCodes)[number];

/** A problem that prevents runs of this host from continuing or from being stored. */
export interface HealthProblem {
  readonly code: HealthCode;
  /** The problem and its solution, in one or two sentences. */
  readonly message: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The problems of one host. Each component reports its problems, and clears them when they are over. */
export class Health {
  readonly #now: () => number;
  readonly #problems = new Map<HealthCode, HealthProblem>();
  readonly #listeners: ((problem: HealthProblem) => void)[] = [];

  constructor(clock: { now(): number }) {
    this.#now = () => clock.now();
  }

  /** Problems, oldest first. */
  get problems(): readonly HealthProblem[] {
    return [...this.#problems.values()];
  }

  /** Adds a problem; a known one gets the new message. */
  report(code: HealthCode, message: string): void {
    const known = this.#problems.get(code);
    const problem = { code, message, since: known?.since ?? this.#now() };
    this.#problems.set(code, problem);
    if (known === undefined) for (const notify of this.#listeners) notify(problem);
  }

  clear(code: HealthCode): void {
    this.#problems.delete(code);
  }

  /** Calls back for each new problem. */
  onProblem(listener: (problem: HealthProblem) => void): void {
    this.#listeners.push(listener);
  }

  /** @throws `home_unusable` while writes would be lost */
  requireHome(): void {
    const problem = this.#problems.get('home_unusable');
    if (problem !== undefined) throw new AppError('home_unusable', problem.message);
  }
}
