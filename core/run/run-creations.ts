import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, toAppError } from '../base/errors.ts';
import { Batcher } from '../base/turns.ts';
import type { RunRecord } from '../model/run.ts';
import type { NewRun, RunStore } from '../store/types/runs.ts';

type NewRunAt = NewRun & { readonly at: number };

interface Creation {
  readonly run: NewRunAt;
  readonly onCreated: (record: RunRecord) => void;
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
  readonly #points: FailPoints;
  readonly #expectRuns: () => Promise<Dispose>;
  readonly #batcher: Batcher<Creation, RunRecord>;

  /** @param expectRuns called before runs are created, and its result once their creators know them */
  constructor(
    store: Pick<RunStore, 'createRuns'>,
    clock: Pick<Clock, 'soon'>,
    points: FailPoints,
    expectRuns: () => Promise<Dispose> = () => Promise.resolve(() => {}),
  ) {
    this.#store = store;
    this.#points = points;
    this.#expectRuns = expectRuns;
    this.#batcher = new Batcher<Creation, RunRecord>(clock, (creations) => this.#createAll(creations));
  }

  /**
   * Creates a run in the next tick. Rejects with the errors of `RunStore.createRun`.
   * @param onCreated called as soon as the transaction has ended
   */
  create(run: NewRunAt, onCreated: Creation['onCreated'] = () => {}): Promise<RunRecord> {
    return this.#batcher.add({ run, onCreated });
  }

  async #createAll(creations: readonly Creation[]): Promise<(RunRecord | AppError)[]> {
    const endExpecting = await this.#expectRuns();
    try {
      this.#points.before();
      const outcomes = await this.#store.createRuns(creations.map(({ run }) => run));
      this.#points.after();
      return creations.map(({ onCreated }, index) => announce(outcomes[index]!, onCreated));
    } finally {
      endExpecting();
    }
  }
}

function announce(outcome: RunRecord | AppError, onCreated: Creation['onCreated']): RunRecord | AppError {
  if (outcome instanceof AppError) return outcome;
  try {
    onCreated(outcome);
    return outcome;
  } catch (error) {
    return toAppError(error);
  }
}
