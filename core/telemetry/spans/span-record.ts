import type { SpanLink } from '../../model/run/run-trace.ts';

export type SpanAttributes = Record<string, string | number | boolean>;

/** A span that has ended, ready to be sent. Times in epoch milliseconds. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** `tracestate`. */
  readonly state?: string | undefined;
  readonly name: string;
  /** `server` for what was asked for from outside. */
  readonly kind: 'server' | 'internal';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  /** Why it failed; present means that it did. */
  readonly error?: string | undefined;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
}

/** Something that happened within a span. */
export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: SpanAttributes;
}
