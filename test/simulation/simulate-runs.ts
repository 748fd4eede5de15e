import { afterAll, beforeAll, expect, it } from 'vitest';
import { overrideTimings, timings } from '../../core/base/timings.ts';
import { isFinal } from '../../core/model/run.ts';
import type { Database } from '../../core/store/database/database.ts';
import { createStore } from '../../core/store/open-store.ts';
import { createRandom } from '../faults/rig/kill.ts';

import { FakeClock } from '../harness/fakes.ts';

import { runRunHost, type RunWorld } from './run-hosts.ts';
import { RunOracle } from './run-oracle.ts';
import { occurs, Scheduler } from './scheduler.ts';

const machines = [1, 2, 3];
const faultPhaseSteps = 220;
const maxRecoverySteps = 20_000;
const faults = { lostRequest: 0.03, lostAnswer: 0.06 };

async function createWorld(databases: readonly Database[], seed: number): Promise<RunWorld> {
  const oracle = await RunOracle.open(databases[0]!);
  const random = createRandom(seed);
  const clock = new FakeClock();
  let last = 0;
  return {
    ...{ random, clock, scheduler: new Scheduler(random, clock), oracle },
    ...{ isCalm: false, startsLeft: random.between(6, 16), runs: [], counts: new Map() },
    connect: (machine) => createStore(databases[machine % databases.length]!),
    next: () => (last += 1),
  };
}

/**
 * One world: some time with faults of all kinds, then none until every run has ended.
 * @param databases connections to an empty database
 * @throws if an invariant was violated
 */
async function simulate(databases: readonly Database[], seed: number): Promise<RunWorld['counts']> {
  const world = await createWorld(databases, seed);
  const { random, scheduler, clock, oracle } = world;
  startAll(world);
  for (let step = 0; step < faultPhaseSteps; step += 1) {
    clock.advance(random.between(0, 300));
    if (occurs(random, 0.04)) injectFault(world);
    await scheduler.step(faults);
  }
  world.isCalm = true;
  startAll(world);
  const { queues } = createStore(databases[0]!);
  for (const queue of ['wide', 'narrow']) await queues.setQueueState(queue, 'open', 'user', clock.now());
  for (let step = 0; oracle.runs.some(({ status }) => !isFinal(status)); step += 1) {
    if (step > maxRecoverySteps) throw new Error(`runs do not end: ${JSON.stringify(oracle.runs)}`);
    clock.advance(random.between(0, 300));
    await scheduler.step({ lostRequest: 0, lostAnswer: 0 });
  }
  await oracle.checkEnd();
  return world.counts;
}

function startAll(world: RunWorld): void {
  for (const machine of machines)
    if (!world.scheduler.isThere(`m${machine}`))
      world.scheduler.start(`m${machine}`, runRunHost(world, machine));
}

/** A process halts, is killed, or is restarted. */
function injectFault(world: RunWorld): void {
  const { random, scheduler } = world;
  const machine = random.pick(machines);
  const name = `m${machine}`;
  const choice = random.between(1, 4);
  if (choice <= 2) scheduler.pause(name, random.between(timings.queueActivation, 3 * timings.hostLease));
  else if (choice === 3 && scheduler.isThere(name)) scheduler.end(name);
  else scheduler.start(name, runRunHost(world, machine));
}

const tables = [
  ...['event', 'attempt', 'step', 'queue_item', 'queue', 'queue_hold', 'schedule_slot', 'service_lease'],
  ...['run', 'host', 'spec'],
];
const emptySql = tables.map((table) => `DELETE FROM ${table}`).join('; ');

/** `SEED=17 npx vitest run test/simulation/runs.test.ts` repeats one world, `SIMULATION_WORLDS=1000` runs that many. */
const only = process.env['SEED'];
const worlds = Number(process.env['SIMULATION_WORLDS'] ?? 200);

/**
 * A test of many worlds.
 * @param connect opens connections to an empty database
 * @param share the part of all worlds that this database simulates
 */
export function simulateRuns(connect: () => Promise<Database[]>, share = 1): void {
  const count = Math.ceil(worlds * share);
  const seeds = only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)];
  let databases: Database[] = [];
  beforeAll(async () => {
    overrideTimings({ hostBeat: 1500, hostLease: 5000, queueActivation: 2000, serviceLease: 3000 });
    databases = await connect();
  });
  afterAll(() => {
    overrideTimings({});
    for (const database of databases) database.close();
  });
  it(
    `${seeds.length} worlds of failing hosts lose and repeat nothing`,
    async () => {
      const sum = new Map<string, number>();
      for (const seed of seeds) {
        await databases[0]!.perform(() => databases[0]!.execute(emptySql));
        for (const [what, times] of await run(databases, seed)) sum.set(what, (sum.get(what) ?? 0) + times);
      }
      // Proofs are vacuous in worlds in which nothing of this happens.
      const min = only === undefined ? Math.floor(seeds.length / 20) : 0;
      for (const what of ['stale', 'taken over', 'claimed', 'retried', 'max_run_reached', 'already_exists'])
        expect([what, sum.get(what) ?? 0]).toEqual([what, expect.toSatisfy((times) => times >= min)]);
    },
    60_000 + 200 * seeds.length,
  );
}

async function run(databases: readonly Database[], seed: number): Promise<RunWorld['counts']> {
  try {
    return await simulate(databases, seed);
  } catch (error) {
    throw new Error(`world ${seed} (SEED=${seed} npx vitest run ${expect.getState().testPath ?? ''})`, {
      cause: error,
    });
  }
}
