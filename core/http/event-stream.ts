import type { ServerResponse } from 'node:http';
import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, toErrorBody, type ErrorBody } from '../base/errors.ts';
import { heartbeatMs, streamEvents } from '../contract/transport/http-wire.ts';

/** Bytes a reader may leave unread before it is cut off. */
export const maximumBacklog = 1_048_576;
/** How long a cut-off reader may take to read what is already on its way. */
export const farewellMs = 10_000;

type ReplyHeaders = Readonly<Record<string, number | string | string[] | undefined>>;

/** One reply of server-sent events (WHATWG HTML section 9.2). Opened late, so that a refusal can still be a plain reply. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #headers: ReplyHeaders;
  #state: 'waiting' | 'open' | 'ended' = 'waiting';
  #stopHeartbeat: Dispose | undefined;
  #onEnd: Dispose | undefined;

  constructor(response: ServerResponse, clock: Clock, headers: ReplyHeaders) {
    this.#response = response;
    this.#clock = clock;
    this.#headers = headers;
    response.on('close', () => this.#finish());
    // A reader that goes away while something is being written is no defect.
    response.on('error', () => this.#finish());
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
    this.#response.write(': open\n\n');
    this.#stopHeartbeat = this.#clock.every(heartbeatMs, () => this.#write(': heartbeat\n\n'));
  }

  /** Sends one item; nothing happens once the stream is over. */
  send(item: unknown, id: number | undefined): void {
    this.open();
    const place = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`${place}${formatEvent(streamEvents.item, item)}`);
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

  #write(text: string): void {
    if (this.#state !== 'open') return;
    this.#response.write(text);
    if (this.#response.writableLength <= maximumBacklog) return;
    const message = 'This stream was read too slowly; resume it after the last event received.';
    this.end(toErrorBody(new AppError('too_many_requests', message)));
  }

  #finish(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#stopHeartbeat?.();
    this.#onEnd?.();
  }
}

/** JSON text has no line ends, so one data line always suffices. */
const formatEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
