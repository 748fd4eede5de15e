import type { EngineParts } from '../api/engine-parts.ts';
import { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineMetrics } from '../metrics/engine-metrics.ts';
import type { DecidedSlot } from '../scheduler/slots/decided-slot.ts';

/** The metrics of an engine. Counts nothing before the metrics are first read: a command never does. */
export class MetricsOpener {
  /** Slots that the scheduler of this process decides. */
  readonly slots: Emitter<DecidedSlot>;
  readonly #parts: EngineParts;
  readonly #logger: Logger;
  #opened: Promise<EngineMetrics> | undefined;

  constructor(parts: EngineParts, logger: Logger) {
    this.#parts = parts;
    this.#logger = logger;
    this.slots = new Emitter((thrown) =>
      logger.error('Cannot count a scheduled time', { message: String(thrown) }),
    );
  }

  open(): Promise<EngineMetrics> {
    return (this.#opened ??= openMetrics(this.#parts, this.#logger, this.slots));
  }

  async close(): Promise<void> {
    const metrics = await this.#opened;
    metrics?.close();
  }
}

async function openMetrics(
  parts: EngineParts,
  logger: Logger,
  slots: Emitter<DecidedSlot>,
): Promise<EngineMetrics> {
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
      return detail && storedWorkflows.peek(detail.run, detail.spec);
    },
  });
}
