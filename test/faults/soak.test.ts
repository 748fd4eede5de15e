import { it } from 'vitest';
import { soak } from './soak.ts';

/** `SOAK_SECONDS=600 npm test -- test/faults/soak` for ten minutes; `SOAK_SEED` repeats one. */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 4);
const seed = Number(process.env['SOAK_SEED'] ?? 20_260);

// oxlint-disable-next-line vitest/expect-expect -- the check of the home has them
it(
  `random starts and stops of hosts lose nothing (seed ${seed}, ${seconds} s)`,
  () => soak({ seed, seconds }),
  // A busy machine has much to complete when the time is over.
  (2 * seconds + 300) * 1000,
);
