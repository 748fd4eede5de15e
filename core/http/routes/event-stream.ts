import type { ServerResponse } from 'node:http';
import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toErrorBody, type ErrorBody } from '../../base/errors.ts';
import { heartbeatMs, streamEvents } from '../../contract/transport/http-wire.ts';

/** Bytes a reader may leave unread for longer than `graceMs`. */
export const maximumBacklog = 1_048_576;
/** Bytes it may leave unread at all: a burst may be written faster than any network takes it. */
export const burstBacklog = 4 * maximumBacklog;
export const graceMs = 1_000;
/** Heartbeats during which a reader may take nothing of what waits for it, however little that is. */
export const heartbeatsWithoutReading = 4;
/** How long a cut-off reader may take to read what is already on its way. */
export const farewellMs = 10_000;

type ReplyHeaders = Readonly<Record<string, number | string | string[] | undefined>>;

/**
 * One reply of server-sent events (WHATWG HTML section 9.2). Opened late, so that a refusal can still be a plain reply.
 * What a reader has not read yet is bounded; one that stays behind is cut off with `too_many_requests`.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #headers: ReplyHeaders;
  readonly #noteTaken = (): void => void (this.#silentBeats = 0);
  #state: 'waiting' | 'open' | 'ended' = 'waiting';
  #place: number | undefined;
  #silentBeats = 0;
  #stopHeartbeat: Dispose | undefined;
  #stopGrace: Dispose | undefined;
  #onEnd: Dispose | undefined;
  #whenDrained: (() => void)[] = [];

  constructor(response: ServerResponse, clock: Clock, headers: ReplyHeaders) {
    this.#response = response;
    this.#clock = clock;
    this.#headers = headers;
    response.on('close', () => this.#finish());
    // A reader that goes away while something is being written is no defect.
    response.on('error', () => this.#finish());
    response.on('drain', () => this.#tellDrained());
  }

  get state(): 'waiting' | 'open' | 'ended' {
    return this.#state;
  }

  /** `release` is called once when the stream is over, whoever ended it; at once when it is over already. */
  onEnd(release: Dispose): void {
    if (this.#state === 'ended') release();
    else this.#onEnd = release;
  }

  /** Sends the head of the reply, if that has not happened. */
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
    if (this.#place !== undefined) this.#write(`id: ${this.#place}\n\n`);
    this.#stopHeartbeat = this.#clock.every(heartbeatMs, () => this.#beat());
  }

  /** Sends one item, which must never change; nothing happens once the stream is over. */
  send(item: object, id: number | undefined): void {
    this.open();
    if (this.#state === 'open') this.#write(encodeItem(item, id));
  }

  /** Tells where a reader that comes again goes on, although there is no item. */
  place(id: number): void {
    if (this.#state === 'waiting') this.#place = id;
    else this.#write(`id: ${id}\n\n`);
  }

  /** Resolves when the reader has taken what was sent, or the stream is over; undefined when that is so now. */
  drained(): Promise<void> | undefined {
    if (this.#state !== 'open' || !this.#response.writableNeedDrain) return undefined;
    return new Promise((resolve) => this.#whenDrained.push(resolve));
  }

  /** Ends the stream in order, or with a reason. */
  end(error?: ErrorBody): void {
    this.open();
    if (this.#state === 'ended') return;
    this.#response.end(error ? formatEvent(streamEvents.error, error) : formatEvent(streamEvents.end, {}));
    const giveUp = this.#clock.after(farewellMs, () => this.#response.destroy());
    this.#response.once('close', giveUp);
    this.#finish();
  }

  /** Gives the stream up before it was opened; the response is the caller's again. */
  release(): void {
    if (this.#state === 'waiting') this.#finish();
  }

  #write(data: string | Buffer): void {
    if (this.#state !== 'open') return;
    this.#response.write(data, this.#noteTaken);
    const backlog = this.#response.writableLength;
    if (backlog > burstBacklog && backlog > 2 * data.length) this.#cutOff();
    else if (backlog > maximumBacklog) this.#stopGrace ??= this.#clock.after(graceMs, () => this.#endGrace());
  }

  #endGrace(): void {
    this.#stopGrace = undefined;
    if (this.#response.writableLength > maximumBacklog) this.#cutOff();
  }

  #beat(): void {
    if (this.#response.writableLength > 0) this.#silentBeats += 1;
    if (this.#silentBeats > heartbeatsWithoutReading) this.#cutOff();
    else this.#write(': heartbeat\n\n');
  }

  #cutOff(): void {
    const message = 'The client read this stream too slowly. Resume after the last received event.';
    this.end(toErrorBody(new AppError('too_many_requests', message)));
  }

  #tellDrained(): void {
    for (const resolve of this.#whenDrained.splice(0)) resolve();
  }

  #finish(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#stopHeartbeat?.();
    this.#stopGrace?.();
    this.#tellDrained();
    this.#onEnd?.();
  }
}

/** Encoded once for everybody who is sent the same item; what slow readers leave unread is then there once, too. */
const encoded = new WeakMap<object, Buffer>();

function encodeItem(item: object, id: number | undefined): Buffer {
  const known = encoded.get(item);
  if (known) return known;
  const place = id === undefined ? '' : `id: ${id}\n`;
  const bytes = Buffer.from(place + formatEvent(streamEvents.item, item));
  encoded.set(item, bytes);
  return bytes;
}

/** JSON text has no line ends, so one data line always suffices. */
const formatEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
