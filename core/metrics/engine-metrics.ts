import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Dispose } from '../base/clock.ts';
import { EventTail } from './event-tail.ts';
import { addHomeMetrics } from './home-metrics.ts';
import { HttpMetrics } from './http-metrics.ts';
import type { MetricsSources } from './ports.ts';
import { RunMetrics } from './run-metrics.ts';
import { addSchedulerMetrics } from './scheduler-metrics.ts';

/**
 * Gauges of the library with the suffix of counters, which `promtool check metrics` refuses. Each is the sum of the
 * gauge of the same name without `_total`.
 */
const misnamedGauges = ['handles', 'requests', 'resources'].map(
  (what) => `stepwright_nodejs_active_${what}_total`,
);

/** The metrics of one engine, in the text format of Prometheus. */
export class EngineMetrics {
  readonly http: HttpMetrics;
  /** Media type of the text. */
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

  /** Everything as of now. Rejects with the store's refusal. */
  async render(): Promise<string> {
    await this.#tail.catchUp();
    const text = await this.#registry.metrics();
    // The library writes what is not a number in a way that not every reader takes.
    return text.replaceAll(/ Nan$/gm, ' NaN');
  }

  close(): void {
    this.#forget();
    this.#tail.close();
    this.#registry.clear();
  }
}
