import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { failPoint } from '../base/fail-point.ts';
import type { RunRecord } from '../model/run.ts';
import type { NewRun, RunStore } from '../store/types/runs.ts';

type NewRunAt = NewRun & { readonly at: number };

interface Creation {
  readonly run: NewRunAt;
  readonly onCreated: (record: RunRecord) => void;
  readonly resolve: (record: RunRecord) => void;
  readonly reject: (reason: unknown) => void;
}

/** Creates the runs that are started in one event-loop tick in one transaction: each commit may be a network away. */
export class RunCreations {
  readonly #store: Pick<RunStore, 'createRuns'>;
  readonly #clock: Pick<Clock, 'soon'>;
  #waiting: Creation[] = [];

  constructor(store: Pick<RunStore, 'createRuns'>, clock: Pick<Clock, 'soon'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Creates a run in the next tick. Rejects with the errors of `RunStore.createRun`.
   * @param onCreated called in the tick of the transaction
   */
  create(run: NewRunAt, onCreated: Creation['onCreated']): Promise<RunRecord> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, onCreated, resolve, reject });
      if (this.#waiting.length === 1) this.#clock.soon(() => this.#flush());
    });
  }

  #flush(): void {
    const creations = this.#waiting;
    this.#waiting = [];
    try {
      failPoint('run.before_create');
      const outcomes = this.#store.createRuns(creations.map(({ run }) => run));
      failPoint('run.created');
      for (const [index, creation] of creations.entries()) settle(creation, outcomes[index]!);
    } catch (error) {
      for (const { reject } of creations) reject(error);
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
