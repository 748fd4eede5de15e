import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../../harness/servers/ports.ts';

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
function decodeSpans(body: Buffer): ReceivedSpan[] {
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

interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver of OTLP over HTTP on loopback, which records what it is sent. */
export interface Receiver {
  /** Without a path. */
  readonly url: string;
  readonly posts: readonly ReceivedPost[];
  /** All that were sent as protobuf. */
  readonly spans: readonly ReceivedSpan[];
  readonly server: Server;
}

/** @param answer status and body of the response to each post; default: an empty 200 */
export async function startReceiver(
  answer: (count: number) => { status: number; body?: Uint8Array } | undefined = () => undefined,
): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      posts.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, body: answered } = answer(posts.length) ?? { status: 200 };
      response.statusCode = status;
      response.end(answered);
    });
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    get spans() {
      return posts
        .filter(({ headers }) => headers['content-type'] === 'application/x-protobuf')
        .flatMap(({ body }) => decodeSpans(body));
    },
    server,
  };
}

/** A context as in the standard's examples. */
export const sampleTrace = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
} as const;
