import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import {
  beginText,
  DatabaseError,
  DatabaseUnavailable,
  type Statement,
  type StatementResult,
} from '../../store/sql/database.ts';
import { needsReprepare, forgetSession, runStatements } from './prepared-statements.ts';
import {
  Mutex,
  type Engine,
  type EngineTransaction,
  type NoticeListener,
  EngineLost,
  EngineWorker,
} from './engine-worker.ts';
import type { Batch, BatchResult } from './batch.ts';

/** Settings of the embedded engine. */
export interface EngineSettings {
  /** Absolute path of the data directory, created if missing. The engine needs exclusive access. */
  readonly folder: string;
  readonly statementTimeoutMs: number;
  /** Maximum time that a request waits for the engine. */
  readonly poolTimeoutMs: number;
}

type BatchDone = Extract<BatchResult, { readonly kind: 'done' }>;

/** Limits after which a statement is ended. */
interface Limits {
  /** 0 for no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * PostgreSQL in a thread of this process: one session, one statement at a time. A statement cannot be interrupted, so
 * after a timeout the thread is terminated, and the next request opens the data directory again.
 */
export class EmbeddedEngine implements Engine {
  readonly #settings: EngineSettings;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #mutex: Mutex;
  readonly #listeners = new Map<string, Set<NoticeListener>>();
  #worker: EngineWorker | undefined;
  #opening: Promise<void> | undefined;
  #version: string | undefined;
  #isClosed = false;
  #writes = 0;

  constructor(settings: EngineSettings, clock: Clock, logger: Logger) {
    this.#settings = settings;
    this.#clock = clock;
    this.#logger = logger;
    this.#mutex = new Mutex(clock, settings.poolTimeoutMs);
  }

  /** Known once the engine has been opened. */
  get version(): string | undefined {
    return this.#version;
  }

  get isOpen(): boolean {
    return this.#worker !== undefined && !this.#worker.isGone;
  }

  /** Number of transactions and scripts that may have written. */
  get writes(): number {
    return this.#writes;
  }

  /**
   * Starts the thread unless it is running.
   * @throws DatabaseUnavailable `unreachable`
   */
  async open(): Promise<void> {
    if (this.isOpen) return;
    this.#opening ??= this.#begin().finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** Implements `GatewayDatabase.transact`. The timeout applies to the whole transaction. */
  transact(transaction: EngineTransaction): Promise<readonly StatementResult[]> {
    const { statements, keeps, doubt, signal, timeoutMs = this.#settings.statementTimeoutMs } = transaction;
    const limits = { timeoutMs, signal };
    const begin = beginText(transaction);
    if (!transaction.isReadOnly) this.#writes += 1;
    const attempt = async (): Promise<readonly StatementResult[]> => {
      const end = keeps === undefined || doubt !== undefined ? 'COMMIT' : undefined;
      if (keeps === undefined) return (await this.#run({ begin, statements, end }, limits)).results;
      try {
        const { results, isDoubted } = await this.#run({ begin, statements, doubt, end }, limits);
        if (end !== undefined && isDoubted !== true) return results;
        await this.#finish((await keeps(results)) ? 'COMMIT' : 'ROLLBACK');
        return results;
      } catch (error) {
        if (this.isOpen) await this.#finish('ROLLBACK');
        throw error;
      }
    };
    return this.#take(async () => {
      try {
        return await attempt();
      } catch (error) {
        // Nothing was executed, and thread and session have both discarded their prepared statements.
        if (needsReprepare(error)) return await attempt();
        throw error;
      }
    });
  }

  /** Implements `GatewayDatabase.runScript`, without a timeout. */
  runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]> {
    this.#writes += 1;
    return this.#take(async () => {
      try {
        return await runStatements(
          sql,
          async (statement) => (await this.#run({ statements: [statement] }, { signal })).results[0]!,
        );
      } finally {
        if (this.isOpen) {
          for (const text of forgetSession) await this.#finish(text);
          for (const channel of this.#listeners.keys()) await this.#finish(listenText(channel));
        }
      }
    });
  }

  /** Implements `GatewayDatabase.listen`. */
  async listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(onNotice);
    this.#listeners.set(channel, listeners);
    await this.#take(() => this.#finish(listenText(channel)));
    return async () => {
      listeners.delete(onNotice);
      if (listeners.size > 0 || !this.#listeners.delete(channel)) return;
      if (this.isOpen) await this.#take(() => this.#finish(`UN${listenText(channel)}`));
    };
  }

  /** Runs a statement that cannot run in a transaction, such as VACUUM, without a timeout. */
  maintain(text: string): Promise<void> {
    return this.#take(() => this.#finish(text));
  }

