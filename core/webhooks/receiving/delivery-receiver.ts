import { type Clock, nextTick } from '../../base/clock.ts';
import { AppError, toAppError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { type JsonObject, LARGE_JSON } from '../../base/json.ts';
import type {
  AcceptedRequest,
  StoredRequest,
  ReceivedDelivery,
  ReceivedRequest,
  ReceivedStore,
  Receiver,
} from '../../store/types/receivers.ts';
import {
  readPayload,
  redactHeaders,
  parseDeliveryHeaders,
  verifyRequest,
  allowsMethod,
  permitSender,
  answerUrlCheck,
  answerVerifiedCheck,
  type HandshakeAnswer,
  type RequestHead,
} from './read-request.ts';
import { type Listener, matchListeners } from './match-workflows.ts';
import type { Receivers } from './receivers.ts';
import type { RunStarter } from './run-starter.ts';

/** A verified and parsed delivery. */
export interface Delivery {
  readonly receiver: Pick<Receiver, 'id' | 'name'>;
  readonly event: string | undefined;
  readonly action: string | undefined;
  readonly deliveryId: string | undefined;
  readonly payload: JsonObject;
  /** The payload as received. */
  readonly text: string;
  /** Headers without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Number of webhook-triggered runs in the chain before it. */
  readonly depth: number;
}

/** A request to the URL of a receiver. */
export interface DeliveryRequest extends RequestHead {
  readonly address: string;
  /** The body, which has not been read. */
  readonly body: AsyncIterable<Buffer> | Iterable<Buffer>;
  /**
   * Returns the body without the request's `Content-Encoding`. Rejects if it cannot be decoded within the maximum
   * size.
   */
  decode(body: Buffer, maxBytes: number): Promise<Buffer>;
}

/** The response to a request. */
export interface DeliveryResponse {
  /** Default: 200. */
  readonly status?: 202;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | JsonObject;
  /** Responds with this error, and with the headers. */
  readonly error?: AppError;
}

/** Bytes of a rejected body to store. */
const maxRejectedBytes = 20_000;

/**
 * Receives webhooks: verifies the raw bytes, parses them, and finds matching workflows. Everything is stored before it
 * responds.
 */
export class DeliveryReceiver {
  readonly #store: ReceivedStore;
  readonly #clock: Pick<Clock, 'now' | 'soon'>;
  readonly #receivers: Receivers;
  readonly #starter: RunStarter;
  readonly #listeners: () => readonly Listener[];
  readonly #inProgress = new Set<Promise<unknown>>();

  /** @param listeners returns the current triggers */
  constructor(
    store: ReceivedStore,
    clock: Pick<Clock, 'now' | 'soon'>,
    receivers: Receivers,
    starter: RunStarter,
    listeners: () => readonly Listener[],
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#receivers = receivers;
    this.#starter = starter;
    this.#listeners = listeners;
  }

  /**
   * Receives a request: checks its head, verifies the bytes as received, then decodes and parses them. Resolves when
   * it is stored on disk; runs start after that. A request by which a service verifies the URL starts none. Rejects with
   * `not_found`, `forbidden` if the receiver is disabled, `payload_too_large`, and with `unauthorized`,
   * `unsupported_media_type` or `bad_request`, which are stored with the request.
   */
  async receive(id: string, request: DeliveryRequest): Promise<DeliveryResponse> {
    const receiver = await this.#receivers.find(id);
    if (receiver === undefined) throw new AppError('not_found', 'No webhook receiver at this URL.');
    if (!receiver.active) throw new AppError('forbidden', 'This webhook receiver is inactive.');
    const allow = receiver.methods.join(', ');
    const permission = permitSender(request);
    if (permission !== undefined) return { headers: { ...permission, allow } };
    const answer = await this.#answerUrlCheck(receiver, request);
    if (answer !== undefined) return toResponse(answer);
    if (!allowsMethod(receiver, request))
      return { headers: { allow }, error: wrongMethod(request.method, allow) };
    const body = await readBody(receiver, request);
    return this.#track(this.#receive(receiver, request, body));
  }

  /** Replays a stored delivery. Rejects with `conflict` if its body is missing or it was never verified. */
  replay(receiver: Receiver, delivery: ReceivedDelivery): Promise<StoredRequest> {
    return this.#track(this.#replay(receiver, delivery));
  }

  /** Resolves when the requests in progress are stored. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inProgress);
  }

  async #track<Result>(work: Promise<Result>): Promise<Result> {
    this.#inProgress.add(work);
    try {
      return await work;
    } finally {
      this.#inProgress.delete(work);
    }
  }

  /**
   * Answers a request by which a service verifies the URL without a signature; undefined for other requests. Rejects
   * with `unauthorized` if the verify token is wrong, which is stored.
   */
  async #answerUrlCheck(receiver: Receiver, request: DeliveryRequest): Promise<HandshakeAnswer | undefined> {
    const answer = answerUrlCheck(receiver, request);
    if (answer === undefined || 'body' in answer) return answer;
    const sent = toReceivedRequest(receiver, request, Buffer.alloc(0), this.#clock.now());
    throw await this.#reject(sent, 'unauthorized', answer.reason);
  }

  async #receive(receiver: Receiver, raw: DeliveryRequest, bytes: Buffer): Promise<DeliveryResponse> {
    const at = this.#clock.now();
    const verdict = verifyRequest(receiver, raw.headers, bytes, at);
    const sent = toReceivedRequest(receiver, raw, bytes, at);
    if (!verdict.verified) throw await this.#reject(sent, 'unauthorized', verdict.reason);
    await this.#yieldAfterBytes(bytes);
    const body = await this.#decode(sent, raw, bytes, receiver);
    const request = { ...sent, body, bytes: body.length };
    const read = readPayload(body, request.contentType, receiver.scheme);
    await this.#yieldAfterBytes(body);
    if ('problem' in read) {
      const code = read.problem === 'type' ? 'unsupported_media_type' : 'bad_request';
      throw await this.#reject(request, code, read.reason);
    }
    const heads = parseDeliveryHeaders(receiver, raw.headers, read.payload);
    const accepted = { ...request, ...heads, proof: verdict.by };
    const answer = answerVerifiedCheck(receiver, { ...raw, payload: read.payload });
    if (answer === undefined) return toAcceptance(await this.#accept(accepted, { receiver, ...read }));
    await this.#starter.keep({ ...accepted, depth: 0, starts: [], passedOver: [] });
    return toResponse(answer);
  }

  async #replay(receiver: Receiver, { key, ...stored }: ReceivedDelivery): Promise<StoredRequest> {
    const origin = stored.duplicateOf ?? key;
    const body = await this.#store.readBody(origin);
    if (!stored.verified || stored.state === 'refused' || body === undefined) {
      throw new AppError(
        'conflict',
        stored.verified
          ? `Cannot replay delivery ${key}: ${stored.reason ?? 'its body is no longer stored.'}`
          : `Cannot replay delivery ${key}: its sender was not verified.`,
      );
    }
    await this.#yieldAfterBytes(body);
    const read = readPayload(body, stored.contentType, receiver.scheme);
    if ('problem' in read) throw new AppError('conflict', read.reason);
    await this.#yieldAfterBytes(body);
    const { method, headers, contentType, bytes, address, deliveryId, hookId, event, proof = '' } = stored;
    const request = { method, headers, contentType, bytes, address, deliveryId, hookId, event, proof, body };
    return this.#accept(
      { ...request, receiver, at: this.#clock.now(), replayOf: key },
      { receiver, ...read },
    );
  }

  async #yieldAfterBytes({ length }: Buffer): Promise<void> {
    if (length > LARGE_JSON) await nextTick(this.#clock);
  }

  async #decode(
    sent: ReceivedRequest,
    { method, decode }: DeliveryRequest,
    bytes: Buffer,
    { maxBodyBytes }: Receiver,
  ): Promise<Buffer> {
    if (method === 'GET') return bytes;
    try {
      return await decode(bytes, maxBodyBytes);
    } catch (error) {
      const { code, message } = toAppError(error);
      throw await this.#reject(sent, code, message);
    }
  }

  async #accept(
    request: ReceivedRequest & Pick<AcceptedRequest, 'proof' | 'replayOf'>,
    { receiver, payload, text }: Pick<Delivery, 'receiver' | 'payload' | 'text'>,
  ): Promise<StoredRequest> {
    const { event, deliveryId, headers } = request;
    const action = typeof payload['action'] === 'string' ? payload['action'].slice(0, 200) : undefined;
    const depth = (deliveryId === undefined ? undefined : await this.#store.findEventDepth(deliveryId)) ?? 0;
    const delivery: Delivery = { receiver, event, action, deliveryId, payload, text, headers, depth };
    const { starts, passedOver } = await matchListeners(this.#listeners(), delivery, this.#clock);
    return this.#starter.accept({ ...request, action, depth, starts, passedOver }, delivery);
  }

  async #reject(request: ReceivedRequest, code: ErrorCode, reason: string): Promise<AppError> {
    const body = request.body?.subarray(0, maxRejectedBytes);
    await this.#starter.keep({ ...request, body, verified: code !== 'unauthorized', reason });
    return new AppError(code, reason);
  }
}

