import { runActivity } from '../base/activity.ts';
import type { Dispose } from '../base/clock.ts';
import { AppError, toAppError } from '../base/errors.ts';
import { failPoint } from '../base/fail-point.ts';
import { Batcher } from '../base/turns.ts';
import { wait } from '../base/wait.ts';
import type { RunRecord, RunRef } from '../model/run.ts';
import type { NewRun } from '../store/types/runs.ts';
import type { EventHub } from './event-hub.ts';
import type { RunInput, RunHost } from './run-input.ts';
import { RunExecution } from './run-execution.ts';

const stopGraceMs = 10_000;
const minCleanUpMs = 5000;
/** How soon a failed read is repeated, in milliseconds. */
const retryMs = 1000;

type NewRunAt = NewRun & { readonly at: number };

/** A run to create; without an input it waits in its queue. */
interface Creation {
  readonly run: NewRunAt;
  readonly input: Omit<RunInput, 'record'> | undefined;
}

/**
 * Creates runs, and drives those of this host. Requests to stop a run, and takeovers, can come from any process on the home; they
 * arrive as events.
 */
export class ActiveRuns {
  readonly #host: RunHost;
  readonly #hub: EventHub;
  readonly #executions = new Map<string, RunExecution>();
  readonly #failures = new Map<string, AppError>();
  readonly #creations: Batcher<Creation, RunRecord>;
  /** Whether a transaction creates runs of this host, and who has asked to stop a run meanwhile. */
  #expectsRuns = false;
  readonly #earlyStops = new Map<string, string>();
  #unsubscribe: Dispose | undefined;

  constructor(host: RunHost, hub: EventHub) {
    this.#host = host;
    this.#hub = hub;
    this.#creations = new Batcher<Creation, RunRecord>(host.clock, (creations) => this.#createAll(creations));
  }

  /**
   * Creates a run in the next tick, and starts to drive it if there is an input. Rejects with the errors of
   * `RunStore.createRun`. The runs of one event-loop tick, or of the time of a transaction, are created in one
   * transaction: each commit costs a disk sync, and may be a network away. Each run can be rejected alone.
   */
  create(run: NewRunAt, input?: Creation['input']): Promise<RunRecord> {
    return this.#creations.add({ run, input });
  }

  async #createAll(creations: readonly Creation[]): Promise<(RunRecord | AppError)[]> {
    const isQueued = creations.some(({ input }) => input === undefined);
    const isStarted = creations.some(({ input }) => input !== undefined);
    try {
      if (isStarted) await this.#expectRuns();
      if (isStarted) failPoint('run.before_create');
      if (isQueued) failPoint('queue.before_enqueue');
      const outcomes = await this.#host.store.createRuns(creations.map(({ run }) => run));
      if (isStarted) failPoint('run.created');
      if (isQueued) failPoint('queue.enqueued');
      return creations.map(({ input }, index) => this.#drive(input, outcomes[index]!));
    } finally {
      this.#stopExpecting();
    }
  }

