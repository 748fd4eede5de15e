import type { Clock } from '../../base/clock.ts';

/** Resolves after a delay, or when the signal is aborted. Never rejects. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      dispose();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const dispose = clock.after(delayMs, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}
