import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import type { Context, SpanContext, Tracer } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { IdGenerator, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { SpanRecord } from './run-spans.ts';
import { Delivery, type Destination } from './delivery.ts';

/** Timeout for the last spans after a run has ended. */
export const lastDeliveryMs = 5000;
/** Maximum number of queued spans for a slow receiver; further ones are dropped. */
const maxWaiting = 50_000;

export interface PipelineOptions {
  readonly destination: Destination;
  /** Attributes of all spans. */
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
  readonly clock: Clock;
  /** Called with a sentence about spans that could not be sent. */
  report(message: string): void;
}

/** Sends batches of spans to one receiver with the OpenTelemetry libraries. Loaded with the first trace. */
export class Pipeline {
  readonly #delivery: Delivery;
  readonly #processor: BatchSpanProcessor;
  readonly #ids = new FixedIdGenerator();
  readonly #tracer: Tracer;
  readonly #clock: Clock;

  constructor({ destination, resource, version, clock, report }: PipelineOptions) {
    this.#clock = clock;
    this.#delivery = new Delivery(destination, clock);
    const exporter = new DeliveringExporter(destination, this.#delivery, report);
    this.#processor = new BatchSpanProcessor(exporter, { maxQueueSize: maxWaiting });
    const provider = new BasicTracerProvider({
      // Unsampled spans are filtered out before.
      sampler: new AlwaysOnSampler(),
      idGenerator: this.#ids,
      spanProcessors: [this.#processor],
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': 'stepwright', 'service.version': version }))
        .merge(detectResources({ detectors: [envDetector] }))
        .merge(resourceFromAttributes(resource)),
    });
    this.#tracer = provider.getTracer('stepwright', version);
  }

  add(record: SpanRecord): void {
    this.#ids.next = record;
    const span = this.#tracer.startSpan(
      record.name,
      {
        kind: record.kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: record.startedAt,
        attributes: record.attributes,
        links: record.links.map((link) => ({ context: { ...link, traceFlags: TraceFlags.SAMPLED } })),
      },
      getParent(record),
    );
    for (const { name, at, attributes } of record.events) span.addEvent(name, attributes, at);
    if (record.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: record.error });
    span.end(record.endedAt);
  }

  /** Sends the remaining spans within {@link lastDeliveryMs}; never rejects. */
  async close(): Promise<void> {
    this.#delivery.hurry();
    const sent = this.#processor.shutdown().catch(() => {
      // Each failed delivery has been reported.
    });
    const dispose = this.#clock.after(lastDeliveryMs, () => this.#delivery.close());
    await sent;
    dispose();
    this.#delivery.close();
  }
}

/** Returns predefined span ids, because processes and sub-runs have already received them. */
class FixedIdGenerator implements IdGenerator {
  next: Pick<SpanRecord, 'traceId' | 'spanId'> = { traceId: '', spanId: '' };

  generateTraceId = (): string => this.next.traceId;
  generateSpanId = (): string => this.next.spanId;
}

function getParent({ traceId, parentSpanId, state, kind }: SpanRecord): Context {
  if (parentSpanId === undefined) return ROOT_CONTEXT;
  const context: SpanContext = {
    traceId,
    spanId: parentSpanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: kind === 'server',
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  };
  return trace.setSpanContext(ROOT_CONTEXT, context);
}

/** Encodes and posts spans; reports failures with the number of lost spans. */
class DeliveringExporter implements SpanExporter {
  readonly #format: Destination['format'];
  readonly #endpoint: string;
  readonly #delivery: Delivery;
  readonly #report: (message: string) => void;

  constructor({ format, url }: Destination, delivery: Delivery, report: (message: string) => void) {
    this.#format = format;
    this.#endpoint = url.origin + url.pathname;
    this.#delivery = delivery;
    this.#report = report;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    void this.#notify(spans, done);
  }

  async #notify(spans: ReadableSpan[], done: (result: ExportResult) => void): Promise<void> {
    try {
      await this.#send(spans);
      done({ code: ExportResultCode.SUCCESS });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const lost = spans.length === 1 ? '1 span is' : `${spans.length} spans are`;
      this.#report(`Cannot export traces to ${this.#endpoint}: ${getErrorMessage(error)}; ${lost} lost`);
      done({ code: ExportResultCode.FAILED, error });
    }
  }

  async shutdown(): Promise<void> {}

  async #send(spans: ReadableSpan[]): Promise<void> {
    const serializer = this.#format === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer;
    const body = serializer.serializeRequest(spans);
    if (body === undefined) throw new Error('encoding failed');
    const response = await this.#delivery.send(body);
    const { partialSuccess } = readAnswer(() => serializer.deserializeResponse(response));
    const rejected = partialSuccess?.rejectedSpans ?? 0;
    if (rejected > 0)
      this.#report(
        `${this.#endpoint} rejected ${rejected} spans: ${partialSuccess?.errorMessage ?? 'no reason given'}`,
      );
  }
}

/**
 * Reads the response, if possible. Some receivers send a different response body, which does not mean that the spans
 * were lost.
 */
function readAnswer<Answer>(read: () => Answer): Partial<Answer> {
  try {
    return read() ?? {};
  } catch {
    return {};
  }
}
