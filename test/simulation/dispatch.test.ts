import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../core/store/open-store.ts';
import type { SqliteDatabase } from '../../core/store/database/sqlite-database.ts';
import { simulate, type SimulationResult } from './simulate.ts';

/** `SEED=17 npm test -- test/simulation` repeats one world, `SIMULATION_WORLDS=1000` runs that many. */
const only = process.env['SEED'];
const worlds = Number(process.env['SIMULATION_WORLDS'] ?? 100);
const seeds = only === undefined ? Array.from({ length: worlds }, (_, index) => index + 1) : [Number(only)];

const emptySql = /* sql */ `
  DELETE FROM task; DELETE FROM worker; DELETE FROM coordinator;
  UPDATE dispatch_fact SET stale_refused = 0, reaping_from = 0, last_epoch = 0;`;

let database: SqliteDatabase;
beforeAll(() => {
  database = openDatabase(':memory:');
});
afterAll(() => database.close());

it(
  `${seeds.length} worlds of failing hosts, coordinators and workers violate no invariant`,
  async () => {
    const sum: Record<string, number> = { stale: 0 };
    for (const seed of seeds) {
      database.execute(emptySql);
      const story = await run(seed);
      sum['stale']! += story.stale;
      for (const [state, count] of Object.entries(story.ends)) sum[state] = (sum[state] ?? 0) + count;
    }
    // Proofs about lost tasks and late results are vacuous in worlds without any.
    const min = only === undefined ? worlds / 10 : 0;
    for (const what of ['settled', 'lost', 'cancelled', 'stale'])
      expect(sum[what] ?? 0).toBeGreaterThanOrEqual(min);
  },
  60_000 + 100 * worlds,
);

async function run(seed: number): Promise<SimulationResult> {
  try {
    return await simulate(database, seed);
  } catch (error) {
    throw new Error(`world ${seed} (SEED=${seed} npm test -- test/simulation)`, { cause: error });
  }
}
