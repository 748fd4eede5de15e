import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Dispose } from '../base/clock.ts';

/** A completed request. */
export interface CompletedRequest {
  /** Operation name, or one of a few names for all others; never a path. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Counts requests and streams. */
export class HttpMetrics {
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
