import type { DispatchStore } from '../../core/distributed/ports.ts';
import { createSqliteDispatch } from '../../core/distributed/store/sqlite/open-sqlite-dispatch.ts';
import type { DispatchSettings } from '../../core/distributed/store/settings.ts';
import type { Database } from '../../core/store/database/database.ts';
import type { Random } from '../faults/rig/random.ts';
import { FakeClock } from '../rig/fake-clock.ts';
import { Oracle, type Operation } from './oracle.ts';
import { happens, Scheduler, Unanswered } from './scheduler.ts';

export const settings: DispatchSettings = { leaseMs: 6000, activationMs: 2000 };

/** Everything of one simulated installation. */
export interface World {
  readonly random: Random;
  readonly clock: FakeClock;
  readonly store: DispatchStore;
  readonly scheduler: Scheduler;
  readonly oracle: Oracle;
  /** Coordinators that answer. */
  readonly coordinators: Set<string>;
  /** Nothing breaks any more, and nobody interferes: what is open has to end by itself. */
  isCalm: boolean;
  /** Chance, of 1, that a coordinator dies between what it does and its answer. */
  deadly: number;
  /** What may be asked of the store itself, as hosts do. */
  watch<Value>(operation: Operation, act: () => Promise<Value>): Promise<Value>;
  /** What workers ask of it through some coordinator. Some of it arrives a second time, much later. */
  viaCoordinator<Value>(operation: Operation, act: () => Promise<Value>): Promise<Value>;
  /** What arrives some time later. */
  sendLate(operation: Operation, act: () => Promise<unknown>): void;
  /** Has requests arrive that were held up on their way. */
  deliverLate(): Promise<void>;
}

/** @param database empty; the world is the only one that uses it */
export function createWorld(database: Database, random: Random): World {
  const clock = new FakeClock();
  const store = createSqliteDispatch(database, clock, settings);
  const oracle = new Oracle(database, clock, settings.leaseMs);
  const scheduler = new Scheduler(random, clock);
  const coordinators = new Set<string>();
  const late: { readonly at: number; readonly run: () => Promise<unknown> }[] = [];
  const world: World = {
    random,
    clock,
    store,
    oracle,
    scheduler,
    coordinators,
    isCalm: false,
    deadly: 0,
    watch: (operation, act) => oracle.watch(operation, act),
    viaCoordinator: async (operation, act) => {
      if (coordinators.size === 0) throw new Unanswered();
      const value = await oracle.watch(operation, act);
      if (happens(random, 0.03)) world.sendLate(operation, act);
      if (happens(random, world.deadly)) {
        const dead = random.pick([...coordinators]);
        coordinators.delete(dead);
        scheduler.end(dead);
        throw new Unanswered();
      }
      return value;
    },
    sendLate: (operation, act) => {
      const most = random.pick([settings.activationMs, 2 * settings.leaseMs]);
      late.push({
        at: clock.monotonic() + random.between(0, most),
        run: () => oracle.watch(operation, act),
      });
    },
    deliverLate: async () => {
      const due = late.findIndex(({ at }) => at <= clock.monotonic());
      if (due >= 0) await late.splice(due, 1)[0]!.run();
    },
  };
  return world;
}
