import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { DispatchStore } from '../../ports.ts';

export interface MetricsDeps {
  readonly store: DispatchStore;
  /** Number of workers waiting at this coordinator. */
  waiting(): number;
}

/** Adds `GET /metrics` in the Prometheus text format without authentication: only counts, no task data. */
export function addMetricsRoute(app: FastifyInstance, { store, waiting }: MetricsDeps): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stepwright_coordinator_' });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name: `stepwright_coordinator_${name}`, help, labelNames, registers: [registry] });
  const tasks = gauge('tasks', 'Tasks in the database, by state', ['state']);
  const stale = gauge('stale_results', 'Results rejected because of an outdated fence');
  const workers = gauge('waiting_workers', 'Workers connected to this coordinator and waiting for tasks');
  app.get('/metrics', async (_request, reply) => {
    const { ready, claimed, running, staleRefused } = await store.stats();
    for (const [state, count] of Object.entries({ ready, claimed, running })) tasks.set({ state }, count);
    stale.set(staleRefused);
    workers.set(waiting());
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
