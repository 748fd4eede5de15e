import type { EngineParts } from '../api/engine-parts.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineMetrics } from '../metrics/engine-metrics.ts';
import type { DecidedSlot } from '../scheduler/slots/decided-slot.ts';

/** What the metrics of an engine are put together from. */
export interface MetricsWiring {
  readonly parts: EngineParts;
  readonly logger: Logger;
  readonly slots: Emitter<DecidedSlot>;
}

/** The metrics of an engine, which counts nothing before somebody asks for them: a command never does. */
export class MetricsOpener {
  readonly #wiring: MetricsWiring;
  #opened: Promise<EngineMetrics> | undefined;

  constructor(wiring: MetricsWiring) {
    this.#wiring = wiring;
  }

  open(): Promise<EngineMetrics> {
    return (this.#opened ??= openMetrics(this.#wiring));
  }

  async close(): Promise<void> {
    const metrics = await this.#opened;
    metrics?.close();
  }
}

async function openMetrics({ parts, logger, slots }: MetricsWiring): Promise<EngineMetrics> {
  const { EngineMetrics } = await import('../metrics/engine-metrics.ts');
  const { version, clock, store, schedule, queues, active, storedWorkflows } = parts;
  return new EngineMetrics({
    version,
    clock,
    logger,
    store,
    schedule,
    queues,
    onSlot: (listener) => slots.subscribe(listener),
    drivenRuns: () => active.list().length,
    findWorkflow(run) {
      const detail = store.getDetail(run);
      return detail && storedWorkflows.find(detail.run, detail.spec);
    },
  });
}
