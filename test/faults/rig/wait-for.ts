import { setTimeout as pause } from 'node:timers/promises';

/** Waits until something holds; in vain it rejects, so that what the test has started is ended. */
export async function waitFor(what: string, holds: () => boolean, patienceMs = 45_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await pause(20);
  }
}
