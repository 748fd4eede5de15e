import { afterAll, beforeAll, onTestFinished } from 'vitest';

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
