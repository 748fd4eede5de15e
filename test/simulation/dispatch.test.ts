import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Labels, NewTask } from '../../core/store/types/dispatch.ts';
import type { Database } from '../../core/store/database/database.ts';
import { openDatabase } from '../../core/store/open-store.ts';
import type { SqliteDatabase } from '../../core/store/database/sqlite-database.ts';
import { createRandom, type Random } from '../faults/rig/kill.ts';
import { type Actor, ask, NoResponse, occurs, rest } from './scheduler.ts';
import {
  type HostDisk,
  type WorkerMachine,
  type SimState,
  createSimState,
  killWorker,
  runHost,
  runWorker,
  settings,
} from './sim-state.ts';

/** Statistics of a world; they show that everything does happen. */
interface SimulationResult {
  readonly ends: Readonly<Record<string, number>>;
  readonly stale: number;
  readonly steps: number;
}

const faultPhaseSteps = 350;
const maxRecoverySteps = 6000;

/**
 * One world: some time with faults of all kinds, then none until everything has ended.
 * @param database empty
 * @throws if an invariant was violated
 */
async function simulate(database: Database, seed: number): Promise<SimulationResult> {
  const random = createRandom(seed);
  const sim = createSimState(database, random);
  const disk: HostDisk = { planned: planTasks(random), waiting: new Map(), recorded: new Map() };
  const machines = ['w1', 'w2', 'w3', 'w4'].map((id, index): WorkerMachine => ({
    id,
    labels: index % 2 === 0 ? { zone: 'eu' } : { zone: 'eu', gpu: 'yes' },
    slots: random.between(1, 4),
    commands: new Map(),
    clockOffset: 0,
  }));
  const total = disk.planned.length;
  startAll(sim, disk, machines);
  const faults = { lostRequest: 0.03, lostAnswer: 0.05 };
  sim.deadly = 0.01;
  let steps = 0;
  for (; steps < faultPhaseSteps; steps += 1) {
    sim.clock.advance(random.between(0, 200));
    if (occurs(random, 0.05)) injectCrash(sim, disk, machines);
    await sim.deliverLate();
    await sim.scheduler.step(faults);
  }
  sim.deadly = 0;
  sim.isCalm = true;
  startAll(sim, disk, machines);
  for (; disk.recorded.size < total; steps += 1) {
    if (steps > maxRecoverySteps)
      throw new Error(`still open: ${[...disk.waiting.keys()].join(', ')}, planned ${disk.planned.length}`);
    sim.clock.advance(random.between(0, 200));
    await sim.scheduler.step({ lostRequest: 0, lostAnswer: 0 });
  }
  const { staleRefused } = await sim.store.stats();
  sim.oracle.checkCounts(staleRefused);
  const ends: Record<string, number> = {};
  for (const state of disk.recorded.values()) ends[state] = (ends[state] ?? 0) + 1;
  return { ends, stale: staleRefused, steps };
}

const selectors: readonly Labels[] = [{ zone: 'eu' }, { gpu: 'yes' }, { zone: 'eu', gpu: 'yes' }];

const planTasks = (random: Random): NewTask[] =>
  Array.from({ length: random.between(8, 24) }, (_, index) => ({
    key: `t${index}`,
    runKey: 1,
    run: { name: 'etl', dagRunId: 'r1' },
    step: 'load',
    selector: random.pick(selectors),
    priority: random.between(0, 2),
    payload: '{}',
    attemptDir: '/logs',
  }));

function startAll(sim: SimState, disk: HostDisk, machines: readonly WorkerMachine[]): void {
  sim.scheduler.start('host', runHost(sim, disk));
  for (const id of ['c1', 'c2']) startCoordinator(sim, id);
  for (const machine of machines)
    if (!sim.scheduler.isThere(machine.id)) sim.scheduler.start(machine.id, runWorker(sim, machine));
}

function startCoordinator(sim: SimState, id: string): void {
  sim.coordinators.add(id);
  sim.scheduler.start(id, runCoordinator(sim, id));
}

function* runCoordinator(sim: SimState, id: string): Actor {
  const beating = { id, url: `https://${id}`, version: '1', host: id, pid: 1, workers: 0 };
  for (;;) {
    try {
      yield* ask(() =>
        sim.watch('heartbeatCoordinator', async () => {
          await sim.store.heartbeatCoordinator(beating);
          sim.oracle.recordCoordinator(id);
        }),
      );
      yield* ask(() => sim.watch('reap', () => sim.store.reap()));
      yield* rest();
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
    }
  }
}

/** Something fails, or recovers. */
function injectCrash(sim: SimState, disk: HostDisk, machines: readonly WorkerMachine[]): void {
  const { random, scheduler, coordinators } = sim;
  const machine = random.pick(machines);
  const id = random.pick(['c1', 'c2']);
  switch (random.between(1, 8)) {
    case 1:
      if (scheduler.isThere(machine.id)) killWorker(sim, machine);
      else scheduler.start(machine.id, runWorker(sim, machine));
      return;
    case 2:
      killWorker(sim, machine);
      scheduler.start(machine.id, runWorker(sim, machine));
      return;
    case 3:
    case 4:
    case 5:
      scheduler.pause(machine.id, random.between(settings.activationMs, 3 * settings.leaseMs));
      return;
    case 6:
      machine.clockOffset += random.between(-3_600_000, 3_600_000);
      return;
    case 7:
      scheduler.start('host', runHost(sim, disk));
      return;
    default:
      if (!coordinators.has(id)) startCoordinator(sim, id);
      else {
        coordinators.delete(id);
        scheduler.end(id);
      }
  }
}

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
