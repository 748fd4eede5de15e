import { Counter, Histogram, type Registry } from 'prom-client';
import type { Dispose } from '../base/clock.ts';
import { addGauge } from './add-gauge.ts';
import type { MetricsSources } from './ports.ts';

/**
 * Time without a heartbeat after which no scheduler counts as active, in milliseconds; the same as in
 * `services.scheduler`.
 */
const inactiveAfterMs = 30_000;

/** Adds metrics of schedules. The scheduler may run in another process; decisions are counted only in that process. */
export function addSchedulerMetrics(registry: Registry, sources: MetricsSources): Dispose {
  const { schedule, clock } = sources;
  const registers = [registry];
  /** Returns the last heartbeat in epoch milliseconds; 0 if no scheduler is active. */
  const lastHeartbeat = (): number => {
    const active = schedule.listSchedulers().filter(({ isActive }) => isActive);
    return Math.max(0, ...active.map(({ beatAt }) => beatAt));
  };
  addGauge(
    registry,
    {
      name: 'stepwright_scheduler_active',
      help: 'Whether a scheduler of the home is active in any process',
    },
    (gauge) => gauge.set(clock.now() - lastHeartbeat() < inactiveAfterMs ? 1 : 0),
  );
  addGauge(
    registry,
    {
      name: 'stepwright_scheduler_last_tick_timestamp_seconds',
      help: 'Time of the last heartbeat of the active scheduler, or 0 if there is none',
    },
    (gauge) => gauge.set(lastHeartbeat() / 1000),
  );
  const counter = new Counter({
    name: 'stepwright_scheduler_slots_total',
    help: 'Scheduled times processed by this scheduler',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const delay = new Histogram({
    name: 'stepwright_scheduler_start_delay_seconds',
    help: 'Delay of scheduled starts, including catchup runs',
    buckets: [0.1, 0.5, 1, 2, 5, 30, 300, 3600, 24 * 3600],
    registers,
  });
  return sources.onFireTime(({ kind, outcome, lateMs }) => {
    counter.inc({ kind, outcome });
    if (outcome === 'started') delay.observe(Math.max(0, lateMs) / 1000);
  });
}
