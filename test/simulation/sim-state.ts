import type {
  DispatchStore,
  Labels,
  NewTask,
  CompletionOutcome,
  TaskLease,
  TaskState,
  WorkerLease,
} from '../../core/store/types/dispatch.ts';
import { createSqliteDispatch } from '../../core/distributed/store/sqlite-dispatch.ts';
import type { DispatchSettings } from '../../core/distributed/store/rows.ts';
import type { Database } from '../../core/store/database/database.ts';
import type { Random } from '../faults/rig/kill.ts';
import { FakeClock } from '../harness/fakes.ts';
import { type Operation, Oracle } from './oracle.ts';
import { type Actor, type Call, ask, NoResponse, occurs, rest, Scheduler } from './scheduler.ts';

export const settings: DispatchSettings = { leaseMs: 6000, activationMs: 2000 };

/** The complete state of one simulated installation. */
export interface SimState {
  readonly random: Random;
  readonly clock: FakeClock;
  readonly store: DispatchStore;
  readonly scheduler: Scheduler;
  readonly oracle: Oracle;
  /** Coordinators that respond. */
  readonly coordinators: Set<string>;
  /** Faults and interventions have stopped: everything open must end by itself. */
  isCalm: boolean;
  /** Probability that a coordinator dies between an operation and its response. */
  deadly: number;
  /** Direct calls to the store, as hosts make them. */
  watch<Value>(operation: Operation, act: () => Promise<Value>): Promise<Value>;
  /** Calls of workers through a coordinator. Some are delivered again, much later. */
  viaCoordinator<Value>(operation: Operation, act: () => Promise<Value>): Promise<Value>;
  /** Messages delivered some time later. */
  sendLate(operation: Operation, act: () => Promise<unknown>): void;
  /** Delivers delayed requests. */
  deliverLate(): Promise<void>;
}

/** @param database empty; used by this world only */
export function createSimState(database: Database, random: Random): SimState {
  const clock = new FakeClock();
  const store = createSqliteDispatch(database, clock, settings);
  const oracle = new Oracle(database, clock, settings.leaseMs);
  const scheduler = new Scheduler(random, clock);
  const coordinators = new Set<string>();
  const late: { readonly at: number; readonly run: () => Promise<unknown> }[] = [];
  const sim: SimState = {
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
      if (coordinators.size === 0) throw new NoResponse();
      const value = await oracle.watch(operation, act);
      if (occurs(random, 0.03)) sim.sendLate(operation, act);
      if (occurs(random, sim.deadly)) {
        const dead = random.pick([...coordinators]);
        coordinators.delete(dead);
        scheduler.end(dead);
        throw new NoResponse();
      }
      return value;
    },
    sendLate: (operation, act) => {
      const max = random.pick([settings.activationMs, 2 * settings.leaseMs]);
      late.push({
        at: clock.monotonic() + random.between(0, max),
        run: () => oracle.watch(operation, act),
      });
    },
    deliverLate: async () => {
      const due = late.findIndex(({ at }) => at <= clock.monotonic());
      if (due >= 0) await late.splice(due, 1)[0]!.run();
    },
  };
  return sim;
}

/** Persistent state of a host. */
export interface HostDisk {
  /** Tasks it will offer. */
  readonly planned: NewTask[];
  /** Tasks whose end is not recorded yet. */
  readonly waiting: Map<string, NewTask>;
  /** Results by task. */
  readonly recorded: Map<string, TaskState>;
}

/** A process of a host, which offers tasks and waits for their ends. */
export function* runHost(sim: SimState, disk: HostDisk): Actor {
  // After a restart it is unknown whether they have arrived.
  let unsure = [...disk.waiting.values()];
  for (;;) {
    try {
      const next = disk.planned.splice(0, sim.random.between(0, 1));
      for (const task of next) disk.waiting.set(task.key, task);
      unsure = [...unsure.filter(({ key }) => disk.waiting.has(key)), ...next];
      if (unsure.length > 0) {
        const offered = unsure;
        yield* ask(() => sim.watch('offer', () => sim.store.offer(offered)));
        unsure = [];
      }
      yield* interfere(sim, disk);
      yield* record(sim, disk);
      yield* rest();
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
    }
  }
}

/** A user stops or cancels something now and then. */
function* interfere({ random, watch, store, isCalm }: SimState, disk: HostDisk): Actor {
  if (isCalm || disk.waiting.size === 0 || !occurs(random, 0.1)) return;
  const key = random.pick([...disk.waiting.keys()]);
  if (occurs(random, 0.3)) yield* ask(() => watch('abandon', () => store.abandon([key], 'Given up.')));
  else {
    const how = random.pick(['stop', 'kill'] as const);
    yield* ask(() => watch('cancel', () => store.cancel([key], how)));
  }
}

/** Records finished tasks, then has them forgotten; repeated without a response. */
function* record({ watch, store, oracle }: SimState, disk: HostDisk): Actor {
  const keys = [...disk.waiting.keys()];
  const changed = yield* ask(() => watch('look', () => store.findChanged(keys)));
  const ended = changed.filter(({ endedAt }) => endedAt !== undefined);
  for (const { key, state, result } of ended) {
    if (disk.recorded.has(key)) throw new Error(`${key} has ended twice`);
    oracle.checkEnd(key, state, result);
    disk.recorded.set(key, state);
    disk.waiting.delete(key);
  }
  if (disk.recorded.size > 0)
    yield* ask(() => watch('forget', () => store.forget([...disk.recorded.keys()])));
}

const beatMs = 1000;

