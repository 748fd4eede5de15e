import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RemoteResult } from '../../../core/distributed/remote-task.ts';
import { Fleet, leaseMs, type Member } from './fleet.ts';

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Kills, halts and heals whom chance chooses, and offers tasks meanwhile. */
async function disturb(fleet: Fleet, random: () => number, moments: number): Promise<void> {
  const pick = (members: readonly Member[]): Member => members[Math.floor(random() * members.length)]!;
  for (let moment = 0; moment < moments; moment += 1) {
    for (let count = Math.floor(random() * 8); count >= 0; count -= 1) await fleet.offer(random() * 0.6);
    const chance = random();
    if (chance < 0.35) pick(fleet.workers).kill();
    else if (chance < 0.5) pick(fleet.workers).halt();
    else if (chance < 0.7) pick(fleet.coordinators).kill();
    else await pick([...fleet.workers, ...fleet.coordinators]).heal();
    await wait(100 + random() * 700);
    await pick(fleet.coordinators).heal();
    if (random() < 0.5) await pick(fleet.workers).heal();
  }
  await healAll(fleet);
}

async function healAll({ coordinators, workers }: Fleet): Promise<void> {
  for (const member of [...coordinators, ...workers]) await member.heal();
}

/** Halts a worker in the middle of its tasks for longer than its lease, so that others are right to take it for dead. */
async function haltBeyondLease(fleet: Fleet, random: () => number): Promise<void> {
  for (let count = 0; count < 12; count += 1) await fleet.offer(0.5 + random());
  await wait(300 + random() * 300);
  const victim = fleet.workers[Math.floor(random() * fleet.workers.length)]!;
  victim.halt();
  await wait(2 * leaseMs);
  await healAll(fleet);
}

// Side by side: they wait for leases most of their time.
test.concurrent.each([1, 7, 42])(
  'seed %i: whoever is killed or halted, each task ends once, and no command is begun twice',
  async (seed) => {
    await using fleet = await Fleet.open({ coordinators: 2, workers: 3 });
    const random = seeded(seed);
    await disturb(fleet, random, 20);
    await haltBeyondLease(fleet, random);

    const records = await fleet.ended();

    const wrong: string[] = [];
    for (const { key, state, result, place } of records) {
      const begun = fleet.effectsOf(key);
      if (begun > 1) wrong.push(`${key} was begun ${begun} times`);
      if (state !== 'settled') continue;
      const { exitCode, unstarted, captured, error } = JSON.parse(result!) as RemoteResult;
      if (unstarted === true) {
        if (begun !== 0) wrong.push(`${key} is told not to have been begun, and was`);
      } else if (exitCode !== 0 || captured !== 'one\ntwo' || begun !== 1)
        wrong.push(`${key} ended with ${exitCode} ${JSON.stringify(captured)} ${error}`);
      else if (readFileSync(path.join(place, 'stdout.log'), 'utf8') !== 'one\ntwo\n')
        wrong.push(`${key} has another log`);
    }
    expect(wrong).toEqual([]);
    const late = fleet.workers.flatMap(({ log }) => log.match(/came too late/g) ?? []).length;
    const { staleRefused, ready, claimed, running } = await fleet.store.facts();
    expect(staleRefused).toBeGreaterThanOrEqual(late);
    expect({ ready, claimed, running }).toEqual({ ready: 0, claimed: 0, running: 0 });
    // Most of the work was done all the same.
    expect(records.filter(({ state }) => state === 'settled').length).toBeGreaterThan(records.length / 2);
  },
  120_000,
);
