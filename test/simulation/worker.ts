import type { Labels, SettleOutcome, TaskHold, WorkerLease } from '../../core/distributed/ports.ts';
import { ask, happens, rest, Unanswered, type Actor, type Call } from './scheduler.ts';
import type { World } from './world.ts';

export const beatMs = 1000;

/** A command that runs on a worker's machine, or has ended there. */
interface Command {
  readonly fence: number;
  readonly result: string;
  /** When it ends, by the world's clock. */
  endsAt: number;
}

/** What outlives a worker's process. */
export interface WorkerMachine {
  readonly id: string;
  readonly labels: Labels;
  readonly slots: number;
  readonly commands: Map<string, Command>;
  /** How far its clock is off, milliseconds. */
  clockOffset: number;
}

/** The worker's process is killed; some of the commands go with it. */
export function killWorker({ random, scheduler }: World, { id, commands }: WorkerMachine): void {
  scheduler.end(id);
  for (const key of [...commands.keys()]) if (happens(random, 0.5)) commands.delete(key);
}

/** A process of a worker: registers, and does what it gets until it is unknown. */
export function* runWorker(world: World, machine: WorkerMachine): Actor {
  for (;;) {
    const lease = yield* insist(() => registerAgain(world, machine));
    for (const key of lease.lost) machine.commands.delete(key);
    let beatAt = -Infinity;
    for (let isKnown = true; isKnown;) {
      try {
        const now = world.clock.monotonic() + machine.clockOffset;
        const isDue = now - beatAt >= beatMs || now < beatAt;
        // What it does beside comes first or last, as it happens.
        if (isDue && happens(world.random, 0.5)) {
          isKnown = yield* beat(world, machine, lease);
          beatAt = now;
        } else yield* work(world, machine, lease);
      } catch (thrown) {
        if (!(thrown instanceof Unanswered)) throw thrown;
      }
    }
  }
}

/** Asks until there is an answer. */
function* insist<Value>(run: () => Promise<Value>): Generator<Call, Value, unknown> {
  for (;;) {
    try {
      return yield* ask(run);
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown;
    }
  }
}

const holdsOf = ({ commands }: WorkerMachine): TaskHold[] =>
  [...commands].map(([key, { fence }]) => ({ key, fence }));

async function registerAgain(world: World, machine: WorkerMachine): Promise<WorkerLease> {
  const { id, labels, slots } = machine;
  const hello = { id, labels, slots, version: '1', host: id, pid: 1, keeps: holdsOf(machine) };
  return world.viaCoordinator('register', async () => {
    const lease = await world.store.register(hello);
    world.oracle.noteLife(lease);
    return lease;
  });
}

/** Whether the worker is known. */
function* beat(world: World, machine: WorkerMachine, lease: WorkerLease): Generator<Call, boolean, unknown> {
  const running = holdsOf(machine);
  const answer = yield* ask(() =>
    world.viaCoordinator('beat', async () => {
      const [first] = await world.store.beat([{ ...lease, running }]);
      if (!first!.isUnknown) world.oracle.noteLease(lease);
      return first!;
    }),
  );
  for (const key of answer.lost) machine.commands.delete(key);
  for (const { key } of answer.cancel) {
    const command = machine.commands.get(key);
    if (command !== undefined) command.endsAt = Math.min(command.endsAt, world.clock.monotonic() + 300);
  }
  return !answer.isUnknown;
}

function* work(world: World, machine: WorkerMachine, lease: WorkerLease): Actor {
  const over = [...machine.commands].filter(([, { endsAt }]) => endsAt <= world.clock.monotonic());
  if (over.length > 0) yield* settle(world, machine, lease, over);
  else if (machine.commands.size < machine.slots) yield* take(world, machine, lease);
  else yield* rest();
}

function* settle(
  world: World,
  machine: WorkerMachine,
  lease: WorkerLease,
  over: readonly (readonly [string, Command])[],
): Actor {
  const results = over.map(([key, { fence, result }]) => ({ ...lease, key, fence, result }));
  // Some clients send a request a second time by themselves.
  const isDouble = happens(world.random, 0.1);
  const settleOnce = (): Promise<SettleOutcome[]> =>
    world.viaCoordinator('settle', async () => {
      const outcomes = await world.store.settle(results);
      world.oracle.noteOutcomes(outcomes);
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
function* take(world: World, machine: WorkerMachine, lease: WorkerLease): Actor {
  const { id, slots, commands } = machine;
  const free = slots - commands.size;
  const claimed = yield* ask(() =>
    world.viaCoordinator('claim', () => world.store.claim([{ ...lease, free }])),
  );
  const tasks = claimed.get(id) ?? [];
  if (tasks.length > free) throw new Error(`${id} got ${tasks.length} tasks for ${free} slots`);
  if (tasks.length === 0) return;
  // A coordinator that takes its answer for undelivered hands the tasks back, whether the worker got them or not.
  if (happens(world.random, 0.1)) world.sendLate('handBack', () => world.store.handBack(tasks));
  if (happens(world.random, 0.05)) return;
  const own = yield* insist(() => world.viaCoordinator('begin', () => world.store.begin(lease, tasks)));
  for (const { key, fence } of tasks) {
    if (!own.includes(key)) continue;
    const by = `${id}.${lease.epoch}.${fence}`;
    world.oracle.noteStart(key, by);
    const endsAt = world.clock.monotonic() + world.random.between(0, 8000);
    commands.set(key, { fence, result: `${key} by ${by}`, endsAt });
  }
}
