import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Dispose } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { takeFileLock } from '../../../store/file-lock.ts';
import {
  DatabaseUnavailable,
  type DatabaseStatus,
  type GatewayDatabase,
  type StatementResult,
  type Transaction,
} from '../database.ts';
import { EmbeddedEngine, type EngineSettings } from './embedded-engine.ts';

/** PostgreSQL in this process, with its data in a folder of the home that no other process may open meanwhile. */
export class EmbeddedDatabase implements GatewayDatabase {
  readonly #folder: string;
  readonly #engine: EmbeddedEngine;
  #giveLockBack: Dispose | undefined;
  #failure: string | undefined;
  #isOpening = false;
  #isClosed = false;

  /** @param settings `folder` gets the lock, and the data directory `pgdata` */
  constructor(settings: EngineSettings, clock: Clock, logger: Logger) {
    this.#folder = settings.folder;
    this.#engine = new EmbeddedEngine(
      { ...settings, folder: join(settings.folder, 'pgdata') },
      clock,
      logger,
    );
  }

  async transact(transaction: Transaction): Promise<readonly StatementResult[]> {
    await this.#open();
    return await this.#engine.transact(transaction);
  }

  async runScript(sql: string): Promise<readonly StatementResult[]> {
    await this.#open();
    return await this.#engine.runScript(sql);
  }

  async listen(
    channel: string,
    onNotice: (payload: string | undefined) => void,
  ): Promise<() => Promise<void>> {
    await this.#open();
    return await this.#engine.listen(channel, onNotice);
  }

  /** The whole database as a compressed tar file of its data directory. */
  async dump(): Promise<Uint8Array> {
    await this.#open();
    return await this.#engine.dump();
  }

  status(): DatabaseStatus {
    const { isOpen, version } = this.#engine;
    const failure = this.#failure;
    const idle = failure === undefined ? 'closed' : 'failed';
    const state = this.#isOpening ? 'opening' : isOpen ? 'open' : idle;
    return { kind: 'embedded', state, version, place: this.#folder, failure };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#engine.close();
    this.#giveLockBack?.();
    this.#giveLockBack = undefined;
  }

  async #open(): Promise<void> {
    if (this.#isClosed) throw new DatabaseUnavailable('The gateway has been closed.', 'closed');
    if (this.#engine.isOpen) return;
    this.#isOpening = true;
    try {
      this.#giveLockBack ??= this.#lock();
      await this.#engine.open();
      this.#failure = undefined;
    } catch (thrown) {
      this.#failure = messageOf(thrown);
      throw thrown;
    } finally {
      this.#isOpening = false;
    }
  }

  #lock(): Dispose {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const giveBack = takeFileLock(join(this.#folder, 'lock'));
    if (giveBack !== undefined) return giveBack;
    throw new DatabaseUnavailable(
      `The embedded database in ${this.#folder} is used by another process.`,
      'unreachable',
    );
  }
}