function toReceivedRequest(
  receiver: Receiver,
  { method, headers, address }: DeliveryRequest,
  body: Buffer,
  at: number,
): ReceivedRequest {
  return {
    receiver,
    at,
    method,
    headers: redactHeaders(headers, receiver),
    contentType: method === 'GET' ? 'application/json' : [headers['content-type']].flat()[0]?.slice(0, 200),
    body,
    bytes: body.length,
    address,
    ...parseDeliveryHeaders(receiver, headers),
  };
}

const toResponse = ({ type, body }: HandshakeAnswer): DeliveryResponse => ({
  headers: { 'content-type': type },
  body,
});

const toAcceptance = ({ key, duplicateOf, starts }: StoredRequest): DeliveryResponse => ({
  status: 202,
  body: {
    id: String(key),
    ...(duplicateOf !== undefined && { duplicateOf: String(duplicateOf) }),
    runs: starts.map(({ run }) => ({ ...run })),
  },
});

/** Returns the body as received; for GET, the query as JSON. Rejects with `payload_too_large`. */
async function readBody(
  { maxBodyBytes }: Receiver,
  { method, headers, query, body }: DeliveryRequest,
): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of method === 'GET' ? [Buffer.from(JSON.stringify(toPayload(query)))] : body) {
    length += chunk.length;
    if (length > maxBodyBytes) throw tooLarge(maxBodyBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Converts a query to a payload. Repeated parameters become lists. */
const toPayload = (query: URLSearchParams): JsonObject =>
  Object.fromEntries(
    [...Map.groupBy(query, ([name]) => name)].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );

const tooLarge = (maxBytes: number): AppError =>
  new AppError(
    'payload_too_large',
    `The request body exceeds the limit of this receiver (${maxBytes} bytes).`,
  );

const wrongMethod = (method: string, allowed: string): AppError =>
  new AppError('method_not_allowed', `This receiver does not allow ${method}. Allowed methods: ${allowed}.`);
