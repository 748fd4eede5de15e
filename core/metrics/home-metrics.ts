import type { Registry } from 'prom-client';
import { addGauge } from './add-gauge.ts';
import { BoundedNames } from './bounded-names.ts';
import type { MetricsSources } from './ports.ts';

/** Maximum number of queues with their own series. */
export const maxQueues = 50;

/** Adds metrics that are computed at each scrape: the current state of this process and the home. */
export function addHomeMetrics(registry: Registry, sources: MetricsSources): void {
  const { version, clock, store } = sources;
  const openedAt = clock.monotonic();
  const labelNames = ['status'] as const;
  addGauge(
    registry,
    { name: 'stepwright_info', help: 'Release information. Always 1.', labelNames: ['version'] },
    (gauge) => gauge.set({ version }, 1),
  );
  addGauge(registry, { name: 'stepwright_uptime_seconds', help: 'Time since the engine started' }, (gauge) =>
    gauge.set((clock.monotonic() - openedAt) / 1000),
  );
  addGauge(
    registry,
    {
      name: 'stepwright_runs_active',
      help: 'Runs that have not ended, including sub-runs, by status',
      labelNames,
    },
    (gauge) => {
      for (const [status, count] of Object.entries(store.countActiveRuns())) gauge.set({ status }, count);
    },
  );
  addGauge(registry, { name: 'stepwright_runs_driven', help: 'Active runs of this process' }, (gauge) =>
    gauge.set(sources.activeExecutions()),
  );
  addQueueMetrics(registry, sources.queues);
}

function addQueueMetrics(registry: Registry, queues: MetricsSources['queues']): void {
  const names = new BoundedNames(maxQueues);
  const add = (state: 'running' | 'waiting', help: string): void =>
    addGauge(
      registry,
      {
        name: `stepwright_queue_${state}_runs`,
        help: `${help}. Queues beyond ${maxQueues} are combined as "other".`,
        labelNames: ['queue'],
      },
      (gauge) => {
        gauge.reset();
        for (const queue of names.list()) gauge.set({ queue }, 0);
        // Configured queues first, so that ad hoc names do not use up the limit.
        const all = queues.list().toSorted((a, b) => Number(b.isGlobal) - Number(a.isGlobal));
        for (const { queue } of all) gauge.inc({ queue: names.labelOf(queue.name) }, queue[state]);
      },
    );
  add('waiting', 'Queued runs, by queue');
  add('running', 'Active runs, by queue');
}
