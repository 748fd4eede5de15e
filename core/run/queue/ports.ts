import type { EngineConfig } from '../../home/config/engine-config.ts';

/** The queue limits of the configuration. */
export class QueueLimits {
  /** Whether queues are enabled. */
  readonly isEnabled: boolean;
  readonly #limits: ReadonlyMap<string, number>;

  constructor({ enabled, config }: EngineConfig['queues']) {
    this.isEnabled = enabled;
    this.#limits = new Map((config ?? []).map(({ name, maxConcurrency }) => [name, maxConcurrency]));
  }

  /** Returns the most active runs of a queue; undefined when the limits of its workflows apply. */
  limitOf(queue: string): number | undefined {
    return this.#limits.get(queue);
  }

  /** Queues with a limit of their own, in the order of the configuration. */
  get names(): readonly string[] {
    return [...this.#limits.keys()];
  }
}
