import type { Clock, Dispose } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunRef } from '../../model/run.ts';
import type { QueueOverview } from '../../run/queue/queues.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { ScheduleStore } from '../../store/types/schedules.ts';
import type { DecidedFireTime } from '../../run/scheduler/fire-time-runner.ts';
import type { Workflow } from '../../model/workflow.ts';

/** Data sources of the metrics. */
export interface MetricsSources {
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<RunStore, 'listEvents' | 'lastEventId' | 'countActiveRuns'>;
  readonly schedule: Pick<ScheduleStore, 'listSchedulers'>;
  readonly queues: {
    list(): readonly Pick<QueueOverview, 'queue' | 'isGlobal'>[];
  };
  /** Calls back for each slot that this process's scheduler decides. */
  onFireTime(listener: (fireTime: DecidedFireTime) => void): Dispose;
  /** Returns the number of runs that this process drives. */
  activeExecutions(): number;
  /** Returns the workflow of a run; undefined if deleted. */
  findWorkflow(run: RunRef): Workflow | undefined;
}
