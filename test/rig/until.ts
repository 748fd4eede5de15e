import { vi } from 'vitest';

/** Waits until something holds; the test's own time limit ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Vitest itself would give up after a second, which a busy machine takes at times. */
const timeoutMs = 25_000;

/**
 * Looks again and again until expectations hold, and gives what the look gives; rejects with what the last one said.
 * @param intervalMs from one look to the next
 */
export const untilPasses = <Value>(look: () => Value | Promise<Value>, intervalMs = 10): Promise<Value> =>
  // oxlint-disable-next-line vitest/no-restricted-vi-methods -- the one place, with patience
  vi.waitFor(look, { timeout: timeoutMs, interval: intervalMs });
