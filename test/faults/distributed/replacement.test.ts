import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { chooseSeeds, createRandom } from '../rig/kill.ts';
import { checkEnds } from './check-ends.ts';
import { Fleet } from './fleet.ts';

test.each(chooseSeeds([2]))(
  'seed %i: coordinators that are replaced one after the other under load lose nothing and refuse nothing',
  async (seed) => {
    const fleet = await Fleet.open(makeTemporaryFolder(), { coordinators: 2, workers: 3 });
    const random = createRandom(seed);
    const over = new AbortController();
    const load = (async () => {
      while (!over.signal.aborted) {
        await fleet.offer(random.between(0, 800) / 1000);
        await pause(random.between(10, 120));
      }
    })();
    for (let round = 0; round < 2; round += 1) {
      for (const coordinator of fleet.coordinators) {
        await pause(random.between(200, 800));
        await coordinator.replace();
      }
    }
    over.abort();
    await load;

    const records = await fleet.ended();

    expect(await checkEnds(fleet, records)).toBe(records.length);
    expect(records.length).toBeGreaterThan(20);
    expect((await fleet.store.facts()).staleRefused).toBe(0);
    // No worker had to begin a new life.
    expect(fleet.workers.flatMap(({ log }) => log.match(/\bJoined\b/g) ?? [])).toHaveLength(3);
  },
  60_000,
);
