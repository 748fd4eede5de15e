import type { Clock } from '../../base/clock.ts';
import { HttpFailure } from './http-failure.ts';

/** Tracks the progress of an exchange and can abort it. */
export interface Watch {
  /** Aborted when the step must end or times out; its reason is the error to report. */
  readonly signal: AbortSignal;
  /** The current activity, to follow "while" in a message: `connecting to example.com:443`. */
  readonly phase: string;
  enter(phase: string): void;
  /** Writes a debug line; ignored unless debugging is enabled. */
  debug(line: string): void;
  /** Must be called once, at the end. */
  close(): void;
}

/** @param timeoutSec timeout of the whole exchange; 0 for no timeout */
export function openWatch(
  clock: Clock,
  stop: AbortSignal,
  timeoutSec: number,
  debug: (line: string) => void,
): Watch {
  const aborting = new AbortController();
  let phase = 'beginning';
  const onStop = (): void => aborting.abort(new HttpFailure(`stopped while ${phase}`));
  if (stop.aborted) onStop();
  else stop.addEventListener('abort', onStop, { once: true });
  const onTime = (): void => {
    const advice = 'Raise config.timeout, or check why the server is slow';
    aborting.abort(new HttpFailure(`timed out after ${timeoutSec} s while ${phase}. ${advice}`));
  };
  const cancel = timeoutSec > 0 ? clock.after(timeoutSec * 1000, onTime) : undefined;
  return {
    signal: aborting.signal,
    get phase() {
      return phase;
    },
    enter: (next) => void (phase = next),
    debug,
    close() {
      cancel?.();
      stop.removeEventListener('abort', onStop);
    },
  };
}
