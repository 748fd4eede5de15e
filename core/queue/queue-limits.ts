import type { EngineConfig } from '../config/engine-config.ts';

/** What the configuration says of queues. */
export class QueueLimits {
  /** Whether runs may wait at all. */
  readonly isEnabled: boolean;
  readonly #limits: ReadonlyMap<string, number>;

  constructor({ enabled, config }: EngineConfig['queues']) {
    this.isEnabled = enabled;
    this.#limits = new Map((config ?? []).map(({ name, maxConcurrency }) => [name, maxConcurrency]));
  }

  /** How many runs of a queue may be active; undefined for one that takes the limit of its workflows. */
  limitOf(queue: string): number | undefined {
    return this.#limits.get(queue);
  }

  /** Queues with a limit of their own, in the order of the configuration. */
  get names(): readonly string[] {
    return [...this.#limits.keys()];
  }
}
