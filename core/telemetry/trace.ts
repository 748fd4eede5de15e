import { createHash, randomBytes } from 'node:crypto';
import type { NodeId } from '../model/run/run-event.ts';
import type { RunTrace, SpanLink } from '../model/run/run-trace.ts';
import type { TraceContext } from '../model/workflow/trace-context.ts';

/**
 * The trace of a new run: that of whoever caused it, or a new one.
 * @param links runs that it goes back to
 */
export function beginTrace(caller: TraceContext | undefined, links: readonly SpanLink[] = []): RunTrace {
  const spanId = newId(8);
  const linked = links.length === 0 ? {} : { links };
  // Whether programs of the steps record anything is for them to decide, unless somebody has decided it before.
  if (caller === undefined) return { traceId: newId(16), spanId, sampled: true, ...linked };
  return { ...caller, spanId, parentSpanId: caller.spanId, ...linked };
}

/**
 * The trace of a run that goes on after its end: it keeps its trace id. The new span's parent is who asks for it, when
 * that is of the same trace (a step of the parent run); otherwise the parent that the run had, or its first span.
 */
export function continueTrace(earlier: RunTrace | undefined, caller: TraceContext | undefined): RunTrace {
  if (earlier === undefined) return beginTrace(caller);
  const { traceId, spanId } = earlier;
  const before: SpanLink = { traceId, spanId };
  if (caller?.traceId === traceId) return beginTrace(caller, [before]);
  return {
    ...earlier,
    spanId: newId(8),
    parentSpanId: earlier.parentSpanId ?? spanId,
    links: caller === undefined ? [before] : [before, { traceId: caller.traceId, spanId: caller.spanId }],
  };
}

/** An attempt of a step or handler, or an item of it. */
export interface SpanPlace {
  readonly node: NodeId;
  readonly attempt: number;
  readonly item?: number | undefined;
}

/**
 * What an attempt, or an item of it, hands on. Its span id follows from that of the run, so that whoever knows the run
 * knows it, without keeping it.
 */
export function attemptTrace({ traceId, spanId, sampled, state }: RunTrace, place: SpanPlace): TraceContext {
  const { node, attempt, item } = place;
  const named = JSON.stringify([traceId, spanId, node.section, node.name, attempt, item ?? null]);
  const own = createHash('sha256').update(named).digest('hex').slice(0, 16);
  return { traceId, spanId: own, sampled, ...(state === undefined ? {} : { state }) };
}

/** A random id of so many bytes. All zeros, which are no id, are as likely as a hundred lost dice. */
const newId = (bytes: number): string => randomBytes(bytes).toString('hex');