  #drive(input: Creation['input'], outcome: RunRecord | AppError): RunRecord | AppError {
    if (input === undefined || outcome instanceof AppError) return outcome;
    try {
      this.execute({ ...input, record: outcome }, true);
      return outcome;
    } catch (error) {
      return toAppError(error);
    }
  }

  /** Follows the requests to stop runs that are being created: another process may send one before they are driven. */
  async #expectRuns(): Promise<void> {
    this.#unsubscribe ??= this.#watch();
    this.#expectsRuns = true;
    await this.#hub.ready();
  }

  #stopExpecting(): void {
    this.#expectsRuns = false;
    this.#earlyStops.clear();
    this.#unsubscribeIfIdle();
  }

  /**
   * Starts to drive a run that has no owner.
   * @param isExpected whether requests to stop it were followed before it was created
   */
  execute(run: RunInput, isExpected = false): RunExecution {
    this.#unsubscribe ??= this.#watch();
    const key = getKey(run.record);
    const stoppedBy = this.#earlyStops.get(key);
    const { name: dag, dagRunId } = run.record;
    const driver = runActivity({ kind: 'run', dag, dagRunId }, () => new RunExecution(this.#host, run));
    this.#executions.set(key, driver);
    this.#failures.delete(key);
    void driver.ended.then(() => {
      if (driver.failure !== undefined) this.#failures.set(key, driver.failure);
      this.#forget(key, driver);
    });
    if (stoppedBy !== undefined) driver.stop(stoppedBy);
    else if (!isExpected) void this.#findEarlyStop(driver);
    return driver;
  }

  /** A stop request may have been written after the record was read and before we subscribed; no event reports it. */
  async #findEarlyStop(driver: RunExecution): Promise<void> {
    const { store, clock } = this.#host;
    const { record } = driver.run;
    while (this.find(record) === driver) {
      try {
        await this.#hub.ready();
        const by = (await store.findRun(record))?.stopRequestedBy;
        if (by !== undefined) driver.stop(by);
        return;
      } catch {
        // The recorder reports that the database is unavailable.
        await wait(clock, retryMs);
      }
    }
  }

  find(run: RunRef): RunExecution | undefined {
    return this.#executions.get(getKey(run));
  }

  /** Returns why a run that this host started to drive is no longer driven, if so. */
  getFailure(run: RunRef): AppError | undefined {
    return this.#failures.get(getKey(run));
  }

  list(): RunExecution[] {
    return [...this.#executions.values()];
  }

  /** Returns the longest clean-up time of the steps of these runs after a stop, in milliseconds; 0 without runs. */
  maxCleanUpMs(): number {
    return this.list().reduce((max, { run }) => Math.max(max, run.workflow.maxCleanUpTimeSec * 1000), 0);
  }

  /**
   * Stops all runs. Resolves when they have ended, at the latest 10 s after the clean-up time of their steps. Runs that
   * are left, such as one with a slow handler, are taken over by the next host. The watchdog waits for 15 s.
   */
  async stopAll(by: string): Promise<void> {
    const executions = this.list();
    if (executions.length === 0) return;
    const timeoutMs = Math.max(this.maxCleanUpMs(), minCleanUpMs) + stopGraceMs;
    for (const driver of executions) driver.stop(by);
    const isOver = Promise.withResolvers<void>();
    const stopWaiting = this.#host.clock.after(timeoutMs, isOver.resolve);
    await Promise.race([Promise.all(executions.map(({ ended }) => ended)), isOver.promise]);
    stopWaiting();
  }

  #watch(): Dispose {
    const stopKeepAlive = this.#host.host.keepAlive();
    const unsubscribe = this.#hub.subscribe(({ dag, dagRunId, event }) => {
      const ref = { name: dag, dagRunId };
      const driver = this.find(ref);
      if (event.type === 'run.stop_requested' && driver === undefined && this.#expectsRuns)
        this.#earlyStops.set(getKey(ref), event.by);
      if (event.type === 'run.stop_requested') driver?.stop(event.by);
      if (event.type === 'run.stop_requested' && event.force === true) driver?.forceStop();
      if (event.type === 'step.approval_resolved') driver?.approvalRequests.wakeAll();
      if (event.type === 'run.recovered' && driver && event.epoch > driver.epoch) driver.onLeaseLost();
    });
    return () => {
      stopKeepAlive();
      unsubscribe();
    };
  }

  /** Removes a driver that has ended, unless the run was retried and already has a new one. */
  #forget(key: string, driver: RunExecution): void {
    if (this.#executions.get(key) === driver) this.#executions.delete(key);
    this.#unsubscribeIfIdle();
  }

  #unsubscribeIfIdle(): void {
    if (this.#executions.size > 0 || this.#expectsRuns) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}

const getKey = ({ name, dagRunId }: RunRef): string => `${name}/${dagRunId}`;
