import type { Clock, Dispose } from '../../core/base/clock.ts';
import { errorCodes } from '../../core/base/error-codes.ts';
import type { ErrorBody } from '../../core/base/errors.ts';
import { streamEvents } from '../../core/contract/transport/http-wire.ts';
import { createEventStreamParser, type ServerSentEvent } from './parse-event-stream.ts';
import { readErrorBody } from './read-error-body.ts';

const firstDelayMs = 250;
const longestDelayMs = 5_000;

export interface EventStreamOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  onItem(data: unknown): void;
  onEnd(error?: ErrorBody): void;
  /** The stream is open, for the first time or again. */
  onOpen?(): void;
  /** The connection is gone and is being tried again. */
  onLost?(): void;
}

/**
 * Follows a stream of the loopback server until disposed. A lost connection is opened again after 0.25 s,
 * doubling up to 5 s, from the last event id seen; a refusal or an orderly end is final.
 */
export function followEventStream(options: EventStreamOptions): Dispose {
  const abort = new AbortController();
  const state: FollowState = { lastId: undefined, failures: 0, stopTimer: undefined };
  const connect = async (): Promise<void> => {
    const over = await readOnce(options, state, abort.signal);
    if (over || abort.signal.aborted) return;
    options.onLost?.();
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** state.failures);
    state.failures += 1;
    state.stopTimer = options.clock.after(delay, () => void connect());
  };
  void connect();
  return () => {
    abort.abort();
    state.stopTimer?.();
  };
}

interface FollowState {
  lastId: string | undefined;
  failures: number;
  stopTimer: Dispose | undefined;
}

/** One connection, to its end. Answers whether the stream is over for good. */
async function readOnce(
  options: EventStreamOptions,
  state: FollowState,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (state.lastId !== undefined) headers['last-event-id'] = state.lastId;
    const response = await options.fetch(options.url, { headers, signal, cache: 'no-store' });
    if (!response.ok || response.body === null) return await refuse(response, options);
    state.failures = 0;
    options.onOpen?.();
    return await readBody(response.body, options, state);
  } catch {
    // Network errors look alike to a page; all of them mean "try again".
    return signal.aborted;
  }
}

async function refuse(response: Response, options: EventStreamOptions): Promise<boolean> {
  const error = await readErrorBody(response);
  if (response.status >= 500 || response.status === 429) return false;
  options.onEnd(error);
  return true;
}

/** A server that is going down, or that found us too slow, is asked again; nothing is lost by that. */
function deliverError(error: ErrorBody, options: EventStreamOptions): boolean {
  if (errorCodes[error.code]?.retryable) return false;
  options.onEnd(error);
  return true;
}

async function readBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: EventStreamOptions,
  state: FollowState,
): Promise<boolean> {
  const parse = createEventStreamParser();
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    for (const event of parse(chunk)) {
      if (event.id !== undefined) state.lastId = event.id;
      if (deliver(event, options)) return true;
    }
  }
  return false;
}

function deliver({ event, data }: ServerSentEvent, options: EventStreamOptions): boolean {
  if (event === streamEvents.item) {
    options.onItem(JSON.parse(data));
    return false;
  }
  if (event === streamEvents.end) options.onEnd();
  else if (event === streamEvents.error) return deliverError(JSON.parse(data) as ErrorBody, options);
  else return false;
  return true;
}
