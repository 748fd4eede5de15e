import { useSyncExternalStore } from 'react';
import type { Clock, Dispose } from '../../core/base/clock.ts';

/** The only reader of time in the window; everything else takes a `Clock` or one of the hooks below. */
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
 * The time in epoch milliseconds, whole seconds. All users tick together, once a second.
 * @param ticking whether the component is to be rendered again each second
 */
export function useNow(ticking = true): number {
  return useSyncExternalStore(ticking ? followSeconds : followNothing, () => second);
}

/**
 * What is read from the time, looked at anew each second, while the component is rendered again only when that reads
 * otherwise: a list with hundreds of times need not be drawn anew each second.
 * @param read of epoch milliseconds, whole seconds
 */
export const useReading = <Value extends string | number | boolean>(read: (now: number) => Value): Value =>
  useSyncExternalStore(followSeconds, () => read(second));
