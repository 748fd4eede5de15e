import type { EngineContext } from '../engine-context.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import type { DecidedFireTime } from '../../run/scheduler/fire-time-runner.ts';

/** The metrics of an engine. Counts nothing before the metrics are first read: a command never does. */
export class LazyMetrics {
  /** Slots that the scheduler of this process decides. */
  readonly decidedFireTimes: Emitter<DecidedFireTime>;
  readonly #context: EngineContext;
  readonly #logger: Logger;
  #opened: Promise<EngineMetrics> | undefined;

  constructor(context: EngineContext, logger: Logger) {
    this.#context = context;
    this.#logger = logger;
    this.decidedFireTimes = new Emitter((error) =>
      logger.error('Cannot count a scheduled time', { message: String(error) }),
    );
  }

  open(): Promise<EngineMetrics> {
    return (this.#opened ??= openMetrics(this.#context, this.#logger, this.decidedFireTimes));
  }

  async close(): Promise<void> {
    const metrics = await this.#opened;
    metrics?.close();
  }
}

async function openMetrics(
  context: EngineContext,
  logger: Logger,
  decidedFireTimes: Emitter<DecidedFireTime>,
): Promise<EngineMetrics> {
  const { EngineMetrics } = await import('./engine-metrics.ts');
  const { version, clock, store, schedule, queues, active, storedWorkflows } = context;
  return new EngineMetrics({
    version,
    clock,
    logger,
    store,
    schedule,
    queues,
    onFireTime: (listener) => decidedFireTimes.subscribe(listener),
    activeExecutions: () => active.list().length,
    async findWorkflow(run) {
      const found = await store.getSpec(run);
      return found && storedWorkflows.peek(found.run, found.spec);
    },
  });
}
