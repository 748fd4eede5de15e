import { useCallback, useSyncExternalStore } from 'react';
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

const secondMs = 1000;
const secondListeners = new Set<() => void>();
let second = Math.floor(Date.now() / secondMs) * secondMs;
let stopSeconds: Dispose | undefined;

function followSeconds(listener: () => void): Dispose {
  secondListeners.add(listener);
  second = Math.floor(systemClock.now() / secondMs) * secondMs;
  stopSeconds ??= systemClock.every(secondMs, () => {
    second = Math.floor(systemClock.now() / secondMs) * secondMs;
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

/**
 * Returns the whole seconds since an instant, in milliseconds, ticking when each one is complete: the shared tick can be
 * up to a second later.
 * @param since epoch milliseconds; undefined does not tick and returns 0
 */
export function useElapsed(since: number | undefined): number {
  const follow = useCallback(
    (listener: () => void): Dispose => {
      if (since === undefined) return () => undefined;
      let stop: Dispose;
      const wait = (): void => {
        const untilNext = secondMs - ((((systemClock.now() - since) % secondMs) + secondMs) % secondMs);
        stop = systemClock.after(untilNext, () => {
          listener();
          wait();
        });
      };
      wait();
      return () => stop();
    },
    [since],
  );
  return useSyncExternalStore(follow, () =>
    since === undefined ? 0 : Math.floor((systemClock.now() - since) / secondMs) * secondMs,
  );
}
