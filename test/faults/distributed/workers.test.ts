import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { type Random, chooseSeeds, createRandom } from '../rig/kill.ts';
import { checkEnds } from '../rig/check-home.ts';
import { TestCluster, leaseMs } from './test-cluster.ts';

/** Kills, halts and restores random members, and offers tasks meanwhile. */
async function injectFault(cluster: TestCluster, random: Random, moments: number): Promise<void> {
  for (let moment = 0; moment < moments; moment += 1) {
    for (let count = random.between(0, 7); count >= 0; count -= 1)
      await cluster.offer(random.between(0, 600) / 1000);
    const chance = random.between(1, 100);
    if (chance <= 35) random.pick(cluster.workers).kill();
    else if (chance <= 50) random.pick(cluster.workers).halt();
    else if (chance <= 70) random.pick(cluster.coordinators).kill();
    else await random.pick([...cluster.workers, ...cluster.coordinators]).restoreLinks();
    await pause(random.between(0.03 * leaseMs, 0.27 * leaseMs));
    await random.pick(cluster.coordinators).restoreLinks();
    if (random.between(1, 2) === 1) await random.pick(cluster.workers).restoreLinks();
  }
  await restoreAllLinks(cluster);
}

async function restoreAllLinks({ coordinators, workers }: TestCluster): Promise<void> {
  for (const member of [...coordinators, ...workers]) await member.restoreLinks();
}

/** Halts a worker during its tasks for longer than its lease, so that others rightly consider it dead. */
async function suspendBeyondLease(cluster: TestCluster, random: Random): Promise<void> {
  for (let count = 0; count < 12; count += 1) await cluster.offer(random.between(500, 1500) / 1000);
  await pause(random.between(300, 600));
  random.pick(cluster.workers).halt();
  await pause(2 * leaseMs);
  await restoreAllLinks(cluster);
}

test.each(chooseSeeds([7]))(
  'seed %i: each task ends once and no command starts twice when members are killed or halted',
  async (seed) => {
    const cluster = await TestCluster.open(makeTemporaryFolder(), { coordinators: 2, workers: 3 });
    const random = createRandom(seed);
    await injectFault(cluster, random, 20);
    await suspendBeyondLease(cluster, random);

    const records = await cluster.ended();

    // Most of the work was done nevertheless.
    expect(await checkEnds(cluster, records)).toBeGreaterThan(records.length / 2);
  },
  120_000,
);
