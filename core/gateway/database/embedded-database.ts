import { wait } from '../../base/wait.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { takeFileLock } from '../../store/file-lock.ts';
import {
  DatabaseUnavailable,
  type DatabaseStatus,
  type GatewayDatabase,
  type StatementResult,
  type Transaction,
  setStatement,
} from '../../store/sql/database.ts';
import { EmbeddedEngine, type EngineSettings } from './embedded-engine.ts';
import { EngineMaintenance } from './engine-maintenance.ts';
import type { Engine, NoticeListener } from './engine-worker.ts';
import { rollbackDatabaseRestore } from './restore-embedded.ts';
import { EngineSharing, SharedEngine } from './share-engine.ts';
import { readSharingEndpoint } from './shared-protocol.ts';

/** Polling interval while the database is locked or not yet reachable. */
const pauseMs = 50;
const rejoinMs = 500;

/** The engine of this process, with the lock and the shared endpoint. */
interface OpenedEngine {
  readonly engine: EmbeddedEngine;
  readonly maintenance: EngineMaintenance;
  readonly sharing: EngineSharing;
  readonly giveLockBack: Dispose;
}

/**
 * PostgreSQL in this process, with its data in a directory of the home. Only one process can open the directory. The
 * first process does, and serves other processes of the same user until it exits; then one of these opens it.
 */
export class EmbeddedDatabase implements GatewayDatabase {
  readonly #settings: EngineSettings;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<NoticeListener>>();
  #openedEngine: OpenedEngine | undefined;
  #shared: SharedEngine | undefined;
  #opening: Promise<Engine> | undefined;
  #stopReconnecting: Dispose | undefined;
  #version: string | undefined;
  #failure: string | undefined;
  #isClosed = false;

  /** @param settings `folder` contains the lock and the data directory `pgdata` */
  constructor(settings: EngineSettings, clock: Clock, logger: Logger) {
    this.#settings = settings;
    this.#clock = clock;
    this.#logger = logger;
  }

  async transact({ settings, ...transaction }: Transaction): Promise<readonly StatementResult[]> {
    const { isReadOnly, statements, keeps } = transaction;
    if (settings === undefined) return await this.#use((engine) => engine.transact(transaction), isReadOnly);
    const whole = {
      ...transaction,
      statements: [setStatement(settings), ...statements],
      ...(keeps && { keeps: (results: readonly StatementResult[]) => keeps(results.slice(1)) }),
    };
    return (await this.#use((engine) => engine.transact(whole), isReadOnly)).slice(1);
  }

  runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]> {
    return this.#use((engine) => engine.runScript(sql, signal));
  }

  /** Returns the whole database as a gzipped tar file of its data directory. */
  dump(): Promise<Uint8Array> {
    return this.#use((engine) => engine.dump(), true);
  }

  async listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>> {
    const known = this.#listeners.get(channel);
    const listeners = known ?? new Set();
    listeners.add(onNotice);
    this.#listeners.set(channel, listeners);
    try {
      const wasOpen = this.#current() !== undefined;
      const engine = await this.#open();
      // A newly opened engine already listens.
      if (known === undefined && wasOpen) await this.#listenOn(engine, channel);
    } catch (error) {
      listeners.delete(onNotice);
      if (listeners.size === 0) this.#listeners.delete(channel);
      throw error;
    }
    // The engine keeps listening, which costs nothing.
    return async () => void listeners.delete(onNotice);
  }

