// A file of its own: it uses AbortSignal, which the pure half does not have.
import type { Clock } from './clock.ts';

/** Resolves after a delay, or as soon as one of the signals is aborted. The timer keeps the process alive. */
export async function wait(
  clock: Pick<Clock, 'after'>,
  delayMs: number,
  ...signals: readonly AbortSignal[]
): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const dispose = clock.after(delayMs, end);
  for (const signal of signals) signal.addEventListener('abort', end);
  await promise;
  dispose();
  for (const signal of signals) signal.removeEventListener('abort', end);
}

/**
 * Settles like `work`, or rejects with the reason of `signal` as soon as it is aborted. The work itself continues,
 * unless it observes the signal.
 */
export async function untilAborted<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', leave);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
