import { Registry, Counter, Histogram, Gauge, collectDefaultMetrics } from 'prom-client';
import type { Clock, Dispose } from '../../base/clock.ts';
import type { RecordedEvent } from '../../model/run-event.ts';
import { type MetricsSources, addGauge, RunMetrics } from './run-metrics.ts';

/** Events per read; about a millisecond. */
const pageSize = 200;
/** How long events are processed in one event-loop tick, in milliseconds. */
const maxTurnMs = 5;
/** Polling interval without scrapes, because deleted runs lose their events. */
const everyMs = 10_000;

/**
 * Reads the events of the home after they are written by any process: writing events has no additional cost, and
 * several thousand are read at once every ten seconds.
 */
class EventTail {
  readonly #sources: Pick<MetricsSources, 'store' | 'clock' | 'logger'>;
  readonly #take: (event: RecordedEvent) => Promise<void>;
  readonly #stop: Dispose;
  /** Of the last read. */
  #revision: string | undefined;
  #lastId: number | undefined;
  #catchingUp: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    sources: Pick<MetricsSources, 'store' | 'clock' | 'logger'>,
    take: (event: RecordedEvent) => Promise<void>,
  ) {
    this.#sources = sources;
    this.#take = take;
    this.#stop = sources.clock.every(everyMs, () => this.#catchUpLater());
    this.#catchUpLater();
  }

  #catchUpLater(): void {
    this.catchUp().catch((error: unknown) =>
      this.#sources.logger.warn('Cannot count events, retrying', { message: String(error) }),
    );
  }

  /** Resolves when all current events have been processed. Rejects with errors of the store. */
  catchUp(): Promise<void> {
    return (this.#catchingUp ??= this.#read().finally(() => (this.#catchingUp = undefined)));
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  async #read(): Promise<void> {
    const { store, clock } = this.#sources;
    const revision = store.commitRevision();
    if (revision === this.#revision) return;
    this.#lastId ??= await store.lastEventId();
    while (!this.#isClosed) {
      const events = await store.listEvents(this.#lastId, pageSize);
      let since = clock.monotonic();
      for (const event of events) {
        this.#lastId = event.id;
        await this.#take(event);
        // The workflows of the runs are read too, perhaps over a network.
        if (clock.monotonic() - since < maxTurnMs) continue;
        await nextTick(clock);
        since = clock.monotonic();
      }
      if (events.length < pageSize) {
        this.#revision = revision;
        return;
      }
      await nextTick(clock);
    }
  }
}

const nextTick = (clock: Clock): Promise<void> => new Promise((resolve) => clock.soon(resolve));

/** Maximum number of queues with their own series. */
export const maxQueues = 50;

/** Adds metrics that are computed at each scrape: the current state of this process and the home. */
function addHomeMetrics(registry: Registry, sources: MetricsSources): void {
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
    async (gauge) => {
      for (const [status, count] of Object.entries(await store.countActiveRuns()))
        gauge.set({ status }, count);
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
      async (gauge) => {
        // Configured queues first, so that ad hoc names do not use up the limit.
        const all = (await queues.list()).toSorted((a, b) => Number(b.isGlobal) - Number(a.isGlobal));
        gauge.reset();
        for (const queue of names.list()) gauge.set({ queue }, 0);
        for (const { queue } of all) gauge.inc({ queue: names.getLabel(queue.name) }, queue[state]);
      },
    );
  add('waiting', 'Queued runs, by queue');
  add('running', 'Active runs, by queue');
}

/** Label value of all names beyond the limit. */
export const otherLabel = 'other';

/**
 * Limits the values of a label: the first names as they are, later ones as `other`. Each label value is a permanent
 * time series in Prometheus, and users can create any number of queues.
 */
class BoundedNames {
  readonly #max: number;
  readonly #names = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  getLabel(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#max) return otherLabel;
    this.#names.add(name);
    return name;
  }

  /** Returns the names that have their own label value. */
  list(): readonly string[] {
    return [...this.#names];
  }
}

/**
 * Time without a heartbeat after which no scheduler counts as active, in milliseconds; the same as in
 * `services.scheduler`.
 */
const inactiveAfterMs = 30_000;

/** Adds metrics of schedules. The scheduler may run in another process; decisions are counted only in that process. */
function addSchedulerMetrics(registry: Registry, sources: MetricsSources): Dispose {
  const { schedule, clock } = sources;
  const registers = [registry];
  /** Returns the last heartbeat in epoch milliseconds; 0 if no scheduler is active. */
  const lastHeartbeat = async (): Promise<number> => {
    const active = (await schedule.listSchedulers()).filter(({ isActive }) => isActive);
    return Math.max(0, ...active.map(({ beatAt }) => beatAt));
  };
  addGauge(
    registry,
    {
      name: 'stepwright_scheduler_active',
      help: 'Whether a scheduler of the home is active in any process',
    },
    async (gauge) => gauge.set(clock.now() - (await lastHeartbeat()) < inactiveAfterMs ? 1 : 0),
  );
  addGauge(
    registry,
    {
      name: 'stepwright_scheduler_last_tick_timestamp_seconds',
      help: 'Time of the last heartbeat of the active scheduler, or 0 if there is none',
    },
    async (gauge) => gauge.set((await lastHeartbeat()) / 1000),
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

/** A completed request. */
export interface CompletedRequest {
  /** Operation name, or one of a few names for all others; never a path. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Counts requests and streams. */
class HttpMetrics {
  readonly #requests: Counter<'operation' | 'status'>;
  readonly #seconds: Histogram<'operation'>;
  readonly #streams: Gauge<'stream'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'stepwright_http_requests_total',
      help: 'HTTP requests, by operation and status class',
      labelNames: ['operation', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'stepwright_http_request_duration_seconds',
      help: 'HTTP request duration, without streams',
      labelNames: ['operation'],
      buckets: [0.002, 0.01, 0.05, 0.25, 1, 5, 30],
      registers,
    });
    this.#streams = new Gauge({
      name: 'stepwright_http_streams',
      help: 'Open event and log streams, by name',
      labelNames: ['stream'],
      registers,
    });
  }

  recordRequest({ operation, status, seconds }: CompletedRequest): void {
    this.#requests.inc({ operation, status: `${Math.floor(status / 100)}xx` });
    this.#seconds.observe({ operation }, seconds);
  }

  /** Returns a function to call when the stream ends. */
  streamOpened(stream: string): Dispose {
    this.#streams.inc({ stream });
    return () => this.#streams.dec({ stream });
  }
}

/**
 * Gauges of the library with a counter suffix, which `promtool check metrics` rejects. Each is the sum of the gauge
 * with the same name without `_total`.
 */
const misnamedGauges = ['handles', 'requests', 'resources'].map(
  (what) => `stepwright_nodejs_active_${what}_total`,
);

/** Metrics of an engine in the Prometheus text format. */
export class EngineMetrics {
  readonly http: HttpMetrics;
  /** Media type of the output. */
  readonly contentType: string;
  readonly #registry = new Registry();
  readonly #tail: EventTail;
  readonly #forget: Dispose;

  constructor(sources: MetricsSources) {
    collectDefaultMetrics({ register: this.#registry, prefix: 'stepwright_' });
    for (const name of misnamedGauges) this.#registry.removeSingleMetric(name);
    addHomeMetrics(this.#registry, sources);
    this.#forget = addSchedulerMetrics(this.#registry, sources);
    this.http = new HttpMetrics(this.#registry);
    const runs = new RunMetrics(this.#registry, (run) => sources.findWorkflow(run));
    this.#tail = new EventTail(sources, (event) => runs.take(event));
    this.contentType = this.#registry.contentType;
  }

  /** Returns all current metrics. Rejects with errors of the store. */
  async render(): Promise<string> {
    await this.#tail.catchUp();
    const text = await this.#registry.metrics();
    // The library's spelling of NaN is not supported by every parser.
    return text.replaceAll(/ Nan$/gm, ' NaN');
  }

  close(): void {
    this.#forget();
    this.#tail.close();
    this.#registry.clear();
  }
}
