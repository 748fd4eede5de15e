import { runActivity } from '../base/activity.ts';
import type { Dispose } from '../base/clock.ts';
import type { AppError } from '../base/errors.ts';
import type { RunRef } from '../model/run/run.ts';
import type { EventHub } from './record/event-hub.ts';
import type { DrivenRun, DriverHost } from './driven-run.ts';
import { RunDriver } from './run-driver.ts';

const stopGraceMs = 10_000;
const leastCleanUpMs = 5000;

/**
 * The runs this host drives. Requests to stop them may come from any process on the home, and so may a take-over:
 * they are events.
 */
export class ActiveRuns {
  readonly #host: DriverHost;
  readonly #hub: EventHub;
  readonly #drivers = new Map<string, RunDriver>();
  readonly #failures = new Map<string, AppError>();
  #unsubscribe: Dispose | undefined;

  constructor(host: DriverHost, hub: EventHub) {
    this.#host = host;
    this.#hub = hub;
  }

  /** Begins to drive a run that nobody owns. What the store throws leaves nothing begun. */
  drive(run: DrivenRun): RunDriver {
    this.#unsubscribe ??= this.#watch();
    // Of a wish that another process had between the reading of the record and our listening no event is heard.
    const wish = this.#host.store.findRun(run.record)?.stopRequestedBy;
    const { name: dag, dagRunId } = run.record;
    const driver = runActivity({ kind: 'run', dag, dagRunId }, () => new RunDriver(this.#host, run));
    const key = keyOf(run.record);
    this.#drivers.set(key, driver);
    this.#failures.delete(key);
    void driver.ended.then(() => {
      if (driver.failure !== undefined) this.#failures.set(key, driver.failure);
      this.#forget(key, driver);
    });
    if (wish !== undefined) driver.stop(wish);
    return driver;
  }

  find(run: RunRef): RunDriver | undefined {
    return this.#drivers.get(keyOf(run));
  }

  /** Why a run that this host began to drive is driven by nobody, if that is so. */
  failureOf(run: RunRef): AppError | undefined {
    return this.#failures.get(keyOf(run));
  }

  list(): RunDriver[] {
    return [...this.#drivers.values()];
  }

  /** The longest time in which steps of these runs may end after a stop, milliseconds; 0 without runs. */
  longestCleanUpMs(): number {
    return this.list().reduce((most, { run }) => Math.max(most, run.workflow.maxCleanUpTimeSec * 1000), 0);
  }

  /**
   * Stops them all. Resolves when they have ended, and 10 s after the clean-up time of their steps in any case: what is
   * left then, such as a run whose handler takes long, is the next host's. The watchdog waits for 15 s.
   */
  async stopAll(by: string): Promise<void> {
    const drivers = this.list();
    const patienceMs = Math.max(this.longestCleanUpMs(), leastCleanUpMs) + stopGraceMs;
    for (const driver of drivers) driver.stop(by);
    const isOver = Promise.withResolvers<void>();
    const stopWaiting = this.#host.clock.after(patienceMs, isOver.resolve);
    await Promise.race([Promise.all(drivers.map(({ ended }) => ended)), isOver.promise]);
    stopWaiting();
  }

  #watch(): Dispose {
    const rest = this.#host.host.keepAlive();
    const unsubscribe = this.#hub.subscribe(({ dag, dagRunId, event }) => {
      const driver = this.find({ name: dag, dagRunId });
      if (event.type === 'run.stop_requested') driver?.stop(event.by);
      if (event.type === 'run.stop_requested' && event.force === true) driver?.forceStop();
      if (event.type === 'step.approval_resolved') driver?.questions.look();
      if (event.type === 'run.recovered' && driver && event.epoch > driver.epoch) driver.lose();
    });
    return () => {
      rest();
      unsubscribe();
    };
  }

  /** A run that goes on right after its end has a new driver already. */
  #forget(key: string, driver: RunDriver): void {
    if (this.#drivers.get(key) === driver) this.#drivers.delete(key);
    if (this.#drivers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}

const keyOf = ({ name, dagRunId }: RunRef): string => `${name}/${dagRunId}`;
