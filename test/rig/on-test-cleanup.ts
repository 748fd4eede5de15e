import { afterAll, beforeAll, onTestFinished } from 'vitest';

type CleanUp = () => unknown;

/** Of what is being made for all tests of a file. */
let collected: CleanUp[] | undefined;

/** Has what was opened closed again: when the test has ended, or the last one of those that it is for. */
export function onTestCleanup(cleanUp: CleanUp): void {
  if (collected === undefined) onTestFinished(async () => void (await cleanUp()));
  else collected.push(cleanUp);
}

/**
 * Makes something once for all tests of a file or a `describe`, for those that only look at it.
 * @param make may use whatever goes when it is over
 * @returns reads it, within a test
 */
export function makeOnce<Made>(make: () => Made | Promise<Made>): () => Made {
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
