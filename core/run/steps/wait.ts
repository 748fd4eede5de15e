import type { Clock } from '../../base/clock.ts';

/** Waits; resolves to false, at once, when the signal is aborted. */
export function waitUnlessAborted(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (hasElapsed: boolean): void => {
      dispose();
      signal.removeEventListener('abort', stop);
      resolve(hasElapsed);
    };
    const stop = (): void => finish(false);
    const dispose = clock.after(delayMs, () => finish(true));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
