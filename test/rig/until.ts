import { vi } from 'vitest';

/** Waits until a condition holds; the test's own timeout ends the wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Vitest itself would time out after a second, which a busy machine takes at times. */
const timeoutMs = 25_000;

/**
 * Polls until expectations hold, and returns the result; rejects with the last error.
 * @param intervalMs polling interval
 */
export const waitUntilPasses = <Value>(
  assertion: () => Value | Promise<Value>,
  intervalMs = 10,
): Promise<Value> =>
  // oxlint-disable-next-line vitest/no-restricted-vi-methods -- the one place, with patience
  vi.waitFor(assertion, { timeout: timeoutMs, interval: intervalMs });
