import type { TraceContext } from '../workflow/trace-context.ts';

/** A span of whatever trace. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** The trace that a run belongs to, kept with it; `spanId` is the span of the run itself. */
export interface RunTrace extends TraceContext {
  /** The span that caused the run; absent when the trace begins with it. */
  readonly parentSpanId?: string;
  /** What the run goes back to beside its parent: the earlier run, or who asked for a retry. */
  readonly links?: readonly SpanLink[];
}
