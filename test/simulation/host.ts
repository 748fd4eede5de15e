import type { NewTask, TaskState } from '../../core/distributed/ports.ts';
import { ask, happens, rest, Unanswered, type Actor } from './scheduler.ts';
import type { World } from './world.ts';

/** What a host has on disk. */
export interface HostDisk {
  /** Tasks it will offer. */
  readonly planned: NewTask[];
  /** Whose end is not recorded yet. */
  readonly waiting: Map<string, NewTask>;
  /** How each has ended. */
  readonly recorded: Map<string, TaskState>;
}

/** A process of a host, which offers tasks and waits for their ends. */
export function* runHost(world: World, disk: HostDisk): Actor {
  // Whether they have arrived is not known after a restart.
  let unsure = [...disk.waiting.values()];
  for (;;) {
    try {
      const next = disk.planned.splice(0, world.random.between(0, 1));
      for (const task of next) disk.waiting.set(task.key, task);
      unsure = [...unsure.filter(({ key }) => disk.waiting.has(key)), ...next];
      if (unsure.length > 0) {
        const offered = unsure;
        yield* ask(() => world.watch('offer', () => world.store.offer(offered)));
        unsure = [];
      }
      yield* interfere(world, disk);
      yield* record(world, disk);
      yield* rest();
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown;
    }
  }
}

/** A person stops or gives up something now and then. */
function* interfere({ random, watch, store, isCalm }: World, disk: HostDisk): Actor {
  if (isCalm || disk.waiting.size === 0 || !happens(random, 0.1)) return;
  const key = random.pick([...disk.waiting.keys()]);
  if (happens(random, 0.3)) yield* ask(() => watch('abandon', () => store.abandon([key], 'Given up.')));
  else {
    const how = random.pick(['stop', 'kill'] as const);
    yield* ask(() => watch('cancel', () => store.cancel([key], how)));
  }
}

/** Records what has ended, then has it forgotten; done again when there was no answer. */
function* record({ watch, store, oracle }: World, disk: HostDisk): Actor {
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
