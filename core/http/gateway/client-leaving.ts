import type { ServerResponse } from 'node:http';
import type { Clock, Dispose } from '../../base/clock.ts';

/**
 * Time that a request continues after its client has disconnected. Most requests finish by then, and the embedded
 * database ends a statement by reopening, which takes about as long.
 */
const leavingGraceMs = 1000;

/** Signals the disconnection of a client. */
export interface ClientDisconnect {
  /** Aborted some time after the connection was closed, unless the response is complete. */
  readonly signal: AbortSignal;
  readonly stopWatching: Dispose;
}

/** Watches the client of a response. */
export function watchDisconnect(response: ServerResponse, clock: Clock): ClientDisconnect {
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
