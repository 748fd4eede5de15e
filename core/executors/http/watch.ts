import type { Clock } from '../../base/clock.ts';
import { HttpFailure } from './http-failure.ts';

/** What the parts of an exchange tell about where it is, and by what they are ended. */
export interface Watch {
  /** Aborted when the step is to end or the time is up; its reason is the error to report. */
  readonly signal: AbortSignal;
  /** What is going on now, after "while": `connecting to example.com:443`. */
  readonly phase: string;
  enter(phase: string): void;
  /** A line for a person who looks for a fault; goes nowhere unless asked for. */
  debug(line: string): void;
  /** To be called once, at the end. */
  close(): void;
}

/** @param timeoutSec of the whole exchange; 0 for no limit */
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
