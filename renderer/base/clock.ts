import { useSyncExternalStore } from 'react';
import type { Clock, Dispose } from '../../core/base/clock.ts';

/**
 * The only access to the system time in the window; everything else uses a `Clock` or one of the hooks below.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  every(intervalMs, callback) {
    const timer = setInterval(callback, intervalMs);
    return () => clearInterval(timer);
  },
  soon: (callback) => queueMicrotask(callback),
};

const secondListeners = new Set<() => void>();
let second = Math.floor(Date.now() / 1000) * 1000;
let stopSeconds: Dispose | undefined;

function followSeconds(listener: () => void): Dispose {
  secondListeners.add(listener);
  second = Math.floor(systemClock.now() / 1000) * 1000;
  stopSeconds ??= systemClock.every(1000, () => {
    second = Math.floor(systemClock.now() / 1000) * 1000;
    for (const notify of [...secondListeners]) notify();
  });
  return () => {
    secondListeners.delete(listener);
    if (secondListeners.size > 0) return;
    stopSeconds?.();
    stopSeconds = undefined;
  };
}

const followNothing = (): Dispose => () => undefined;

/**
 * Returns the time in epoch milliseconds, rounded to seconds. All users tick together, once a second.
 * @param ticking whether the component rerenders each second
 */
export function useNow(ticking = true): number {
  return useSyncExternalStore(ticking ? followSeconds : followNothing, () => second);
}

/**
 * Returns a value derived from the time. It is computed each second, but the component rerenders only when it
 * changes, so that a list with hundreds of times does not rerender each second.
 * @param read receives epoch milliseconds, rounded to seconds
 */
export const useTimeDerived = <Value extends string | number | boolean>(
  read: (now: number) => Value,
): Value => useSyncExternalStore(followSeconds, () => read(second));
