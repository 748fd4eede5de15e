import type { Clock, Dispose } from '../../base/clock.ts';
import { errorCodes } from '../../base/error-codes.ts';
import type { ErrorBody } from '../../base/errors.ts';
import { type StreamObserver, heartbeatMs, streamEvents } from '../transport.ts';
import {
  toUnreachableError,
  readErrorBody,
  type ClientResponse,
  type ResponseBody,
  type Send,
} from './send.ts';

const firstDelayMs = 250;
const maxDelayMs = 5_000;
/** Time without any data, including heartbeats, after which a connection is closed. */
export const idleTimeoutMs = 3 * heartbeatMs;

/** Observer of a followed stream, which may reconnect. */
export interface FollowObserver<Item> extends StreamObserver<Item> {
  /** Called when the stream has been opened or reopened. */
  open?(): void;
  /** Called for each failed attempt, with the reason; followed by a retry. */
  lost?(reason: ErrorBody): void;
}

/** A stream with its transport. */
export interface StreamSource {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Send;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * Follows a stream until disposed. A lost connection is reopened after 0.25 s, doubling up to 5 s, from the last event
 * id; permanent errors and the regular end are final.
 */
export function followStream(source: StreamSource, observer: FollowObserver<unknown>): Dispose {
  const follower = new StreamFollower(source, observer);
  follower.start();
  return () => follower.stop();
}

class StreamFollower {
  readonly #source: StreamSource;
  readonly #observer: FollowObserver<unknown>;
  #connection = new AbortController();
  #stopTimer: Dispose = () => {};
  #lastId: string | undefined;
  #failures = 0;
  #hasEnded = false;

  constructor(source: StreamSource, observer: FollowObserver<unknown>) {
    this.#source = source;
    this.#observer = observer;
  }

  start(): void {
    void this.#connect();
  }

  stop(): void {
    this.#hasEnded = true;
    this.#stopTimer();
    this.#connection.abort();
  }

  async #connect(): Promise<void> {
    this.#connection = new AbortController();
    const reason = await this.#readOnce(this.#connection.signal);
    this.#stopTimer();
    // Stops reading, whatever ended the connection.
    this.#connection.abort();
    if (this.#hasEnded) return;
    this.#observer.lost?.(reason);
    if (this.#hasEnded) return;
    const delay = Math.min(maxDelayMs, firstDelayMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#stopTimer = this.#source.clock.after(delay, () => void this.#connect());
  }

  /** Reads one connection to its end. Returns why it ended. */
  async #readOnce(signal: AbortSignal): Promise<ErrorBody> {
    const { url } = this.#source;
    try {
      const headers: Record<string, string> = { ...this.#source.headers, accept: 'text/event-stream' };
      if (this.#lastId !== undefined) headers['last-event-id'] = this.#lastId;
      this.#listen();
      const response = await this.#source.fetch(url, { headers, signal, cache: 'no-store' });
      if (!response.ok || response.body === null) return await this.#toErrorBody(response);
      this.#failures = 0;
      if (!this.#hasEnded) this.#observer.open?.();
      return (await this.#readBody(response.body)) ?? toUnreachableError(url, 'it has ended the stream');
    } catch (error) {
      return toUnreachableError(url, error);
    }
  }

  /** Closes the connection after a silence timeout. */
  #listen(): void {
    this.#stopTimer();
    this.#stopTimer = this.#source.clock.after(idleTimeoutMs, () => this.#connection.abort());
  }

  async #toErrorBody(response: ClientResponse): Promise<ErrorBody> {
    const error = await readErrorBody(response);
    if (response.status < 500 && response.status !== 429) this.#end(error);
    return error;
  }

  async #readBody(body: ResponseBody): Promise<ErrorBody | undefined> {
    const parse = createEventStreamParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      this.#listen();
      for (const event of parse(decoder.decode(value, { stream: true }))) {
        const reason = this.#deliver(event);
        if (this.#hasEnded || reason !== undefined) return reason;
        await this.#waitUntilConsumed();
        if (this.#hasEnded) return undefined;
      }
    }
  }

  /** Stops reading, for backpressure, until the observer has processed its items. */
  async #waitUntilConsumed(): Promise<void> {
    const drained = this.#observer.drained?.();
    if (drained === undefined) return;
    // No silence timeout while reading is paused.
    this.#stopTimer();
    await drained;
    if (!this.#hasEnded) this.#listen();
  }

  /** Delivers an event. Returns why the connection must be closed, if so. */
  #deliver({ event, data, id }: ServerSentEvent): ErrorBody | undefined {
    if (this.#hasEnded) return undefined;
    if (id !== undefined) this.#lastId = id;
    if (data === undefined) return undefined;
    if (event === streamEvents.item) this.#observer.item(JSON.parse(data));
    else if (event === streamEvents.end) this.#end();
    else if (event === streamEvents.error) return this.#readError(JSON.parse(data) as ErrorBody);
    return undefined;
  }

  /** Converts a stream error. After a shutdown or slow reading, the client reconnects without losing events. */
  #readError(error: ErrorBody): ErrorBody {
    if (!errorCodes[error.code]?.retryable) this.#end(error);
    return error;
  }

  #end(error?: ErrorBody): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#observer.end(error);
  }
}

/** A non-empty block of a `text/event-stream` body. */
interface ServerSentEvent {
  /** `message` if the block has no name. */
  readonly event: string;
  /** Absent in a block that only sets the event id. */
  readonly data?: string;
  readonly id?: string;
}

/**
 * Returns a parser that splits a `text/event-stream` body, received in arbitrary chunks, into events (WHATWG HTML,
 * "Server-sent events"). Comments, which servers send as keepalive, are skipped.
 */
export function createEventStreamParser(): (chunk: string) => ServerSentEvent[] {
  let buffered = '';
  return (chunk) => {
    // Chunks without a line end are only buffered, so that a long line is not scanned once per chunk.
    if (!/[\r\n]/.test(chunk)) {
      buffered += chunk;
      return [];
    }
    const text = buffered + chunk;
    // A final CR may be the first half of a line end.
    const whole = text.endsWith('\r') ? text.length - 1 : text.length;
    const blocks = text.slice(0, whole).replaceAll(/\r\n?/g, '\n').split('\n\n');
    buffered = (blocks.pop() ?? '') + text.slice(whole);
    return blocks.map(readBlock).filter((event) => event !== undefined);
  };
}

function readBlock(block: string): ServerSentEvent | undefined {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([a-z]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
  if (data.length === 0 && id === undefined) return undefined;
  return { event, ...(data.length > 0 && { data: data.join('\n') }), ...(id !== undefined && { id }) };
}
