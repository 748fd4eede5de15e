import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { timings } from '../../base/timings.ts';
import type { HostRecord, RunRecord, RunRef } from '../../model/run.ts';
import {
  maxMoved,
  priorities,
  type StoredWait,
  type QueueItem,
  type QueueRecord,
  type QueueState,
} from '../../model/queue.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { ItemPage, QueueStore } from '../../store/types/queues.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import type { HostMonitor } from '../hosts.ts';
import type { EventHub } from '../event-hub.ts';
import type { ActiveRuns } from '../active-runs.ts';
import type { PreparedRun, RunService, StartRunOptions } from '../run-service.ts';

/** Options of a run to add to a queue. */
export interface EnqueueOptions extends StartRunOptions {
  /** Overrides the workflow's queue, whose default is the run's name. */
  readonly queue?: string;
  /** Higher priorities start first; default: 0, as in `priorities`. */
  readonly priority?: number;
}

/** A queue and its limit. */
export interface QueueOverview {
  readonly queue: QueueRecord;
  /** Most active runs; absent for no limit, and while no waiting run defines one. */
  readonly limit?: number;
  /** Whether the limit comes from the configuration. */
  readonly isGlobal: boolean;
}

/** Most runs removed in one transaction. */
const clearedAtOnce = 100;

const idleQueue = (name: string): QueueRecord => ({ name, state: 'open', running: 0, waiting: 0 });

interface QueuesOptions {
  readonly store: RunStore & { readonly queues: QueueStore };
  readonly service: RunService;
  readonly active: Pick<ActiveRuns, 'create'>;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly limits: QueueLimits;
  readonly watch: HostMonitor;
  /** Call this when a run may have become startable without an event. */
  readonly onOpened: () => void;
}

/** Operations on queues for users and programs. A `Dispatcher`, in this process or another, starts the waiting runs. */
export class Queues {
  readonly #options: QueuesOptions;

  constructor(options: QueuesOptions) {
    this.#options = options;
  }

  /**
   * Creates a run that waits in its queue, with the current workflow and parameters.
   * @throws `invalid_spec`, `bad_request`, `already_exists`, `still_running` (singleton), `queue_closed` and
   * `no_worker`
   */
  async enqueue(options: EnqueueOptions): Promise<RunRef> {
    const { service, limits } = this.#options;
    if (!limits.isEnabled) {
      throw new AppError(
        'queue_closed',
        'Queues are disabled in the configuration. Set queues.enabled to true, or start the run directly.',
      );
    }
    const priority = requireValidPriority(options.priority ?? 0);
    const prepared = await service.prepare(options);
    await service.requireWorkers(prepared.workflow);
    return this.#add(prepared, { ...options, priority });
  }

