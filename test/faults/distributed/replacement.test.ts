import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { chooseSeeds, createRandom } from '../rig/kill.ts';
import { checkEnds } from '../rig/check-home.ts';
import { TestCluster } from './test-cluster.ts';

test.each(chooseSeeds([2]))(
  'seed %i: coordinators replaced one after another under load lose and reject nothing',
  async (seed) => {
    const cluster = await TestCluster.open(makeTemporaryFolder(), { coordinators: 2, workers: 3 });
    const random = createRandom(seed);
    const over = new AbortController();
    const load = (async () => {
      while (!over.signal.aborted) {
        await cluster.offer(random.between(0, 800) / 1000);
        await pause(random.between(10, 120));
      }
    })();
    for (let round = 0; round < 2; round += 1) {
      for (const coordinator of cluster.coordinators) {
        await pause(random.between(200, 800));
        await coordinator.replace();
      }
    }
    over.abort();
    await load;

    const records = await cluster.ended();

    expect(await checkEnds(cluster, records)).toBe(records.length);
    expect(records.length).toBeGreaterThan(20);
    expect((await cluster.store.stats()).staleRefused).toBe(0);
    // No worker had to rejoin.
    expect(cluster.workers.flatMap(({ log }) => log.match(/\bJoined\b/g) ?? [])).toHaveLength(3);
  },
  60_000,
);
