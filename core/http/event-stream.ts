import type { ServerResponse } from 'node:http';
import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, toErrorBody, type ErrorBody } from '../base/errors.ts';
import { heartbeatMs, streamEvents } from '../contract/transport.ts';

/** Bytes that a reader may leave unread for longer than `graceMs`. */
export const maxBacklogBytes = 1_048_576;
/** Maximum unread bytes: a burst may be faster than any network. */
export const maxBurstBytes = 4 * maxBacklogBytes;
export const graceMs = 1_000;
/** Number of heartbeats after which a reader that has read none of its pending data is disconnected. */
export const maxUnreadHeartbeats = 4;
/** Time for a disconnected reader to read sent data. */
export const closeDelayMs = 10_000;

type ReplyHeaders = Readonly<Record<string, number | string | string[] | undefined>>;

/**
 * A response of server-sent events (WHATWG HTML section 9.2). Opened late, so that an error can still be a plain
 * response. Unread data is limited; a slow reader is disconnected with `too_many_requests`.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #headers: ReplyHeaders;
  readonly #onDataRead = (): void => void (this.#unreadHeartbeats = 0);
  #state: 'waiting' | 'open' | 'ended' = 'waiting';
  #startId: number | undefined;
  #unreadHeartbeats = 0;
  #stopHeartbeat: Dispose | undefined;
  #stopGrace: Dispose | undefined;
  #onEnd: Dispose | undefined;
  #whenDrained: (() => void)[] = [];

  constructor(response: ServerResponse, clock: Clock, headers: ReplyHeaders) {
    this.#response = response;
    this.#clock = clock;
    this.#headers = headers;
    response.on('close', () => this.#finish());
    // A disconnection during a write is not an error.
    response.on('error', () => this.#finish());
    response.on('drain', () => this.#notifyDrained());
  }

  get state(): 'waiting' | 'open' | 'ended' {
    return this.#state;
  }

  /** Calls `release` once when the stream ends, or immediately if it has ended. */
  onEnd(release: Dispose): void {
    if (this.#state === 'ended') release();
    else this.#onEnd = release;
  }

  /** Sends the headers, unless sent. */
  open(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'open';
    this.#response.writeHead(200, {
      ...this.#headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    this.#write(': open\n\n');
    if (this.#startId !== undefined) this.#write(`id: ${this.#startId}\n\n`);
    this.#stopHeartbeat = this.#clock.every(heartbeatMs, () => this.#sendHeartbeat());
  }

  /** Sends an item, which must be immutable; ignored after the end of the stream. */
  send(item: object, id: number | undefined): void {
    this.open();
    if (this.#state === 'open') this.#write(encodeItem(item, id));
  }

  /** Sends an event id to resume from, without an item. */
  position(id: number): void {
    if (this.#state === 'waiting') this.#startId = id;
    else this.#write(`id: ${id}\n\n`);
  }

  /** Resolves when all data has been sent, or the stream has ended; undefined if that is so now. */
  drained(): Promise<void> | undefined {
    if (this.#state !== 'open' || !this.#response.writableNeedDrain) return undefined;
    return new Promise((resolve) => this.#whenDrained.push(resolve));
  }

  /** Ends the stream, optionally with an error. */
  end(error?: ErrorBody): void {
    this.open();
    if (this.#state === 'ended') return;
    this.#response.end(error ? formatEvent(streamEvents.error, error) : formatEvent(streamEvents.end, {}));
    const abort = this.#clock.after(closeDelayMs, () => this.#response.destroy());
    this.#response.once('close', abort);
    this.#finish();
  }

  /** Abandons an unopened stream; the caller can use the response. */
  release(): void {
    if (this.#state === 'waiting') this.#finish();
  }

  #write(data: string | Buffer): void {
    if (this.#state !== 'open') return;
    this.#response.write(data, this.#onDataRead);
    const backlog = this.#response.writableLength;
    if (backlog > maxBurstBytes && backlog > 2 * data.length) this.#disconnect();
    else if (backlog > maxBacklogBytes)
      this.#stopGrace ??= this.#clock.after(graceMs, () => this.#endGrace());
  }

  #endGrace(): void {
    this.#stopGrace = undefined;
    if (this.#response.writableLength > maxBacklogBytes) this.#disconnect();
  }

  #sendHeartbeat(): void {
    if (this.#response.writableLength > 0) this.#unreadHeartbeats += 1;
    if (this.#unreadHeartbeats > maxUnreadHeartbeats) this.#disconnect();
    else this.#write(': heartbeat\n\n');
  }

  #disconnect(): void {
    const message = 'The client read this stream too slowly. Resume after the last received event.';
    this.end(toErrorBody(new AppError('too_many_requests', message)));
  }

  #notifyDrained(): void {
    for (const resolve of this.#whenDrained.splice(0)) resolve();
  }

  #finish(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#stopHeartbeat?.();
    this.#stopGrace?.();
    this.#notifyDrained();
    this.#onEnd?.();
  }
}

/** Encoded items, shared by all streams, so that pending data exists only once. */
const encoded = new WeakMap<object, Buffer>();

function encodeItem(item: object, id: number | undefined): Buffer {
  const known = encoded.get(item);
  if (known) return known;
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  const bytes = Buffer.from(idLine + formatEvent(streamEvents.item, item));
  encoded.set(item, bytes);
  return bytes;
}

/** Formats an event. JSON contains no newlines, so one data line is enough. */
const formatEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