  async #add(
    { run, workflow }: PreparedRun,
    {
      queue: requestedQueue,
      priority,
      maxActiveRuns = workflow.maxActiveRuns,
    }: Pick<EnqueueOptions, 'queue' | 'maxActiveRuns'> & { readonly priority: number },
  ): Promise<RunRef> {
    const { active, limits, hub } = this.#options;
    const queue = requireValidQueue(requestedQueue ?? workflow.queue ?? run.name);
    const { name, dagRunId } = await active.create({
      ...run,
      queue,
      maxActiveRuns: -1,
      waiting: {
        priority,
        maxActiveRuns,
        queueLimit: limits.getLimit(queue),
      },
    });
    hub.pump();
    return { name, dagRunId };
  }

  /**
   * Ends a waiting run as aborted.
   * @throws `not_found` or `not_queued`
   */
  async dequeue(run: RunRef, by: string): Promise<void> {
    await this.#options.store.queues.dequeue(run, by, this.#options.clock.now());
    this.#options.hub.pump();
  }

  /**
   * Does the same for the run that has waited longest.
   * @throws `not_found` when none waits
   */
  async dequeueOldest(queue: string, by: string): Promise<RunRef> {
    const { store, clock, hub } = this.#options;
    const run = await store.queues.dequeueOldest(queue, by, clock.now());
    if (run === undefined) throw new AppError('not_found', `Queue ${queue} is empty.`);
    hub.pump();
    return run;
  }

  /**
   * Removes all runs that wait in a queue now, in batches, one per event-loop tick. Resolves with their number. Runs
   * that are added meanwhile may be removed too.
   */
  async clear(queue: string, by: string): Promise<number> {
    const { store, clock, hub } = this.#options;
    let dequeued = 0;
    for (;;) {
      const count = await store.queues.clearQueue(queue, by, { at: clock.now(), max: clearedAtOnce });
      hub.pump();
      dequeued += count;
      if (count < clearedAtOnce) return dequeued;
      await new Promise<void>((resolve) => clock.soon(resolve));
    }
  }

  /**
   * Moves a waiting run to a 1-based position.
   * @throws `not_queued`
   */
  async move(queue: string, run: RunRef, position: number): Promise<QueueItem | undefined> {
    const { queues } = this.#options.store;
    await queues.moveItem({ queue, run, position });
    const items = await queues.listQueueItems(queue, { limit: maxMoved + 100 });
    return items.find(({ run: { name, dagRunId } }) => name === run.name && dagRunId === run.dagRunId);
  }

  /** Pauses, drains or reopens a queue. Active runs continue. */
  async setState(queue: string, state: QueueState, by: string): Promise<QueueOverview> {
    const { store, clock, onOpened } = this.#options;
    const name = requireValidQueue(queue);
    await store.queues.setQueueState(name, state, by, clock.now());
    if (state !== 'paused') onOpened();
    return this.#toOverview((await store.queues.findQueue(name)) ?? idleQueue(name));
  }

  /** Applies a new limit of the configuration to a queue on this host; undefined removes it. */
  async setLimit(queue: string, limit: number | undefined): Promise<QueueOverview> {
    const { store, limits, onOpened } = this.#options;
    limits.set(queue, limit);
    onOpened();
    return this.#toOverview((await store.queues.findQueue(queue)) ?? idleQueue(queue));
  }

  /** Lists the queues of the configuration, and all others that are in use or not open, by name. */
  async list(): Promise<QueueOverview[]> {
    const { store, limits } = this.#options;
    const queues = await store.queues.listQueues();
    const stored = new Map(queues.map((queue) => [queue.name, queue]));
    const names = new Set([...limits.names, ...stored.keys()]);
    return [...names].toSorted().map((name) => this.#toOverview(stored.get(name) ?? idleQueue(name)));
  }

  /** Lists the waiting runs of a queue, in the order in which they start. */
  items(queue: string, page: ItemPage): Promise<QueueItem[]> {
    return this.#options.store.queues.listQueueItems(queue, page);
  }

  /** Lists the active runs of a queue, oldest first. */
  activeRuns(queue: string, limit: number): Promise<RunRecord[]> {
    return this.#options.store.queues.listQueueRuns(queue, limit);
  }

  #toOverview(queue: QueueRecord): QueueOverview {
    const configuredLimit = this.#options.limits.getLimit(queue.name);
    const limit = configuredLimit ?? queue.headLimit;
    return { queue, isGlobal: configuredLimit !== undefined, ...(limit === undefined ? {} : { limit }) };
  }

  /** Returns why a queued run waits now, and the stored reason; undefined for any other run. */
  async explain(run: Pick<RunRecord, 'key' | 'status'>): Promise<StoredWait | undefined> {
    if (run.status !== 'queued') return undefined;
    const { store, limits } = this.#options;
    const wait = await store.queues.findWait(run.key, (queue) => limits.getLimit(queue));
    if (wait === undefined || wait.kind === 'paused' || wait.kind === 'starting') return wait;
    if (!limits.isEnabled) return { ...wait, kind: 'off', behind: [] };
    return (await this.isProcessed()) ? wait : { ...wait, kind: 'no_host', behind: [] };
  }

  /** Whether a live host processes queues. */
  async isProcessed(): Promise<boolean> {
    const hosts = await this.#options.store.queues.listQueueHosts();
    return hosts.some((host) => this.#isAlive(host));
  }

  /**
   * Whether a host is alive. A host that this process has not watched for long is judged by the time of its last
   * heartbeat.
   */
  #isAlive(host: HostRecord): boolean {
    const { watch, clock } = this.#options;
    return watch.findExpiry(host) === undefined && clock.now() - host.beatAt < 2 * timings.hostLease;
  }
}

const maxNameLength = 255;

export function requireValidQueue(name: string): string {
  if (name.trim() === name && name !== '' && name.length <= maxNameLength && !/\p{Cc}/u.test(name))
    return name;
  throw new AppError(
    'bad_request',
    `Invalid queue name "${name.slice(0, 60)}". Use 1 to ${maxNameLength} characters without leading or trailing spaces.`,
  );
}

function requireValidPriority(priority: number): number {
  if (Number.isInteger(priority) && priority >= priorities.min && priority <= priorities.max) return priority;
  throw new AppError(
    'bad_request',
    `Invalid priority ${priority}. Use a whole number from ${priorities.min} to ${priorities.max}.`,
  );
}

/** The queue limits of the configuration. */
export class QueueLimits {
  /** Whether queues are enabled. */
  readonly isEnabled: boolean;
  readonly #limits: Map<string, number>;

  constructor({ enabled, config }: EngineConfig['queues']) {
    this.isEnabled = enabled;
    this.#limits = new Map((config ?? []).map(({ name, maxConcurrency }) => [name, maxConcurrency]));
  }

  /** Returns the most active runs of a queue; undefined when the limits of its workflows apply. */
  getLimit(queue: string): number | undefined {
    return this.#limits.get(queue);
  }

  /** Changes the limit of a queue; undefined removes it. */
  set(queue: string, limit: number | undefined): void {
    if (limit === undefined) this.#limits.delete(queue);
    else this.#limits.set(queue, limit);
  }

  /** Queues with a limit of their own, in the order of the configuration. */
  get names(): readonly string[] {
    return [...this.#limits.keys()];
  }
}
