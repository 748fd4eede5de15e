/** A span as a receiver sees it. Times in epoch milliseconds. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly state: string;
  readonly name: string;
  readonly kind: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2 for a failed one. */
  readonly code: number;
  readonly message: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

type Field = bigint | Buffer;
type Message = ReadonlyMap<number, readonly Field[]>;

/**
 * Reads an `ExportTraceServiceRequest` without the library that wrote it, by the field numbers of
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
export function decodeSpans(body: Buffer): ReceivedSpan[] {
  return messages(parse(body), 1).flatMap((resourceSpans) => {
    const resource = attributes(messages(resourceSpans, 1)[0], 1);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => decodeSpan(span, resource));
  });
}

function decodeSpan(span: Message, resource: ReceivedSpan['resource']): ReceivedSpan {
  const status = messages(span, 15)[0] ?? new Map();
  return {
    traceId: bytes(span, 1).toString('hex'),
    spanId: bytes(span, 2).toString('hex'),
    state: bytes(span, 3).toString(),
    parentSpanId: bytes(span, 4).toString('hex'),
    name: bytes(span, 5).toString(),
    kind: integer(span, 6),
    startedAt: milliseconds(span, 7),
    endedAt: milliseconds(span, 8),
    attributes: attributes(span, 9),
    events: messages(span, 11).map((event) => ({
      name: bytes(event, 2).toString(),
      attributes: attributes(event, 3),
    })),
    links: messages(span, 13).map((link) => ({
      traceId: bytes(link, 1).toString('hex'),
      spanId: bytes(link, 2).toString('hex'),
    })),
    code: integer(status, 3),
    message: bytes(status, 2).toString(),
    resource,
  };
}

function attributes(message: Message | undefined, field: number): Record<string, unknown> {
  if (message === undefined) return {};
  return Object.fromEntries(
    messages(message, field).map((pair) => [bytes(pair, 1).toString(), anyValue(messages(pair, 2)[0]!)]),
  );
}

function anyValue(value: Message): unknown {
  if (value.has(1)) return bytes(value, 1).toString();
  if (value.has(2)) return integer(value, 2) === 1;
  return value.has(3) ? integer(value, 3) : undefined;
}

const messages = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((value) => parse(value as Buffer));

const bytes = (message: Message, field: number): Buffer =>
  (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);

const integer = (message: Message, field: number): number =>
  Number((message.get(field)?.[0] as bigint | undefined) ?? 0n);

const milliseconds = (message: Message, field: number): number =>
  Number(bytes(message, field).readBigUInt64LE() / 1_000_000n);

/** The fields of a message by their number, in the wire format of protobuf. */
function parse(data: Buffer): Message {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = data[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => data.subarray(at, (at += length));
  while (at < data.length) {
    const tag = Number(readVarint());
    const kind = tag & 7;
    const value = kind === 0 ? readVarint() : take(kind === 2 ? Number(readVarint()) : kind === 1 ? 8 : 4);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}
