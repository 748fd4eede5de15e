import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Dispose } from '../base/clock.ts';
import { EventTail } from './event-tail.ts';
import { addHomeMetrics } from './home-metrics.ts';
import { HttpMetrics } from './http-metrics.ts';
import type { MetricsSources } from './ports.ts';
import { RunMetrics } from './run-metrics.ts';
import { addSchedulerMetrics } from './scheduler-metrics.ts';

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