/** A command that is running or has ended on a worker's machine. */
interface Command {
  readonly fence: number;
  readonly result: string;
  /** When it ends, by the world's clock. */
  endsAt: number;
}

/** State that outlives a worker's process. */
export interface WorkerMachine {
  readonly id: string;
  readonly labels: Labels;
  readonly slots: number;
  readonly commands: Map<string, Command>;
  /** Offset of its clock, milliseconds. */
  clockOffset: number;
}

/** The worker's process is killed, with some of its commands. */
export function killWorker({ random, scheduler }: SimState, { id, commands }: WorkerMachine): void {
  scheduler.end(id);
  for (const key of [...commands.keys()]) if (occurs(random, 0.5)) commands.delete(key);
}

/** A process of a worker: registers, and runs tasks until it is unknown. */
export function* runWorker(sim: SimState, machine: WorkerMachine): Actor {
  for (;;) {
    const lease = yield* retryUntilAnswered(() => registerAgain(sim, machine));
    for (const key of lease.lost) machine.commands.delete(key);
    let beatAt = -Infinity;
    for (let isKnown = true; isKnown;) {
      try {
        const now = sim.clock.monotonic() + machine.clockOffset;
        const isDue = now - beatAt >= beatMs || now < beatAt;
        // Background operations run first or last, at random.
        if (isDue && occurs(sim.random, 0.5)) {
          isKnown = yield* beat(sim, machine, lease);
          beatAt = now;
        } else yield* work(sim, machine, lease);
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
      }
    }
  }
}

/** Repeats a request until there is a response. */
function* retryUntilAnswered<Value>(run: () => Promise<Value>): Generator<Call, Value, unknown> {
  for (;;) {
    try {
      return yield* ask(run);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
    }
  }
}

const holdsOf = ({ commands }: WorkerMachine): TaskLease[] =>
  [...commands].map(([key, { fence }]) => ({ key, fence }));

async function registerAgain(sim: SimState, machine: WorkerMachine): Promise<WorkerLease> {
  const { id, labels, slots } = machine;
  const hello = { id, labels, slots, version: '1', host: id, pid: 1, keeps: holdsOf(machine) };
  return sim.viaCoordinator('register', async () => {
    const lease = await sim.store.register(hello);
    sim.oracle.recordLife(lease);
    return lease;
  });
}

/** Whether the worker is known. */
function* beat(sim: SimState, machine: WorkerMachine, lease: WorkerLease): Generator<Call, boolean, unknown> {
  const running = holdsOf(machine);
  const answer = yield* ask(() =>
    sim.viaCoordinator('beat', async () => {
      const [first] = await sim.store.beat([{ ...lease, running }]);
      if (!first!.isUnknown) sim.oracle.recordLease(lease);
      return first!;
    }),
  );
  for (const key of answer.lost) machine.commands.delete(key);
  for (const { key } of answer.cancel) {
    const command = machine.commands.get(key);
    if (command !== undefined) command.endsAt = Math.min(command.endsAt, sim.clock.monotonic() + 300);
  }
  return !answer.isUnknown;
}

function* work(sim: SimState, machine: WorkerMachine, lease: WorkerLease): Actor {
  const over = [...machine.commands].filter(([, { endsAt }]) => endsAt <= sim.clock.monotonic());
  if (over.length > 0) yield* settle(sim, machine, lease, over);
  else if (machine.commands.size < machine.slots) yield* take(sim, machine, lease);
  else yield* rest();
}

function* settle(
  sim: SimState,
  machine: WorkerMachine,
  lease: WorkerLease,
  over: readonly (readonly [string, Command])[],
): Actor {
  const results = over.map(([key, { fence, result }]) => ({ ...lease, key, fence, result }));
  // Some clients resend requests automatically.
  const isDouble = occurs(sim.random, 0.1);
  const settleOnce = (): Promise<CompletionOutcome[]> =>
    sim.viaCoordinator('settle', async () => {
      const outcomes = await sim.store.settle(results);
      sim.oracle.recordOutcomes(outcomes);
      return outcomes;
    });
  const outcomes = yield* ask(async () => {
    if (isDouble) await settleOnce();
    return settleOnce();
  });
  for (const [index, [key]] of over.entries())
    if (outcomes[index] !== undefined) machine.commands.delete(key);
}

/** Claims, confirms and starts. */
function* take(sim: SimState, machine: WorkerMachine, lease: WorkerLease): Actor {
  const { id, slots, commands } = machine;
  const free = slots - commands.size;
  const claimed = yield* ask(() => sim.viaCoordinator('claim', () => sim.store.claim([{ ...lease, free }])));
  const tasks = claimed.get(id) ?? [];
  if (tasks.length > free) throw new Error(`${id} got ${tasks.length} tasks for ${free} slots`);
  if (tasks.length === 0) return;
  // A coordinator that considers its response undelivered returns the tasks, whether the worker got them or
  // not.
  if (occurs(sim.random, 0.1)) sim.sendLate('release', () => sim.store.release(tasks));
  if (occurs(sim.random, 0.05)) return;
  const confirmed = yield* retryUntilAnswered(() =>
    sim.viaCoordinator('begin', () => sim.store.begin(lease, tasks)),
  );
  for (const { key, fence } of tasks) {
    if (!confirmed.includes(key)) continue;
    const by = `${id}.${lease.epoch}.${fence}`;
    sim.oracle.recordStart(key, by);
    const endsAt = sim.clock.monotonic() + sim.random.between(0, 8000);
    commands.set(key, { fence, result: `${key} by ${by}`, endsAt });
  }
}
