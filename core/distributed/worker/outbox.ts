import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { SettleOutcome, TaskHold } from '../ports.ts';
import type { SettleAnswer, SettleMessage } from '../protocol.ts';
import type { Holding } from './holdings.ts';

interface OutboxParts {
  readonly logger: Logger;
  /** However long nobody can be reached. Rejects when the worker ends before, or a coordinator refuses. */
  send(message: SettleMessage): Promise<SettleAnswer>;
  /** Told, or refused for good. */
  onDone(holding: Holding, outcome: SettleOutcome): void;
}

/** Most results, and most characters of them, in one message. */
const batchResults = 200;
const batchChars = 4_000_000;

/** Tells results, those that wait together in one message. */
export class Outbox {
  readonly #parts: OutboxParts;
  #waiting: Holding[] = [];
  #sending: Promise<void> | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** The result waits until the logs are complete, then for its turn. */
  add(holding: Holding): void {
    void holding.run.shipLogs().then(
      (logs) => {
        if (holding.lost.signal.aborted) return;
        holding.result = { ...holding.result!, logs };
        this.#waiting.push(holding);
        this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
      },
      (thrown: unknown) => {
        // Not the worker's any more; or the worker ends, and its next life sends them.
        if (holding.lost.signal.aborted) return;
        this.#parts.logger.warn('The logs of a task could not be sent', {
          key: holding.key,
          reason: messageOf(thrown),
        });
      },
    );
  }

  async #sendAll(): Promise<void> {
    // What ends in the same turn goes together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#send(batch);
      } catch (thrown) {
        for (const holding of batch) holding.isTold = false;
        this.#parts.logger.warn(
          'Results could not be told; they are kept for the next start of this worker',
          {
            results: batch.length,
            reason: messageOf(thrown),
          },
        );
      }
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

  #tellLate({ key, fence, run }: TaskHold & Pick<Holding, 'run'>): void {
    this.#parts.logger.warn('A result came too late and was discarded: the task had been taken away', {
      key,
      fence,
      files: run.place.folder,
    });
  }
}
