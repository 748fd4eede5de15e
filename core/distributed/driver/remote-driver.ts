import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { WorkerSelector } from '../../model/workflow/worker-selector.ts';
import type { RemoteAttempt, RemoteRunning, RemoteSteps, RemoteWorker } from '../../run/remote/ports.ts';
import { describeMissingWorker, type Workers } from '../../run/workers.ts';
import type { TaskFiles } from '../files-port.ts';
import type { DispatchStore, NewTask, TaskRecord } from '../ports.ts';
import { dispatchDefaults } from '../store/settings.ts';
import { isSetUp } from './is-set-up.ts';
import { Wait } from './wait.ts';
import { describeAll, selectorKey } from './waiting-reasons.ts';

type LogFiles = Pick<TaskFiles, 'mirrorLogs' | 'sealLogs'>;

/** Dependencies of the driver. Both are opened by the first remote attempt. */
export interface RemoteDriverDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  tasks(): Promise<DispatchStore>;
  files(): Promise<LogFiles>;
  /** Worker lease in milliseconds. Default: the lease of the store. */
  readonly leaseMs?: number;
}

/** Polling interval for task states in milliseconds; wake-ups trigger earlier polls. */
const pollIntervalMs = 1000;
/** Waiting time before the reason is reported, and minimum interval between reports, in milliseconds. */
const timeoutMs = 1000;
const reasonMs = 5000;
/** Number of polls between two polls of all tasks, instead of changed ones only. */
const looksPerCensus = 30;
/** Maximum number of tasks per query or offer. */
const maxConcurrent = 500;
/** Maximum number of ended tasks of a run to delete at once. */
const maxLeft = 1000;

const hasEnded = ({ state }: TaskRecord): boolean =>
  state === 'settled' || state === 'lost' || state === 'cancelled';

/** Runs the remote attempts of all runs of this host: offers them, tracks them, and returns their results. */
export class RemoteDriver implements RemoteSteps, Workers {
  readonly #deps: RemoteDriverDeps;
  readonly #waits = new Map<string, Wait>();
  readonly #hosts = new Map<string, string>();
  #store: Promise<DispatchStore> | undefined;
  #stopListening: (() => void) | undefined;
  #disposeLook: Dispose | undefined;
  #isLooking = false;
  #isDue = false;
  /** A poll was requested during the current one. */
  #isWanted = false;
  #isSetUp = false;
  #isClosed = false;
  #looks = 0;
  #explainedAt = -Infinity;
  #hasFailed = false;

  constructor(deps: RemoteDriverDeps) {
    this.#deps = deps;
  }

