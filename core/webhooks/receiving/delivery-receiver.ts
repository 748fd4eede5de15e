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
  RefusedRequest,
} from '../../store/types/receivers.ts';
import { failPoint } from '../../base/fail-point.ts';
import { Batcher } from '../../base/turns.ts';
import {
  readPayload,
  redactHeaders,
  parseDeliveryHeaders,
  verifyRequest,
  type RequestHeaders,
  answerUrlCheck,
  answerVerifiedCheck,
  type HandshakeAnswer,
  type RequestHead,
} from './read-request.ts';
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

/** A request to a receiver. */
export interface RawRequest {
  readonly method: string;
  readonly headers: RequestHeaders;
  /** Body bytes as received; for GET, the query as JSON. */
  readonly body: Buffer;
  /**
   * Returns the body without the request's `Content-Encoding`. Rejects if it cannot be decoded within the maximum
   * size.
   */
  decode(maxBytes: number): Promise<Buffer>;
  readonly address?: string | undefined;
}

/** A stored request, with the response if a service verifies the URL. */
export type AnsweredRequest = StoredRequest & { readonly answer?: HandshakeAnswer };

/** Bytes of a rejected body to store. */
const maxRejectedBytes = 20_000;

/**
 * Receives webhooks: verifies the raw bytes, parses them, finds matching workflows, and stores everything in one
 * durable transaction before responding or starting runs.
 */
export class DeliveryReceiver {
  readonly #store: ReceivedStore;
  readonly #clock: Pick<Clock, 'now' | 'soon'>;
  readonly #receivers: Receivers;
  readonly #starter: RunStarter;
  /** Stores requests in batches, because each durable commit waits for the disk. */
  readonly #keep: Batcher<Request, StoredRequest>;
  readonly #inProgress = new Set<Promise<unknown>>();

  constructor(
    store: ReceivedStore,
    clock: Pick<Clock, 'now' | 'soon'>,
    receivers: Receivers,
    starter: RunStarter,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#receivers = receivers;
    this.#starter = starter;
    this.#keep = new Batcher(
      clock,
      async (requests) => {
        failPoint('webhook.before_keep');
        const stored = await store.keep(requests);
        failPoint('webhook.kept');
        return stored;
      },
      countFirst,
    );
  }

  /** Returns the receiver with this ID. Rejects with `not_found`, or `forbidden` if it is disabled. */
  async find(id: string): Promise<Receiver> {
    const receiver = await this.#receivers.find(id);
    if (receiver === undefined) throw new AppError('not_found', 'No webhook receiver at this URL.');
    if (receiver.active) return receiver;
    throw new AppError('forbidden', 'This webhook receiver is inactive.');
  }

  /**
   * Answers a request by which a service verifies the URL without a signature; undefined for other requests. Rejects
   * with `unauthorized` if the verify token is wrong, which is stored.
   */
  async answerUrlCheck(
    receiver: Receiver,
    head: RequestHead & Pick<RawRequest, 'address'>,
  ): Promise<HandshakeAnswer | undefined> {
    const answer = answerUrlCheck(receiver, head);
    if (answer === undefined || 'body' in answer) return answer;
    const sent = toReceivedRequest(receiver, { ...head, body: Buffer.alloc(0) }, this.#clock.now());
    throw await this.#reject(sent, 'unauthorized', answer.reason);
  }

  /**
   * Receives a request: verifies the bytes as received, then decodes and parses them. Resolves when stored on disk;
   * runs start after that. A request by which a service verifies the URL starts none. Rejects with
   * `unauthorized`, `unsupported_media_type`, `payload_too_large` or `bad_request`, which is stored with the request.
   */
  receive(receiver: Receiver, raw: RawRequest): Promise<AnsweredRequest> {
    return this.#track(this.#receive(receiver, raw));
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

  async #receive(receiver: Receiver, raw: RawRequest): Promise<AnsweredRequest> {
    const at = this.#clock.now();
    const verdict = verifyRequest(receiver, raw.headers, raw.body, at);
    const sent = toReceivedRequest(receiver, raw, at);
    if (!verdict.verified) throw await this.#reject(sent, 'unauthorized', verdict.reason);
    await this.#yieldAfterBytes(raw.body);
    const body = await this.#decode(sent, raw, receiver);
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
    if (answer === undefined) return this.#accept(accepted, { receiver, ...read });
    const stored = await this.#keep.add({ ...accepted, depth: 0, starts: [], passedOver: [] });
    return { ...stored, answer };
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

  async #decode(request: ReceivedRequest, raw: RawRequest, { maxBodyBytes }: Receiver): Promise<Buffer> {
    try {
      return await raw.decode(maxBodyBytes);
    } catch (error) {
      const { code, message } = toAppError(error);
      throw await this.#reject(request, code, message);
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
    const { starts, passedOver } = await this.#starter.match(delivery);
    const stored = await this.#keep.add({ ...request, action, depth, starts, passedOver });
    if (stored.starts.length > 0) this.#starter.start(stored, delivery);
    return stored;
  }

  async #reject(request: ReceivedRequest, code: ErrorCode, reason: string): Promise<AppError> {
    const body = request.body?.subarray(0, maxRejectedBytes);
    await this.#keep.add({ ...request, body, verified: code !== 'unauthorized', reason });
    return new AppError(code, reason);
  }
}

function toReceivedRequest(
  receiver: Receiver,
  { method, headers, body, address }: Omit<RawRequest, 'decode'>,
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

type Request = AcceptedRequest | RefusedRequest;

/** Maximum size of bodies per transaction: writing 25 MB takes a tenth of a second. */
const maxBytes = 4 * 1024 * 1024;

/** Returns how many of the requests to store in the next transaction: large ones are spread over several ticks. */
function countFirst(requests: readonly Request[]): number {
  let bytes = 0;
  const end = requests.findIndex(({ body }) => (bytes += body?.length ?? 0) > maxBytes);
  return end < 0 ? requests.length : Math.max(end, 1);
}
