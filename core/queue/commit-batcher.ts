import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { failPoint } from '../base/fail-point.ts';
import type { RunRecord } from '../model/run/run.ts';
import type { NewRun, RunStore } from '../run/ports.ts';
import type { EventHub } from '../run/record/event-hub.ts';

type TimedRun = NewRun & { readonly at: number };

interface PendingRun {
  readonly run: TimedRun;
  resolve(record: RunRecord): void;
  reject(reason: unknown): void;
}

/**
 * Creates the runs requested in one event-loop tick in one transaction, because each durable commit costs a disk sync.
 * Each run can be rejected separately.
 */
export class CommitBatcher {
  readonly #store: Pick<RunStore, 'createRuns'>;
  readonly #hub: Pick<EventHub, 'pump'>;
  readonly #clock: Pick<Clock, 'soon'>;
  #pending: PendingRun[] = [];

  constructor(deps: {
    readonly store: Pick<RunStore, 'createRuns'>;
    readonly hub: Pick<EventHub, 'pump'>;
    readonly clock: Pick<Clock, 'soon'>;
  }) {
    this.#store = deps.store;
    this.#hub = deps.hub;
    this.#clock = deps.clock;
  }

  /** Resolves when the run is on disk. */
  create(run: TimedRun): Promise<RunRecord> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ run, resolve, reject });
      if (this.#pending.length === 1) this.#clock.soon(() => this.#commit());
    });
  }

  #commit(): void {
    const pending = this.#pending;
    this.#pending = [];
    try {
      failPoint('queue.before_enqueue');
      const records = this.#store.createRuns(pending.map(({ run }) => run));
      failPoint('queue.enqueued');
      pending.forEach(({ resolve, reject }, index) => {
        const record = records[index]!;
        if (record instanceof AppError) reject(record);
        else resolve(record);
      });
    } catch (error) {
      for (const { reject } of pending) reject(error);
    }
    this.#hub.pump();
  }
}
