import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';

type CleanUp = () => unknown;

/** Set while something is created for all tests of a file. */
let collected: CleanUp[] | undefined;

/** Closes a resource when the test has ended, or the last of the tests that share it. */
export function onTestCleanup(cleanUp: CleanUp): void {
  if (collected === undefined) onTestFinished(async () => void (await cleanUp()));
  else collected.push(cleanUp);
}

/**
 * Creates a read-only fixture once for all tests of a file or a `describe`.
 * @param make may use resources that are released at its end
 * @returns reads it, within a test
 */
export function createOnce<Made>(make: () => Made | Promise<Made>): () => Made {
  const cleanUps: CleanUp[] = [];
  let made: Made | undefined;
  beforeAll(async () => {
    collected = cleanUps;
    try {
      made = await make();
    } finally {
      collected = undefined;
    }
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });
  return () => made as Made;
}

/** An empty folder that is removed when the test has ended, with everything in it. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-'));
  onTestCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Waits until a condition holds; the test's own timeout ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2));
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

/** Calls an asynchronous function for one element after the other; resolves with the results. */
export async function oneByOne<Element, Result>(
  elements: readonly Element[],
  run: (element: Element, index: number) => Promise<Result> | Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, element] of elements.entries()) results.push(await run(element, index));
  return results;
}