  start(attempt: RemoteAttempt): RemoteRunning {
    const wait = new Wait(attempt, this.#deps.clock.monotonic());
    this.#waits.set(attempt.key, wait);
    this.#lookSoon();
    return {
      ended: this.#follow(wait),
      stop: () => this.#want(wait, 'stop'),
      kill: () => this.#want(wait, 'kill'),
    };
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.#try('Cannot delete finished tasks', async (store) => store.forget(keys));
  }

  async endRun(runKey: number): Promise<void> {
    await this.#try('Cannot cancel the remaining worker tasks of a run', async (store) => {
      const tasks = await store.listTasks({ runKey, limit: maxLeft });
      const open = tasks.filter((task) => !hasEnded(task)).map(({ key }) => key);
      if (open.length > 0) await store.cancel(open, 'kill');
      const ended = tasks.filter(hasEnded).map(({ key }) => key);
      if (ended.length > 0) await store.forget(ended);
    });
  }

  mirrorLogs(place: string): Promise<void> {
    return this.#withLogs(place, (files) => files.mirrorLogs(place));
  }

  async requireSetUp(selector: WorkerSelector): Promise<void> {
    if (await this.isSetUp()) return;
    throw new AppError('no_worker', describeMissingWorker(selector), {
      details: { workerSelector: { ...selector } },
    });
  }

  /** Whether a coordinator, worker or join token has ever existed. Rejects with `unavailable`. */
  async isSetUp(): Promise<boolean> {
    if (this.#isSetUp) return true;
    this.#isSetUp = await isSetUp(await this.#open());
    return this.#isSetUp;
  }

  /** Stops tracking. Tasks continue on their workers. */
  close(): void {
    this.#isClosed = true;
    this.#disposeLook?.();
    this.#stopListening?.();
    this.#waits.clear();
  }

  async #follow(wait: Wait) {
    const end = await wait.ended;
    this.#waits.delete(wait.attempt.key);
    if (end.unstarted === true) return end;
    const { place } = wait.attempt;
    await this.#withLogs(place, (files) => files.mirrorLogs(place, wait.told));
    // Not awaited, because unsealed parts are readable too.
    void this.#withLogs(place, (files) => files.sealLogs(place));
    return end;
  }

  async #withLogs(place: string, work: (files: LogFiles) => Promise<void>): Promise<void> {
    try {
      await work(await this.#deps.files());
    } catch (error) {
      this.#deps.logger.warn('Cannot fetch the logs of a worker', { place, message: messageOf(error) });
    }
  }

  #want(wait: Wait, how: 'stop' | 'kill'): void {
    if (wait.wanted?.how === 'kill' || wait.wanted?.how === how) return;
    wait.wanted = { how, since: wait.wanted?.since ?? this.#deps.clock.monotonic() };
    wait.isTold = false;
    this.#lookSoon();
  }

  /** Batches all requests of an event loop turn. */
  #lookSoon(): void {
    if (this.#isDue || this.#isClosed) return;
    this.#isDue = true;
    this.#deps.clock.soon(() => {
      this.#isDue = false;
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isWanted = true;
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    this.#isWanted = false;
    this.#disposeLook?.();
    try {
      const store = await this.#open();
      await this.#offer(store);
      await this.#notify(store);
      await this.#record(store, await this.#ask(store));
      await this.#abandon(store);
      await this.#explain(store);
      this.#hasFailed = false;
    } catch (error) {
      this.#recordProblem(error);
    } finally {
      this.#isLooking = false;
    }
    if (this.#waits.size === 0 || this.#isClosed) return;
    this.#disposeLook = this.#deps.clock.after(pollIntervalMs, () => void this.#look());
    if (this.#isWanted && !this.#hasFailed) this.#lookSoon();
  }

  async #offer(store: DispatchStore): Promise<void> {
    const all = [...this.#waits.values()];
    // A cancelled task that this host did not offer may have been offered by an earlier host.
    const fresh = all.filter(({ isOffered, wanted }) => !isOffered && wanted === undefined);
    for (const part of inParts(fresh)) {
      await store.offer(part.map(({ attempt }) => toTask(attempt)));
      for (const wait of part) wait.isOffered = true;
      await this.#takeCensus(store, part);
    }
    const unwanted = all.filter(({ isOffered, wanted }) => !isOffered && wanted !== undefined);
    for (const part of inParts(unwanted)) {
      const known = new Set((await store.find(part.map(keyOf))).map(({ key }) => key));
      for (const wait of part) {
        if (known.has(keyOf(wait))) wait.isOffered = true;
        else wait.withdraw();
      }
    }
  }

  async #notify(store: DispatchStore): Promise<void> {
    const unreported = [...this.#waits.values()].filter(({ isOffered, isTold }) => isOffered && !isTold);
    for (const how of ['stop', 'kill'] as const) {
      const some = unreported.filter(({ wanted }) => wanted?.how === how);
      for (const part of inParts(some)) {
        for (const wait of part) wait.isTold = true;
        try {
          await store.cancel(part.map(keyOf), how);
        } catch (error) {
          for (const wait of part) wait.isTold = false;
          throw error;
        }
      }
    }
  }

  async #ask(store: DispatchStore): Promise<TaskRecord[]> {
    const offered = [...this.#waits.values()].filter(({ isOffered }) => isOffered);
    this.#looks += 1;
    if (this.#looks % looksPerCensus === 0)
      for (const part of inParts(offered)) await this.#takeCensus(store, part);
    const records: TaskRecord[] = [];
    for (const part of inParts(offered)) records.push(...(await store.findChanged(part.map(keyOf))));
    return records;
  }

  /** Updates every waiting attempt, including those without a task. */
  async #takeCensus(store: DispatchStore, waits: readonly Wait[]): Promise<void> {
    const records = await store.find(waits.map(keyOf));
    const known = new Set(records.map(({ key }) => key));
    await this.#record(store, records);
    for (const wait of waits) if (!known.has(keyOf(wait))) wait.vanish();
  }

  async #record(store: DispatchStore, records: readonly TaskRecord[]): Promise<void> {
    for (const record of records) {
      const wait = this.#waits.get(record.key);
      if (wait === undefined) continue;
      if (record.begunAt !== undefined && record.worker !== undefined && wait.worker === undefined)
        wait.begin(await this.#describe(store, record.worker));
      if (hasEnded(record)) wait.endAs(record);
    }
  }

  async #describe(store: DispatchStore, { id }: { readonly id: string }): Promise<RemoteWorker> {
    if (!this.#hosts.has(id))
      for (const worker of await store.listWorkers()) this.#hosts.set(worker.id, worker.host);
    return { id, host: this.#hosts.get(id) ?? id };
  }

  /** Reclaims a cancelled task after one lease if its worker is unreachable. */
  async #abandon(store: DispatchStore): Promise<void> {
    const { clock, leaseMs = dispatchDefaults.leaseMs } = this.#deps;
    const due = clock.monotonic() - leaseMs;
    const late = [...this.#waits.values()].filter(
      ({ worker, wanted }) => worker !== undefined && (wanted?.since ?? Infinity) <= due,
    );
    if (late.length === 0) return;
    const living = (await store.listWorkers()).filter(({ state }) => state !== 'gone');
    const ids = new Set(living.map(({ id }) => id));
    for (const wait of late) {
      const id = wait.worker!.id;
      if (!ids.has(id)) await store.abandon([keyOf(wait)], `worker ${id} is unreachable`);
    }
  }

  async #explain(store: DispatchStore): Promise<void> {
    const now = this.#deps.clock.monotonic();
    const waiting = [...this.#waits.values()].filter(
      ({ worker, since, wanted }) => worker === undefined && wanted === undefined && since <= now - timeoutMs,
    );
    const isNew = waiting.some(({ since }) => since > this.#explainedAt - timeoutMs);
    if (waiting.length === 0 || (!isNew && now - this.#explainedAt < reasonMs)) return;
    this.#explainedAt = now;
    const reasons = await describeAll(
      store,
      waiting.map(({ attempt }) => attempt.selector),
    );
    for (const wait of waiting) wait.explain(reasons.get(selectorKey(wait.attempt.selector)) ?? '');
  }

  #open(): Promise<DispatchStore> {
    this.#store ??= this.#deps.tasks().then(
      (store) => {
        this.#stopListening = store.onWake((kind) => {
          if (kind === 'changed' && this.#waits.size > 0) this.#lookSoon();
        });
        return store;
      },
      (error: unknown) => {
        this.#store = undefined;
        throw error;
      },
    );
    return this.#store;
  }

  /** Logs an error once; the next poll retries. */
  #recordProblem(error: unknown): void {
    const message = messageOf(error);
    if (!this.#hasFailed) this.#deps.logger.error('Cannot monitor steps on workers', { message });
    this.#hasFailed = true;
    for (const wait of this.#waits.values()) wait.explain(`the worker tasks are not accessible: ${message}`);
  }

  async #try(words: string, work: (store: DispatchStore) => Promise<void>): Promise<void> {
    try {
      await work(await this.#open());
    } catch (error) {
      this.#deps.logger.warn(words, { message: messageOf(error) });
    }
  }
}

const keyOf = ({ attempt }: Wait): string => attempt.key;

const toTask = ({ task, key, runKey, runEpoch, run, selector, place }: RemoteAttempt): NewTask => ({
  key,
  runKey,
  runEpoch,
  run,
  step: task.node.name,
  selector,
  priority: 0,
  payload: JSON.stringify(task),
  place,
});

function* inParts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += maxConcurrent) yield items.slice(at, at + maxConcurrent);
}
