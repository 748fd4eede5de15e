import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { missingForNetworks, TestNetwork } from '../../harness/servers/network.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { type Random, chooseSeeds, createRandom } from '../rig/kill.ts';
import { checkEnds } from '../rig/check-home.ts';
import { TestCluster, leaseMs } from './test-cluster.ts';

/** Times by which steps must not outlive their lease; they are stopped before. */
const cleanUpMs = leaseMs / 2;

async function offerSome(cluster: TestCluster, random: Random, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const onPartition = random.pick(['continue', 'stop'] as const);
    await cluster.offer(random.between(0, 2500) / 1000, { onPartition, cleanUpMs });
  }
}

/** Cuts links at random times, for less or more than a lease, and offers tasks meanwhile. */
async function cutLinks(cluster: TestCluster, random: Random, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await offerSome(cluster, random, random.between(2, 8));
    await pause(random.between(0, 600));
    const machine = random.pick(cluster.machines);
    machine.cut();
    await offerSome(cluster, random, random.between(0, 3));
    const share = random.pick([0.2, 0.6, 1.2, 2]);
    await pause(share * leaseMs + random.between(0, 300));
    machine.mend();
  }
}

const lack = missingForNetworks === undefined ? '' : ` (missing here: ${missingForNetworks})`;

describe.skipIf(missingForNetworks !== undefined)(`workers on separate machines${lack}`, () => {
  test.each(chooseSeeds([3]))(
    'seed %i: each task ends once and none outlives its lease when links are cut',
    async (seed) => {
      const network = TestNetwork.open();
      const cluster = await TestCluster.open(makeTemporaryFolder(), { coordinators: 2, workers: 3, network });
      const random = createRandom(seed);
      await cutLinks(cluster, random, 4);

      const records = await cluster.ended();

      expect(await checkEnds(cluster, records)).toBeGreaterThan(records.length / 2);
    },
    120_000,
  );
});
