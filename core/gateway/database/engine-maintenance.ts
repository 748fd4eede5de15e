import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { DatabaseUnavailable, type Statement } from '../../store/sql/database.ts';
import type { Engine } from './engine-worker.ts';

const intervalMs = 10_000;

/** Bytes of write-ahead log since the last checkpoint. PostgreSQL replays all of it after a crash. */
const maxLog = 64 * 1024 * 1024;

/** Maximum table size for VACUUM, in bytes. A larger table would block all requests for seconds. */
const largestTable = 1024 * 1024 * 1024;

/**
 * Transactions since a table was frozen, like `autovacuum_freeze_max_age`. Rows are lost after two billion, and
 * PostgreSQL in single-user mode gives no warning.
 */
const oldestTable = 200_000_000;

/** Engine under maintenance. */
export interface MaintainedEngine extends Pick<Engine, 'isOpen' | 'transact'> {
  /** Increases with everything that may have written. */
  readonly writes: number;
  /** Runs a statement that cannot run in a transaction. */
  maintain(text: string): Promise<void>;
}

/** Thresholds for maintenance. Default: the constants of this file. */
export interface MaintenanceLimits {
  readonly maxLog: number;
  readonly largestTable: number;
  readonly oldestTable: number;
}

/**
 * Replaces PostgreSQL's background processes, which an embedded engine lacks: checkpoints, without which the
 * write-ahead log grows until the engine fails, and VACUUM and ANALYZE of changed tables by the rules of `autovacuum`
 * with default settings. Runs only after writes, and handles one table per check.
 */
export class EngineMaintenance {
  readonly #engine: MaintainedEngine;
  readonly #clock: Pick<Clock, 'every'>;
  readonly #logger: Logger;
  readonly #limits: MaintenanceLimits;
  /** Tables whose VACUUM failed are skipped until the database is reopened. */
  readonly #failed: string[] = [];
  #seenWrites = 0;
  #hasMore = false;
  #inProgress: Promise<void> | undefined;
  #stop: Dispose | undefined;

  constructor(
    engine: MaintainedEngine,
    clock: Pick<Clock, 'every'>,
    logger: Logger,
    limits: MaintenanceLimits = { maxLog, largestTable, oldestTable },
  ) {
    this.#engine = engine;
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
  }

  /** Checks every ten seconds until closed. */
  start(): void {
    this.#stop ??= this.#clock.every(intervalMs, () => {
      this.#inProgress ??= this.#runIfIdle().finally(() => (this.#inProgress = undefined));
    });
  }

  /** Starts no further maintenance. */
  close(): void {
    this.#stop?.();
  }

  /** Resolves when the current maintenance has finished. */
  async settled(): Promise<void> {
    await this.#inProgress;
  }

  async #runIfIdle(): Promise<void> {
    const { writes, isOpen } = this.#engine;
    if (!isOpen || (writes === this.#seenWrites && !this.#hasMore)) return;
    try {
      this.#seenWrites = writes;
      if ((await this.#ask(logStatement(this.#limits.maxLog)))?.[0] === 't')
        await this.#engine.maintain('CHECKPOINT');
      await this.#tidyTable();
    } catch (error) {
      // The engine was busy, closed or restarted. The next check tries again.
      this.#hasMore = true;
      if (!(error instanceof DatabaseUnavailable))
        this.#logger.warn(`Cannot vacuum the embedded database: ${getErrorMessage(error)}`);
    }
  }

  async #tidyTable(): Promise<void> {
    const [name, work] = (await this.#ask(tableStatement(this.#limits, this.#failed))) ?? [];
    this.#hasMore = typeof name === 'string';
    if (typeof name !== 'string') return;
    try {
      await this.#engine.maintain(`${work} ${name}`);
    } catch (error) {
      this.#failed.push(name);
      throw error;
    }
  }

  async #ask(statement: Statement): Promise<readonly (string | null)[] | undefined> {
    const [result] = await this.#engine.transact({ isReadOnly: true, statements: [statement] });
    return result!.rows[0];
  }
}

const logStatement = (max: number): Statement => ({
  text: `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1::numeric FROM pg_control_checkpoint()`,
  values: [String(max)],
});

/** Selects the table that most needs maintenance, and the statement to run. */
const tableStatement = (limits: MaintenanceLimits, failed: readonly string[]): Statement => ({
  text: `SELECT name, CASE WHEN is_old THEN 'VACUUM (FREEZE, ANALYZE)' WHEN is_full THEN 'VACUUM (ANALYZE)' ELSE 'ANALYZE' END
    FROM (
      SELECT format('%I.%I', s.schemaname, s.relname) AS name, s.n_dead_tup AS dead,
        age(c.relfrozenxid) > $2::bigint AS is_old,
        s.n_dead_tup > 50 + 0.2 * c.rows OR s.n_ins_since_vacuum > 1000 + 0.2 * c.rows AS is_full,
        s.n_mod_since_analyze > 50 + 0.1 * c.rows AS is_changed,
        pg_relation_size(c.oid) <= $1::bigint
          AND coalesce(c.reloptions::text !~* 'autovacuum_enabled=(f|off|n|0)', true) AS is_ours
      FROM pg_stat_all_tables AS s
      JOIN (SELECT *, greatest(reltuples, 0) AS rows FROM pg_class) AS c ON c.oid = s.relid
      WHERE c.relkind IN ('r', 'm')
    ) AS tables
    WHERE (is_old OR is_ours AND (is_full OR is_changed)) AND name <> ALL ($3::text[])
    ORDER BY is_old DESC, is_full DESC, dead DESC, name LIMIT 1`,
  values: [
    String(limits.largestTable),
    String(limits.oldestTable),
    `{${failed.map((name) => JSON.stringify(name)).join(',')}}`,
  ],
});
