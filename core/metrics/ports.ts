import type { Clock, Dispose } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { RunRef } from '../model/run/run.ts';
import type { QueueOverview } from '../queue/queues.ts';
import type { RunStore } from '../run/ports.ts';
import type { ScheduleStore } from '../scheduler/ports.ts';
import type { DecidedSlot } from '../scheduler/slots/decided-slot.ts';
import type { Workflow } from '../model/workflow/workflow.ts';

/** What the metrics of an engine are read from. */
export interface MetricsSources {
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<RunStore, 'listEvents' | 'lastEventId' | 'countActiveRuns'>;
  readonly schedule: Pick<ScheduleStore, 'listSchedulers'>;
  readonly queues: {
    list(): readonly Pick<QueueOverview, 'queue' | 'isGlobal'>[];
  };
  /** Told of each slot that the scheduler of this process decides. */
  onSlot(listener: (slot: DecidedSlot) => void): Dispose;
  /** Runs that this process drives now. */
  drivenRuns(): number;
  /** What a run executes; undefined when it is gone. */
  findWorkflow(run: RunRef): Workflow | undefined;
}