  status(): DatabaseStatus {
    const idle = this.#failure === undefined ? 'closed' : 'failed';
    const open = this.#current()?.isOpen === true ? 'open' : idle;
    return {
      kind: 'embedded',
      state: this.#opening === undefined ? open : 'opening',
      version: this.#current()?.version ?? this.#version,
      place: this.#settings.folder,
      failure: this.#failure,
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopReconnecting?.();
    await this.#opening?.catch(() => undefined);
    await this.#shared?.close();
    if (this.#openedEngine === undefined) return;
    const { engine, maintenance, sharing, giveLockBack } = this.#openedEngine;
    maintenance.close();
    sharing.stopAccepting();
    await engine.close();
    await sharing.close();
    giveLockBack();
  }

  /** @param isRepeatable whether the work can be retried after the engine was lost midway */
  async #use<Result>(work: (engine: Engine) => Promise<Result>, isRepeatable = false): Promise<Result> {
    const engine = await this.#open();
    try {
      return await work(engine);
    } catch (error) {
      if (!(engine instanceof SharedEngine && error instanceof DatabaseUnavailable)) throw error;
      const { reason } = error;
      // An engine that is being closed has not run the work.
      if (reason !== 'closed' && !(reason === 'lost' && isRepeatable)) throw error;
      await engine.close();
      return await work(await this.#open());
    }
  }

  #current(): Engine | undefined {
    if (this.#openedEngine !== undefined) return this.#openedEngine.engine;
    return this.#shared?.isOpen === true ? this.#shared : undefined;
  }

  #open(): Promise<Engine> {
    if (this.#isClosed) return Promise.reject(new DatabaseUnavailable('The gateway is closed.', 'closed'));
    if (this.#opening !== undefined) return this.#opening;
    const current = this.#current();
    if (current !== undefined) return Promise.resolve(current);
    this.#opening = this.#find().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #find(): Promise<Engine> {
    try {
      const engine = await this.#takeOrJoin();
      for (const channel of this.#listeners.keys()) await this.#listenOn(engine, channel);
      this.#failure = undefined;
      this.#version = engine.version;
      return engine;
    } catch (error) {
      this.#failure = getErrorMessage(error);
      throw error;
    }
  }

  async #takeOrJoin(): Promise<Engine> {
    const { folder, poolTimeoutMs } = this.#settings;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const giveUpAt = this.#clock.monotonic() + poolTimeoutMs;
    do {
      const giveLockBack = takeFileLock(join(folder, 'lock'));
      if (giveLockBack !== undefined) return await this.#acquireDatabase(giveLockBack);
      const endpoint = readSharingEndpoint(folder);
      const shared = endpoint && (await SharedEngine.open(endpoint, () => this.#reconnectListeners()));
      if (shared !== undefined) return (this.#shared = shared);
      await wait(this.#clock, pauseMs);
    } while (this.#clock.monotonic() < giveUpAt && !this.#isClosed);
    throw new DatabaseUnavailable(
      `The embedded database in ${folder} is in use by another process that does not respond. End that process, or set gateway.databaseUrl to a PostgreSQL server.`,
      'unreachable',
    );
  }

  async #acquireDatabase(giveLockBack: Dispose): Promise<Engine> {
    const { folder } = this.#settings;
    const settings = { ...this.#settings, folder: join(folder, 'pgdata') };
    const engine = new EmbeddedEngine(settings, this.#clock, this.#logger);
    let sharing: EngineSharing | undefined;
    try {
      rollbackDatabaseRestore(folder);
      sharing = await EngineSharing.begin(engine, folder, this.#clock);
      await engine.open();
      const maintenance = new EngineMaintenance(engine, this.#clock, this.#logger);
      maintenance.start();
      this.#openedEngine = { engine, maintenance, sharing, giveLockBack };
      return engine;
    } catch (error) {
      sharing?.stopAccepting();
      await sharing?.close();
      giveLockBack();
      throw error;
    }
  }

  /** Reconnects the listeners to whichever process opens the database next. */
  #reconnectListeners(): void {
    if (this.#isClosed || this.#listeners.size === 0) return;
    this.#open().then(
      () => {
        for (const channel of this.#listeners.keys()) this.#notify(channel, undefined);
      },
      () => {
        this.#stopReconnecting?.();
        // Unlike `after`, this timer does not keep the process alive.
        const stop = this.#clock.every(rejoinMs, () => {
          stop();
          this.#reconnectListeners();
        });
        this.#stopReconnecting = stop;
      },
    );
  }

  async #listenOn(engine: Engine, channel: string): Promise<void> {
    await engine.listen(channel, (payload) => this.#notify(channel, payload));
  }

  #notify(channel: string, payload: string | undefined): void {
    for (const onNotice of this.#listeners.get(channel) ?? []) onNotice(payload);
  }
}
