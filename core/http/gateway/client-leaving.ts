import type { ServerResponse } from 'node:http';
import type { Clock, Dispose } from '../../base/clock.ts';

/**
 * So long a request goes on without its client. Most are done by then; and the embedded database ends a statement by
 * being opened anew, which takes about as long.
 */
const leavingGraceMs = 1000;

/** Tells that nobody waits for a response any more. */
export interface ClientLeaving {
  /** Aborted some time after the connection was closed, unless the response had gone out whole. */
  readonly signal: AbortSignal;
  readonly stopWatching: Dispose;
}

/** Watches the client of a response. */
export function watchLeaving(response: ServerResponse, clock: Clock): ClientLeaving {
  const leaving = new AbortController();
  let stopTimer: Dispose | undefined;
  const onClose = (): void => {
    if (!response.writableFinished) stopTimer = clock.after(leavingGraceMs, () => leaving.abort());
  };
  response.once('close', onClose);
  return {
    signal: leaving.signal,
    stopWatching: () => {
      response.off('close', onClose);
      stopTimer?.();
    },
  };
}
