import fc, { type Parameters, type RunDetails } from 'fast-check';

/**
 * Duration of each fuzzer: `FUZZ_SECONDS=600 npx vitest run test/core/gateway/fuzz.test.ts` for ten minutes
 * of new inputs. By default, each makes a fixed number of runs from a fixed seed.
 */
const seconds = process.env['FUZZ_SECONDS'] === undefined ? undefined : Number(process.env['FUZZ_SECONDS']);

/** Maximum runs of a property in `npm test`. */
const SHORT_RUNS = 100;

/**
 * Number of runs of a property: at most 100, or at least `PROPERTY_RUNS` if that is set.
 * @param runs as many as it takes to generate rare inputs
 */
export function propertyRuns(runs: number): number {
  const min = process.env['PROPERTY_RUNS'];
  return min === undefined ? Math.min(runs, SHORT_RUNS) : Math.max(runs, Number(min));
}

/**
 * Seed and number of the inputs of a property. A failure of a long run prints the `seed` and the `path` that
 * repeat it.
 * @param share how many properties share the time of one fuzzer
 */
export function fuzzing<Inputs>(seed: number, numRuns: number, share = 1): Parameters<Inputs> {
  if (seconds === undefined) return { seed, numRuns };
  const interruptAfterTimeLimit = (seconds * 1000) / share;
  return { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit, reporter: report };
}

/** The timeout of a test that fuzzes, in milliseconds. */
export const fuzzTimeoutMs = 300_000 + (seconds ?? 0) * 1000;

function report<Inputs>(details: RunDetails<Inputs>): void {
  console.log(`fuzz: ${details.numRuns} inputs of seed ${details.seed}`);
  // A busy machine may not finish a single one.
  if (details.failed && details.counterexample !== null) throw new Error(fc.defaultReportMessage(details));
}
