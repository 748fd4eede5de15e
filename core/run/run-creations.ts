import type { Clock, Dispose } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { RunRecord } from '../model/run.ts';
import type { NewRun, RunStore } from '../store/types/runs.ts';

type NewRunAt = NewRun & { readonly at: number };

interface Creation {
  readonly run: NewRunAt;
  readonly onCreated: (record: RunRecord) => void;
  readonly resolve: (record: RunRecord) => void;
  readonly reject: (reason: unknown) => void;
}

/** Fail points around a transaction. */
interface FailPoints {
  before(): void;
  after(): void;
}

/**
 * Creates the runs that are started or queued in one event-loop tick, or during a transaction, in one transaction: each
 * commit costs a disk sync, and may be a network away. Each run can be rejected alone.
 */
export class RunCreations {
  readonly #store: Pick<RunStore, 'createRuns'>;
  readonly #clock: Pick<Clock, 'soon'>;
  readonly #points: FailPoints;
  readonly #expectRuns: () => Promise<Dispose>;
  #waiting: Creation[] = [];
  #isScheduled = false;

  /** @param expectRuns called before runs are created, and its result once their creators know them */
  constructor(
    store: Pick<RunStore, 'createRuns'>,
    clock: Pick<Clock, 'soon'>,
    points: FailPoints,
    expectRuns: () => Promise<Dispose> = () => Promise.resolve(() => {}),
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#points = points;
    this.#expectRuns = expectRuns;
  }

  /**
   * Creates a run in the next tick. Rejects with the errors of `RunStore.createRun`.
   * @param onCreated called as soon as the transaction has ended
   */
  create(run: NewRunAt, onCreated: Creation['onCreated'] = () => {}): Promise<RunRecord> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, onCreated, resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      this.#clock.soon(() => void this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) await this.#flush();
    this.#isScheduled = false;
  }

  async #flush(): Promise<void> {
    const creations = this.#waiting;
    this.#waiting = [];
    let endExpecting: Dispose | undefined;
    try {
      endExpecting = await this.#expectRuns();
      this.#points.before();
      const outcomes = await this.#store.createRuns(creations.map(({ run }) => run));
      this.#points.after();
      for (const [index, creation] of creations.entries()) settle(creation, outcomes[index]!);
    } catch (error) {
      for (const { reject } of creations) reject(error);
    } finally {
      endExpecting?.();
    }
  }
}

function settle({ onCreated, resolve, reject }: Creation, outcome: RunRecord | AppError): void {
  if (outcome instanceof AppError) return reject(outcome);
  try {
    onCreated(outcome);
    resolve(outcome);
  } catch (error) {
    reject(error);
  }
}
