import { createHash, randomBytes } from 'node:crypto';
import type { NodeId } from '../../model/run-event.ts';
import type { RunTrace, SpanLink } from '../../model/run.ts';
import type { TraceContext } from '../../model/trace-context.ts';
import type { Otel } from '../../model/settings.ts';

/**
 * Returns the trace of a new run: that of its caller, or a new one.
 * @param links runs that it originates from
 */
export function beginTrace(caller: TraceContext | undefined, links: readonly SpanLink[] = []): RunTrace {
  const spanId = newId(8);
  const linked = links.length === 0 ? {} : { links };
  // New traces are sampled by the engine. Programs of the steps make their own decision, unless a caller has already
  // decided.
  if (caller === undefined) return { traceId: newId(16), spanId, sampled: true, ...linked };
  return { ...caller, spanId, parentSpanId: caller.spanId, ...linked };
}

/**
 * Returns the trace of a retried run, which retains its trace id. The parent of the new span is the caller if it has
 * the same trace (a step of the parent run); otherwise the run's earlier parent, or its first span.
 */
export function continueTrace(previous: RunTrace | undefined, caller: TraceContext | undefined): RunTrace {
  if (previous === undefined) return beginTrace(caller);
  const { traceId, spanId } = previous;
  const before: SpanLink = { traceId, spanId };
  if (caller?.traceId === traceId) return beginTrace(caller, [before]);
  return {
    ...previous,
    spanId: newId(8),
    parentSpanId: previous.parentSpanId ?? spanId,
    links: caller === undefined ? [before] : [before, { traceId: caller.traceId, spanId: caller.spanId }],
  };
}

/** An attempt of a step or handler, or an item of it. */
export interface SpanParent {
  readonly node: NodeId;
  readonly attempt: number;
  readonly item?: number | undefined;
}

/**
 * Returns the trace context of an attempt or item. Its span id is derived from the run's, so that it need not be
 * stored.
 */
export function attemptTrace(
  { traceId, spanId, sampled, state }: RunTrace,
  parent: SpanParent,
): TraceContext {
  const { node, attempt, item } = parent;
  const seed = JSON.stringify([traceId, spanId, node.section, node.name, attempt, item ?? null]);
  const childSpanId = createHash('sha256').update(seed).digest('hex').slice(0, 16);
  return { traceId, spanId: childSpanId, sampled, ...(state === undefined ? {} : { state }) };
}

/** Returns a random id of the specified number of bytes. The probability of the invalid id zero is negligible. */
const newId = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Trace export settings of a run: `otel` with expanded values. */
export interface OtelSettings {
  /** Default: the engine's variables `OTEL_EXPORTER_OTLP_…`. */
  readonly endpoint?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly insecure: boolean;
  /** Timeout of one delivery. */
  readonly timeoutMs?: number;
  /** Attributes of all spans, without secrets. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Functions for reading the settings. */
export interface SettingsTools {
  expand(text: string): Promise<string>;
  /** Masks secrets. */
  mask(text: string): string;
}

/** Returns the settings; undefined if the workflow's runs are not traced. Rejects if a value cannot be expanded. */
export async function readOtelSettings(
  otel: Otel | undefined,
  { expand, mask }: SettingsTools,
): Promise<OtelSettings | undefined> {
  if (otel?.enabled !== true) return undefined;
  const { insecure = false, timeoutSec } = otel;
  const endpoint = (await expand(otel.endpoint ?? '')).trim();
  return {
    ...(endpoint === '' ? {} : { endpoint }),
    ...(timeoutSec === undefined ? {} : { timeoutMs: timeoutSec * 1000 }),
    headers: await mapTexts(otel.headers, expand),
    insecure,
    resource: await mapTexts(otel.resource, async (text) => mask(await expand(text))),
  };
}

async function mapTexts(
  texts: Readonly<Record<string, string>>,
  change: (text: string) => Promise<string>,
): Promise<Record<string, string>> {
  const changed: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) changed[name] = await change(text);
  return changed;
}
