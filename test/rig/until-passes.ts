import { vi } from 'vitest';

/** Vitest itself would give up after a second, which a busy machine takes at times. */
const patienceMs = 25_000;

/**
 * Looks again and again until expectations hold, and gives what the look gives; rejects with what the last one said.
 * @param intervalMs from one look to the next
 */
export const untilPasses = <Value>(look: () => Value | Promise<Value>, intervalMs = 10): Promise<Value> =>
  // oxlint-disable-next-line vitest/no-restricted-vi-methods -- the one place, with patience
  vi.waitFor(look, { timeout: patienceMs, interval: intervalMs });