  /** Returns the data directory as a gzipped tar file. */
  dump(): Promise<Uint8Array> {
    return this.#take(async () => {
      return (await this.#worker!.ask({ kind: 'dump' }, 'dump')).bytes;
    });
  }

  /** Shuts down the engine after the current request. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    await this.#mutex.take(async () => {
      const worker = this.#worker;
      this.#worker = undefined;
      await worker
        ?.ask({ kind: 'close' }, 'closed')
        .catch((error: unknown) =>
          this.#logger.warn(`The embedded database did not shut down cleanly: ${getErrorMessage(error)}`),
        );
      await worker?.end('closed');
    });
  }

  /** Runs work exclusively. Starting the engine does not count towards the wait timeout. */
  async #take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new DatabaseUnavailable('The gateway is closed.', 'closed');
    await this.open();
    return await this.#mutex.take(async () => {
      // The previous request may have ended the engine.
      await this.open();
      return await work();
    });
  }

  async #begin(): Promise<void> {
    const { folder } = this.#settings;
    const wasOpen = this.#worker !== undefined;
    const worker = new EngineWorker((channel, payload) => this.#notify(channel, payload));
    try {
      const startedAt = this.#clock.monotonic();
      const { version } = await worker.ask({ kind: 'open', folder }, 'opened');
      const statements = [...this.#listeners.keys()].map((channel) => bare(listenText(channel)));
      if (statements.length > 0) await worker.ask({ kind: 'batch', batch: { statements } }, 'batch');
      this.#version = version;
      this.#worker = worker;
      const ms = Math.round(this.#clock.monotonic() - startedAt);
      this.#logger.info(`Opened the embedded database (PostgreSQL ${version}) in ${ms} ms`, { folder });
    } catch (error) {
      await worker.end('failed to open');
      const message = `Cannot open the embedded database in ${folder}: ${getErrorMessage(error)}`;
      throw new DatabaseUnavailable(message, 'unreachable', { cause: error });
    }
    if (wasOpen) for (const channel of this.#listeners.keys()) this.#notify(channel, undefined);
  }

  #notify(channel: string, payload: string | undefined): void {
    for (const onNotice of this.#listeners.get(channel) ?? []) onNotice(payload);
  }

  async #finish(text: string): Promise<void> {
    await this.#run({ statements: [bare(text)] });
  }

  async #run(batch: Batch, { timeoutMs = 0, signal }: Limits = {}): Promise<BatchDone> {
    const worker = this.#worker!;
    if (signal?.aborted === true) throw cancelledError();
    let end: DatabaseError | undefined;
    const stop = (reason: DatabaseError): void => {
      end ??= reason;
      void worker.end(reason.message);
    };
    const cancel = (): void => stop(cancelledError());
    const stopTimer =
      timeoutMs > 0 ? this.#clock.after(timeoutMs, () => stop(toTimeoutError(timeoutMs))) : undefined;
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const response = await worker.ask({ kind: 'batch', batch }, 'batch');
      return await this.#read(worker, batch, response.end);
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error;
      await worker.end(error.message);
      throw end ?? engineLostError(error.message, batch);
    } finally {
      stopTimer?.();
      signal?.removeEventListener('abort', cancel);
    }
  }

  async #read(worker: EngineWorker, batch: Batch, result: BatchResult): Promise<BatchDone> {
    if (result.kind === 'done') return result;
    if (result.kind === 'failed') throw new DatabaseError(result.failure.message, result.failure);
    this.#logger.error(`The embedded database crashed and is restarting: ${result.reason}`);
    await worker.end(result.reason);
    throw engineLostError(result.reason, batch);
  }
}

const bare = (text: string): Statement => ({ text, values: [] });

const listenText = (channel: string): string => `LISTEN "${channel.replaceAll('"', '""')}"`;

const cancelledError = (): DatabaseError =>
  new DatabaseError('canceling statement due to user request', { code: '57014' });

const toTimeoutError = (timeoutMs: number): DatabaseError =>
  new DatabaseError(`canceling statement due to statement timeout (${timeoutMs / 1000} s)`, {
    code: '57014',
  });

/** @param batch the batch that got no response */
export function engineLostError(reason: string, batch: Batch): DatabaseUnavailable {
  const fate = mayHaveCommitted(batch)
    ? 'It is unknown whether changes were committed: check the data before you retry writes.'
    : 'No changes were committed.';
  const message = `The embedded database crashed on this statement and is restarting: ${reason}. ${fate}`;
  return new DatabaseUnavailable(message, 'lost');
}

/**
 * Whether the changes may have been committed: a commit was sent, or there was no transaction. Read-only batches
 * change nothing.
 */
const mayHaveCommitted = ({ begin, end }: Batch): boolean =>
  begin === undefined || (end !== undefined && !begin.endsWith('READ ONLY'));
