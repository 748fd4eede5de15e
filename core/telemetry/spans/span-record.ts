import type { SpanLink } from '../../model/run/run-trace.ts';

export type SpanAttributes = Record<string, string | number | boolean>;

/** An ended span, ready to send. Times in epoch milliseconds. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** `tracestate`. */
  readonly state?: string | undefined;
  readonly name: string;
  /** `server` for externally triggered work. */
  readonly kind: 'server' | 'internal';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  /** Error message; present if it failed. */
  readonly error?: string | undefined;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
}

/** An event within a span. */
export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: SpanAttributes;
}
