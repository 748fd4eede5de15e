import { randomUUID } from 'node:crypto';
import type { EngineParts } from '../api/engine-parts.ts';
import type { Clock } from '../base/clock.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { OwnHost } from '../hosts/own-host.ts';
import { StoredServiceLeases } from '../hosts/service-leases.ts';
import type { BaseFile } from '../library/base-file.ts';
import type { WorkflowSource, WorkflowSources } from '../library/workflow-sources.ts';
import { checkedWorkflow } from '../run/run-service.ts';
import { createScheduler } from '../scheduler/create-scheduler.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { DecidedSlot } from '../scheduler/slots/decided-slot.ts';
import type { SlotSource } from '../scheduler/slots/slot-runner.ts';
import type { Store } from '../store/open-store.ts';
import { observeSlots } from './observe-slots.ts';

/** Dependencies of the scheduler of an engine. */
export interface SchedulingParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly parts: EngineParts;
  readonly host: OwnHost;
  readonly base: BaseFile;
  readonly sources: WorkflowSources;
  /** Receives each slot that is decided here. */
  readonly slots: Emitter<DecidedSlot>;
}

/** Creates the scheduler of an engine, which is not started yet. */
export function openScheduler(scheduling: SchedulingParts, port: number | undefined): Scheduler {
  const { store, clock, logger, parts, host, base, sources, slots } = scheduling;
  const { config, hub, paths, reruns } = parts;
  const { tz: zone, scheduler } = config;
  const { owner } = host;
  const load = async (dag: string): Promise<SlotSource> => loadSlotSource(await sources.get(dag), parts);
  const observed = observeSlots({ store: store.schedule, load }, (slot) => slots.emit(slot), clock);
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

function loadSlotSource(source: WorkflowSource, { runs, queues }: EngineParts): SlotSource {
  const workflow = checkedWorkflow(source, 0);
  return {
    workflow,
    start: (slot, { overlap }) => {
      const wish = { source, trigger: 'schedule', startedBy: 'schedule', params: [], slot } as const;
      if (overlap === 'queue') return queues.enqueue(wish);
      const isUnlimited = overlap === 'allow' && workflow.maxActiveRuns === 1;
      return runs.start({
        ...wish,
        singleton: overlap === 'skip',
        ...(isUnlimited ? { maxActiveRuns: -1 } : {}),
      });
    },
  };
}
