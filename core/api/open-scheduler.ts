import { randomUUID } from 'node:crypto';
import type { EngineContext } from './engine-context.ts';
import type { Clock } from '../base/clock.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { HostHeartbeat } from '../run/hosts/host-heartbeat.ts';
import { StoredServiceLeases } from '../run/hosts/service-leases.ts';
import type { BaseFile } from '../home/library/base-file.ts';
import type { WorkflowSource, WorkflowSources } from '../home/library/workflow-sources.ts';
import { requireValidWorkflow } from '../run/run-service.ts';
import { createScheduler } from '../run/scheduler/create-scheduler.ts';
import type { Scheduler } from '../run/scheduler/scheduler.ts';
import type { DecidedFireTime, FireTimeSource } from '../run/scheduler/fire-time-runner.ts';
import type { Store } from '../store/open-store.ts';
import { observeFireTimes } from '../run/scheduler/observe-fire-times.ts';

/** Dependencies of the scheduler of an engine. */
export interface SchedulingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly engineContext: EngineContext;
  readonly host: HostHeartbeat;
  readonly base: BaseFile;
  readonly sources: WorkflowSources;
  /** Receives each slot that is decided here. */
  readonly decidedFireTimes: Emitter<DecidedFireTime>;
}

/** Creates the scheduler of an engine, which is not started yet. */
export function openScheduler(scheduling: SchedulingDeps, port: number | undefined): Scheduler {
  const { store, clock, logger, engineContext, host, base, sources, decidedFireTimes } = scheduling;
  const { config, hub, paths, reruns } = engineContext;
  const { tz: zone, scheduler } = config;
  const { owner } = host;
  const load = async (dag: string): Promise<FireTimeSource> =>
    loadFireTimeSource(await sources.get(dag), engineContext);
  const observed = observeFireTimes(
    { store: store.schedule, load },
    (fireTime) => decidedFireTimes.emit(fireTime),
    clock,
  );
  return createScheduler(
    {
      ...observed,
      expectations: store.expectations,
      pings: store.pings,
      runs: store,
      leases: new StoredServiceLeases({ store, clock, host }),
      clock,
      logger,
      folder: paths.dags,
      base,
      defaults: { zone, catchup: scheduler.catchup, windowMs: scheduler.catchupWindow * 1000 },
      onStopped: () => hub.pump(),
      waitForEnd: (run) => reruns.waitForRestart(run),
      repeat: (run, fireTime) => reruns.repeat(run, { trigger: 'schedule', startedBy: 'schedule', fireTime }),
    },
    { id: owner.id ?? randomUUID(), host: owner.host, pid: owner.pid, port },
  );
}

function loadFireTimeSource(source: WorkflowSource, { runs, queues }: EngineContext): FireTimeSource {
  const workflow = requireValidWorkflow(source, 0);
  return {
    workflow,
    start: (fireTime, { overlap }) => {
      const options = { source, trigger: 'schedule', startedBy: 'schedule', params: [], fireTime } as const;
      if (overlap === 'queue') return queues.enqueue(options);
      const isUnlimited = overlap === 'allow' && workflow.maxActiveRuns === 1;
      return runs.start({
        ...options,
        singleton: overlap === 'skip',
        ...(isUnlimited ? { maxActiveRuns: -1 } : {}),
      });
    },
  };
}
