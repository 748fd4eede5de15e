/** Stops whatever it was handed out for; calling it again does nothing. */
export type Dispose = () => void;

/** The only way to the time. The one real implementation is `core/system-clock.ts`; tests move one by hand. */
export interface Clock {
  /** Wall-clock time, milliseconds since 1970-01-01 UTC. May jump. */
  now(): number;
  /** Milliseconds from an arbitrary origin; never jumps. For durations. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs` (values over 2^31-1 are waited for in parts). */
  after(delayMs: number, callback: () => void): Dispose;
  /** Calls `callback` once the input/output at hand has been dealt with; what is collected until then can be done in one go. */
  soon(callback: () => void): void;
  /** Calls `callback` every `intervalMs` until disposed; does not keep the process alive. */
  every(intervalMs: number, callback: () => void): Dispose;
}

/**
 * Resolves in the next turn of the event loop, after timers and other I/O. It takes two immediates: the first one after
 * an I/O callback still runs in the turn of that callback.
 */
export const nextTurn = (clock: Pick<Clock, 'soon'>): Promise<void> =>
  new Promise((resolve) => clock.soon(() => clock.soon(resolve)));

/** ISO 8601 text in UTC of a time in epoch milliseconds. */
export const toIso = (epochMs: number): string => new Date(epochMs).toISOString();
