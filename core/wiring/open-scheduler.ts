import { randomUUID } from 'node:crypto';
import type { EngineContext } from '../api/engine-context.ts';
import type { Clock } from '../base/clock.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { HostHeartbeat } from '../hosts/host-heartbeat.ts';
import { StoredServiceLeases } from '../hosts/service-leases.ts';
import type { BaseFile } from '../library/base-file.ts';
import type { WorkflowSource, WorkflowSources } from '../library/workflow-sources.ts';
import { checkedWorkflow } from '../run/run-service.ts';
import { createScheduler } from '../scheduler/create-scheduler.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { DecidedFireTime } from '../scheduler/fire-times/decided-fire-time.ts';
import type { FireTimeSource } from '../scheduler/fire-times/fire-time-runner.ts';
import type { Store } from '../store/open-store.ts';
import { observeFireTimes } from './observe-fire-times.ts';

/** Dependencies of the scheduler of an engine. */
export interface SchedulingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly parts: EngineContext;
  readonly host: HostHeartbeat;
  readonly base: BaseFile;
  readonly sources: WorkflowSources;
  /** Receives each slot that is decided here. */
  readonly slots: Emitter<DecidedFireTime>;
}

/** Creates the scheduler of an engine, which is not started yet. */
export function openScheduler(scheduling: SchedulingDeps, port: number | undefined): Scheduler {
  const { store, clock, logger, parts, host, base, sources, slots } = scheduling;
  const { config, hub, paths, reruns } = parts;
  const { tz: zone, scheduler } = config;
  const { owner } = host;
  const load = async (dag: string): Promise<FireTimeSource> =>
    loadFireTimeSource(await sources.get(dag), parts);
  const observed = observeFireTimes({ store: store.schedule, load }, (slot) => slots.emit(slot), clock);
  return createScheduler(
    {
      ...observed,
      leases: new StoredServiceLeases({ store, clock, host }),
      clock,
      logger,
      folder: paths.dags,
      base,
      defaults: { zone, catchup: scheduler.catchup, windowMs: scheduler.catchupWindow * 1000 },
      onStopped: () => hub.pump(),
      waitForEnd: (run) => reruns.waitForRestart(run),
      repeat: (run, slot) => reruns.repeat(run, { trigger: 'schedule', startedBy: 'schedule', slot }),
    },
    { id: owner.id ?? randomUUID(), host: owner.host, pid: owner.pid, port },
  );
}

function loadFireTimeSource(source: WorkflowSource, { runs, queues }: EngineContext): FireTimeSource {
  const workflow = checkedWorkflow(source, 0);
  return {
    workflow,
    start: (slot, { overlap }) => {
      const options = { source, trigger: 'schedule', startedBy: 'schedule', params: [], slot } as const;
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
