import type { Labels, NewTask } from '../../core/distributed/ports.ts';
import type { Database } from '../../core/store/database/database.ts';
import { createRandom, type Random } from '../faults/rig/kill.ts';
import {
  type Actor,
  type HostDisk,
  Unanswered,
  type WorkerMachine,
  type World,
  ask,
  createWorld,
  happens,
  killWorker,
  rest,
  runHost,
  runWorker,
  settings,
} from './world.ts';

/** What a world went through; for the test that all of it does happen. */
export interface Story {
  readonly ends: Readonly<Record<string, number>>;
  readonly stale: number;
  readonly steps: number;
}

const stormSteps = 350;
const mostCalmSteps = 6000;

/**
 * One world: some time with faults of all kinds, then none until everything has ended.
 * @param database empty
 * @throws when a rule was broken
 */
export async function simulate(database: Database, seed: number): Promise<Story> {
  const random = createRandom(seed);
  const world = createWorld(database, random);
  const disk: HostDisk = { planned: planTasks(random), waiting: new Map(), recorded: new Map() };
  const machines = ['w1', 'w2', 'w3', 'w4'].map((id, index): WorkerMachine => ({
    id,
    labels: index % 2 === 0 ? { zone: 'eu' } : { zone: 'eu', gpu: 'yes' },
    slots: random.between(1, 4),
    commands: new Map(),
    clockOffset: 0,
  }));
  const total = disk.planned.length;
  startAll(world, disk, machines);
  const faults = { lostRequest: 0.03, lostAnswer: 0.05 };
  world.deadly = 0.01;
  let steps = 0;
  for (; steps < stormSteps; steps += 1) {
    world.clock.advance(random.between(0, 200));
    if (happens(random, 0.05)) strike(world, disk, machines);
    await world.deliverLate();
    await world.scheduler.step(faults);
  }
  world.deadly = 0;
  world.isCalm = true;
  startAll(world, disk, machines);
  for (; disk.recorded.size < total; steps += 1) {
    if (steps > mostCalmSteps)
      throw new Error(`still open: ${[...disk.waiting.keys()].join(', ')}, planned ${disk.planned.length}`);
    world.clock.advance(random.between(0, 200));
    await world.scheduler.step({ lostRequest: 0, lostAnswer: 0 });
  }
  const { staleRefused } = await world.store.facts();
  world.oracle.checkCounts(staleRefused);
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
    place: '/logs',
  }));

function startAll(world: World, disk: HostDisk, machines: readonly WorkerMachine[]): void {
  world.scheduler.start('host', runHost(world, disk));
  for (const id of ['c1', 'c2']) startCoordinator(world, id);
  for (const machine of machines)
    if (!world.scheduler.isThere(machine.id)) world.scheduler.start(machine.id, runWorker(world, machine));
}

function startCoordinator(world: World, id: string): void {
  world.coordinators.add(id);
  world.scheduler.start(id, runCoordinator(world, id));
}

function* runCoordinator(world: World, id: string): Actor {
  const beating = { id, url: `https://${id}`, version: '1', host: id, pid: 1, workers: 0 };
  for (;;) {
    try {
      yield* ask(() =>
        world.watch('beatCoordinator', async () => {
          await world.store.beatCoordinator(beating);
          world.oracle.noteCoordinator(id);
        }),
      );
      yield* ask(() => world.watch('reap', () => world.store.reap()));
      yield* rest();
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown;
    }
  }
}

/** Something breaks, or comes back. */
function strike(world: World, disk: HostDisk, machines: readonly WorkerMachine[]): void {
  const { random, scheduler, coordinators } = world;
  const machine = random.pick(machines);
  const id = random.pick(['c1', 'c2']);
  switch (random.between(1, 8)) {
    case 1:
      if (scheduler.isThere(machine.id)) killWorker(world, machine);
      else scheduler.start(machine.id, runWorker(world, machine));
      return;
    case 2:
      killWorker(world, machine);
      scheduler.start(machine.id, runWorker(world, machine));
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
      scheduler.start('host', runHost(world, disk));
      return;
    default:
      if (!coordinators.has(id)) startCoordinator(world, id);
      else {
        coordinators.delete(id);
        scheduler.end(id);
      }
  }
}
