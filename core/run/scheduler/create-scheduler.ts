import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServiceLeases } from '../hosts/service-leases.ts';
import type { BaseFile } from '../../home/library/base-file.ts';
import { watchFolder } from '../../home/library/folder-watch.ts';
import type { RunRef } from '../../model/run.ts';
import type { SchedulerInstance, FireTimeRef } from '../../model/fire-time.ts';
import { DagIndex } from './dag-index.ts';
import type { ExpectationStore } from '../../store/types/expectations.ts';
import type { RunStatisticsStore } from '../../store/types/statistics.ts';
import type { PingStore } from '../../store/types/pings.ts';
import { PingWatch } from './ping-watch.ts';
import { ExpectationWatch } from './expectation-watch.ts';
import type { ScheduleStore } from '../../store/types/schedules.ts';
import { Scheduler } from './scheduler.ts';
import { type CatchupDefaults, Restarts } from './due-fire-times.ts';
import { FireTimeRunner, type FireTimeSource } from './fire-time-runner.ts';

/** Dependencies that an engine provides for its scheduler. */
export interface SchedulerHost {
  readonly store: ScheduleStore;
  readonly expectations: ExpectationStore;
  readonly pings: PingStore;
  readonly runs: RunStatisticsStore;
  readonly leases: ServiceLeases;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absolute path of the workflow folder. */
  readonly folder: string;
  readonly base: BaseFile;
  readonly defaults: CatchupDefaults;
  /**
   * Reads a workflow file by its name.
   * @throws `not_found` or `invalid_spec`
   */
  readonly load: (dag: string) => Promise<FireTimeSource>;
  /** Call this when this process has asked runs to stop. */
  readonly onStopped: () => void;
  /** Waits for the end of a run that was asked to stop and for its `restartWaitSec`. */
  readonly waitForEnd: (run: RunRef) => Promise<void>;
  /** Starts a run again for a slot. */
  readonly repeat: (run: RunRef, fireTime: FireTimeRef) => Promise<unknown>;
}

/** Creates a scheduler; `start` starts it. */
export function createScheduler(
  host: SchedulerHost,
  instance: Pick<SchedulerInstance, 'id' | 'host' | 'pid' | 'port'>,
): Scheduler {
  const { clock, logger, store, folder, base, defaults } = host;
  const restarts = new Restarts(host);
  const index = new DagIndex({ folder, base, clock, logger });
  const runner = new FireTimeRunner({
    ...host,
    zone: defaults.zone,
    restarts,
    getName: (dag) => index.dags.get(dag)?.name ?? dag,
  });
  return new Scheduler({
    store,
    leases: host.leases,
    index,
    watch: (onChange) => watchFolder(folder, clock, onChange),
    run: (fireTime) => runner.run(fireTime),
    restarts,
    pings: new PingWatch({ store: host.pings, clock, zone: defaults.zone }),
    expectations: new ExpectationWatch({
      store: host.expectations,
      runs: host.runs,
      isSuspended: (dag) => store.isSuspended(dag),
      clock,
      zone: defaults.zone,
    }),
    clock,
    logger,
    defaults,
    instance,
  });
}
