import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { CompletionOutcome, TaskLease } from '../../store/types/dispatch.ts';
import type { RemoteResult } from '../../run/remote/remote-task.ts';
import type { CompleteResponse, CompleteMessage } from '../protocol.ts';
import { CoordinatorError } from './coordinators.ts';
import type { ActiveTask } from './active-tasks.ts';

/** Maximum number and total size of results in one message. */
const batchResults = 200;
const batchChars = 4_000_000;

/** Reports results, batched. */
export class Outbox {
  readonly #logger: Logger;
  /** Retries while no coordinator is reachable. Rejects when the worker ends, or a coordinator rejects the request. */
  readonly #send: (message: CompleteMessage) => Promise<CompleteResponse>;
  /** Called when the result was reported or finally rejected. */
  readonly #onDone: (activeTask: ActiveTask, outcome: CompletionOutcome) => void;
  #waiting: ActiveTask[] = [];
  #isSending = false;

  constructor(
    logger: Logger,
    send: (message: CompleteMessage) => Promise<CompleteResponse>,
    onDone: (activeTask: ActiveTask, outcome: CompletionOutcome) => void,
  ) {
    this.#logger = logger;
    this.#send = send;
    this.#onDone = onDone;
  }

  /** Reports a result after its logs are complete. */
  add(activeTask: ActiveTask): void {
    void activeTask.run.shipLogs().then(
      (logs) => this.#queue(activeTask, logs),
      (error: unknown) => {
        // The task no longer belongs to the worker; or the worker ends, and its next process reports it.
        if (activeTask.lost.signal.aborted || !(error instanceof CoordinatorError)) return;
        this.#warn(
          'A coordinator rejects the logs of a task; the result is sent without them',
          activeTask,
          error,
        );
        this.#queue(activeTask, { stdout: 0, stderr: 0 });
      },
    );
  }

  #queue(activeTask: ActiveTask, logs: RemoteResult['logs']): void {
    if (activeTask.lost.signal.aborted) return;
    activeTask.result = { ...activeTask.result!, logs };
    this.#waiting.push(activeTask);
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    // Results of the same event loop turn are sent together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#sendBatch(this.#takeBatch());
    this.#isSending = false;
  }

  async #sendBatch(batch: readonly ActiveTask[]): Promise<void> {
    try {
      await this.#report(batch);
    } catch (error) {
      if (!(error instanceof CoordinatorError)) {
        // The worker ends; the results are in the journal.
        for (const activeTask of batch) activeTask.isReported = false;
      } else if (batch.length > 1) for (const activeTask of batch) await this.#sendBatch([activeTask]);
      else for (const activeTask of batch) await this.#sendRefused(activeTask, error);
    }
  }

  /** Reports a rejected result again without its large fields. */
  async #sendRefused(activeTask: ActiveTask, failure: CoordinatorError): Promise<void> {
    this.#warn('A coordinator rejects a result', activeTask, failure);
    const { output: _, captured: __, ...result } = activeTask.result!;
    const error = `the result could not be sent: ${failure.message}`;
    activeTask.result = { ...result, hidden: [], artifacts: [], error };
    try {
      await this.#report([activeTask]);
    } catch (cause) {
      activeTask.isReported = false;
      if (cause instanceof CoordinatorError) this.#onDone(activeTask, 'stale');
    }
  }

  async #report(batch: readonly ActiveTask[]): Promise<void> {
    const results = batch.map(({ key, fence, result }) => ({ key, fence, result: JSON.stringify(result) }));
    const { outcomes } = await this.#send({ results });
    for (const [index, activeTask] of batch.entries()) {
      const outcome = outcomes[index] ?? 'stale';
      if (outcome === 'stale') this.#reportLate(activeTask);
      this.#onDone(activeTask, outcome);
    }
  }

  #takeBatch(): ActiveTask[] {
    const batch: ActiveTask[] = [];
    let chars = 0;
    while (this.#waiting.length > 0 && batch.length < batchResults && chars < batchChars) {
      const activeTask = this.#waiting.shift()!;
      if (activeTask.lost.signal.aborted) continue;
      chars += JSON.stringify(activeTask.result).length;
      activeTask.isReported = true;
      batch.push(activeTask);
    }
    return batch;
  }

  #warn(message: string, { key, fence }: TaskLease, error: unknown): void {
    this.#logger.warn(message, { key, fence, reason: getErrorMessage(error) });
  }

  #reportLate({ key, fence, run }: TaskLease & Pick<ActiveTask, 'run'>): void {
    this.#logger.warn('Discarded a late result: the task had been reassigned', {
      key,
      fence,
      files: run.paths.folder,
    });
  }
}
