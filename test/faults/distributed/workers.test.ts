import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { type Random, chooseSeeds, createRandom } from '../rig/kill.ts';
import { checkEnds } from './check-ends.ts';
import { Fleet, leaseMs } from './fleet.ts';

/** Kills, halts and heals whom chance chooses, and offers tasks meanwhile. */
async function disturb(fleet: Fleet, random: Random, moments: number): Promise<void> {
  for (let moment = 0; moment < moments; moment += 1) {
    for (let count = random.between(0, 7); count >= 0; count -= 1)
      await fleet.offer(random.between(0, 600) / 1000);
    const chance = random.between(1, 100);
    if (chance <= 35) random.pick(fleet.workers).kill();
    else if (chance <= 50) random.pick(fleet.workers).halt();
    else if (chance <= 70) random.pick(fleet.coordinators).kill();
    else await random.pick([...fleet.workers, ...fleet.coordinators]).heal();
    await pause(random.between(0.03 * leaseMs, 0.27 * leaseMs));
    await random.pick(fleet.coordinators).heal();
    if (random.between(1, 2) === 1) await random.pick(fleet.workers).heal();
  }
  await healAll(fleet);
}

async function healAll({ coordinators, workers }: Fleet): Promise<void> {
  for (const member of [...coordinators, ...workers]) await member.heal();
}

/** Halts a worker in the middle of its tasks for longer than its lease, so that others are right to take it for dead. */
async function haltBeyondLease(fleet: Fleet, random: Random): Promise<void> {
  for (let count = 0; count < 12; count += 1) await fleet.offer(random.between(500, 1500) / 1000);
  await pause(random.between(300, 600));
  random.pick(fleet.workers).halt();
  await pause(2 * leaseMs);
  await healAll(fleet);
}

test.each(chooseSeeds([1, 7, 42]))(
  'seed %i: whoever is killed or halted, each task ends once, and no command is begun twice',
  async (seed) => {
    const fleet = await Fleet.open(makeTemporaryFolder(), { coordinators: 2, workers: 3 });
    const random = createRandom(seed);
    await disturb(fleet, random, 20);
    await haltBeyondLease(fleet, random);

    const records = await fleet.ended();

    // Most of the work was done all the same.
    expect(await checkEnds(fleet, records)).toBeGreaterThan(records.length / 2);
  },
  120_000,
);
