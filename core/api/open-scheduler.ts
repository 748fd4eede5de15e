import { randomUUID } from 'node:crypto';
import type { EngineContext } from './engine-context.ts';
import type { Clock } from '../base/clock.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import { type HostHeartbeat, ServiceLeases } from '../run/hosts.ts';
import type { BaseFile } from '../home/library/base-file.ts';
import type { WorkflowLibrary } from '../home/library/workflow-library.ts';
import { type LoadedFile, requireValidWorkflow } from '../run/run-service.ts';
import { watchFolder } from '../home/library/folder-watch.ts';
import { DagIndex } from '../run/scheduler/dag-index.ts';
import { Restarts } from '../run/scheduler/due-fire-times.ts';
import { ExpectationWatch } from '../run/scheduler/expectation-watch.ts';
import { PingWatch } from '../run/scheduler/ping-watch.ts';
import { Scheduler } from '../run/scheduler/scheduler.ts';
import {
  FireTimeRunner,
  type DecidedFireTime,
  type FireTimeSource,
} from '../run/scheduler/fire-time-runner.ts';
import type { Store } from '../store/open-store.ts';

/** Dependencies of the scheduler of an engine. */
export interface OpenSchedulerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly engineContext: EngineContext;
  readonly host: HostHeartbeat;
  readonly base: BaseFile;
  readonly library: WorkflowLibrary;
  /** Receives each slot that is decided here. */
  readonly decidedFireTimes: Emitter<DecidedFireTime>;
}

/** Creates the scheduler of an engine, which is not started yet. */
export function openScheduler(scheduling: OpenSchedulerOptions, port: number | undefined): Scheduler {
  const { store, clock, logger, engineContext, host, base, library, decidedFireTimes } = scheduling;
  const { config, hub, paths, reruns } = engineContext;
  const zone = config.tz;
  const defaults = {
    zone,
    catchup: config.scheduler.catchup,
    windowMs: config.scheduler.catchupWindow * 1000,
  };
  const index = new DagIndex(paths.dags, base, clock, logger);
  const restarts = new Restarts(
    store.schedule,
    clock,
    logger,
    (run) => reruns.waitForRestart(run),
    (run, fireTime) => reruns.repeat(run, { trigger: 'schedule', startedBy: 'schedule', fireTime }),
  );
  const runner = new FireTimeRunner({
    store: store.schedule,
    clock,
    logger,
    zone,
    restarts,
    load: async (dag) => loadFireTimeSource((await library.get(dag)).spec, engineContext),
    getName: (dag) => index.dags.get(dag)?.name ?? dag,
    onStopped: () => hub.pump(),
    onDecided: (fireTime) => decidedFireTimes.emit(fireTime),
  });
  const commitRevision = (): string => store.commitRevision();
  return new Scheduler({
    store: store.schedule,
    commitRevision,
    leases: new ServiceLeases(store, clock, host),
    index,
    watch: (onChange) => watchFolder(paths.dags, clock, onChange),
    run: (fireTime) => runner.run(fireTime),
    restarts,
    pings: new PingWatch(store.pings, commitRevision, clock, zone),
    expectations: new ExpectationWatch(
      store.expectations,
      store,
      (dag) => store.schedule.isSuspended(dag),
      clock,
      zone,
    ),
    clock,
    logger,
    defaults,
    instance: { id: host.owner.id ?? randomUUID(), host: host.owner.host, pid: host.owner.pid, port },
  });
}

function loadFireTimeSource(source: LoadedFile, { runs, queues }: EngineContext): FireTimeSource {
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
