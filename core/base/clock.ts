// A file of its own: the contract of time for the engine and the UI.

/** Disposes of a subscription, timer or resource; calling it again does nothing. */
export type Dispose = () => void;

/** The only source of time. The only real implementation is `core/base/system-clock.ts`; tests advance a fake one. */
export interface Clock {
  /** Returns the wall-clock time, in milliseconds since 1970-01-01 UTC. May jump. */
  now(): number;
  /** Returns milliseconds from an arbitrary origin; never jumps. For durations. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs` (delays over 2^31-1 are split). */
  after(delayMs: number, callback: () => void): Dispose;
  /**
   * Calls `callback` once pending I/O has been handled, so that everything collected until then can be processed
   * together.
   */
  soon(callback: () => void): void;
  /** Calls `callback` every `intervalMs` until disposed; does not keep the process alive. */
  every(intervalMs: number, callback: () => void): Dispose;
}

/**
 * Resolves in the next event-loop tick, after timers and other I/O. It takes two immediates: the first one after an I/O
 * callback still runs in the same tick.
 */
export const nextTick = (clock: Pick<Clock, 'soon'>): Promise<void> =>
  new Promise((resolve) => clock.soon(() => clock.soon(resolve)));

/** Formats a time in epoch milliseconds as ISO 8601 in UTC. */
export const toIso = (epochMs: number): string => new Date(epochMs).toISOString();
