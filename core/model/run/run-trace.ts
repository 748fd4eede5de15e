import type { TraceContext } from '../workflow/trace-context.ts';

/** A span of any trace. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** The trace of a run, stored with it; `spanId` is the span of the run itself. */
export interface RunTrace extends TraceContext {
  /** The span that triggered the run; absent when the trace starts with the run. */
  readonly parentSpanId?: string;
  /** Links in addition to the parent: to the earlier run, or to the request for a retry. */
  readonly links?: readonly SpanLink[];
}
