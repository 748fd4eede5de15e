import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { SettleOutcome, TaskHold } from '../ports.ts';
import type { RemoteResult } from '../remote-task.ts';
import type { SettleAnswer, SettleMessage } from '../protocol.ts';
import { Refused } from './client/coordinators.ts';
import type { Holding } from './holdings.ts';

interface OutboxParts {
  readonly logger: Logger;
  /** Retries while no coordinator is reachable. Rejects when the worker ends, or a coordinator refuses. */
  send(message: SettleMessage): Promise<SettleAnswer>;
  /** Called when the result was reported or finally refused. */
  onDone(holding: Holding, outcome: SettleOutcome): void;
}

/** Maximum number and total size of results in one message. */
const batchResults = 200;
const batchChars = 4_000_000;

/** Reports results, batched. */
export class Outbox {
  readonly #parts: OutboxParts;
  #waiting: Holding[] = [];
  #isSending = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Reports a result after its logs are complete. */
  add(holding: Holding): void {
    void holding.run.shipLogs().then(
      (logs) => this.#queue(holding, logs),
      (thrown: unknown) => {
        // The task no longer belongs to the worker; or the worker ends, and its next process reports it.
        if (holding.lost.signal.aborted || !(thrown instanceof Refused)) return;
        this.#warn(
          'A coordinator rejects the logs of a task; the result is sent without them',
          holding,
          thrown,
        );
        this.#queue(holding, { stdout: 0, stderr: 0 });
      },
    );
  }

  #queue(holding: Holding, logs: RemoteResult['logs']): void {
    if (holding.lost.signal.aborted) return;
    holding.result = { ...holding.result!, logs };
    this.#waiting.push(holding);
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    // Results of the same event loop turn are sent together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#sendBatch(this.#takeBatch());
    this.#isSending = false;
  }

  async #sendBatch(batch: readonly Holding[]): Promise<void> {
    try {
      await this.#send(batch);
    } catch (thrown) {
      if (!(thrown instanceof Refused)) {
        // The worker ends; the results are in the journal.
        for (const holding of batch) holding.isTold = false;
      } else if (batch.length > 1) for (const holding of batch) await this.#sendBatch([holding]);
      else for (const holding of batch) await this.#sendRefused(holding, thrown);
    }
  }

  /** Reports a refused result again without its large fields. */
  async #sendRefused(holding: Holding, refusal: Refused): Promise<void> {
    this.#warn('A coordinator rejects a result', holding, refusal);
    const { output: _, captured: __, ...result } = holding.result!;
    const error = `the result could not be sent: ${refusal.message}`;
    holding.result = { ...result, hidden: [], artifacts: [], error };
    try {
      await this.#send([holding]);
    } catch (thrown) {
      holding.isTold = false;
      if (thrown instanceof Refused) this.#parts.onDone(holding, 'stale');
    }
  }

  async #send(batch: readonly Holding[]): Promise<void> {
    const results = batch.map(({ key, fence, result }) => ({ key, fence, result: JSON.stringify(result) }));
    const { outcomes } = await this.#parts.send({ results });
    for (const [index, holding] of batch.entries()) {
      const outcome = outcomes[index] ?? 'stale';
      if (outcome === 'stale') this.#tellLate(holding);
      this.#parts.onDone(holding, outcome);
    }
  }

  #takeBatch(): Holding[] {
    const batch: Holding[] = [];
    let chars = 0;
    while (this.#waiting.length > 0 && batch.length < batchResults && chars < batchChars) {
      const holding = this.#waiting.shift()!;
      if (holding.lost.signal.aborted) continue;
      chars += JSON.stringify(holding.result).length;
      holding.isTold = true;
      batch.push(holding);
    }
    return batch;
  }

  #warn(message: string, { key, fence }: TaskHold, thrown: unknown): void {
    this.#parts.logger.warn(message, { key, fence, reason: messageOf(thrown) });
  }

  #tellLate({ key, fence, run }: TaskHold & Pick<Holding, 'run'>): void {
    this.#parts.logger.warn('Discarded a late result: the task had been reassigned', {
      key,
      fence,
      files: run.place.folder,
    });
  }
}
