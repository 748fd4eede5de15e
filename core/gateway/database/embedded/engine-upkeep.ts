import type { Clock, Dispose } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { DatabaseUnavailable, type Statement } from '../database.ts';
import type { Engine } from './engine.ts';

const intervalMs = 10_000;

/** Of the write-ahead log since the last checkpoint, bytes: PostgreSQL would read it all again after a crash. */
const mostLog = 64 * 1024 * 1024;

/** A larger table would be vacuumed for seconds, in which nobody else is served. Bytes. */
const largestTable = 1024 * 1024 * 1024;

/**
 * Transactions since a table was frozen, as `autovacuum_freeze_max_age` has it: rows would be lost after two thousand
 * million, of which a PostgreSQL that is a single process does not warn.
 */
const oldestTable = 200_000_000;

/** What is looked after. */
export interface Tended extends Pick<Engine, 'isOpen' | 'transact'> {
  /** Grows with everything that may have written. */
  readonly writes: number;
  /** Runs a statement that no transaction may hold. */
  maintain(text: string): Promise<void>;
}

/** When something is due; those of this program where absent. */
export interface UpkeepLimits {
  readonly mostLog: number;
  readonly largestTable: number;
  readonly oldestTable: number;
}

/**
 * Does what PostgreSQL's background processes would do, of which an embedded engine has none: checkpoints, without which
 * the write-ahead log grew until the engine ends, and VACUUM and ANALYZE of tables that have changed much, by the rule of
 * `autovacuum` with its usual settings. It looks after what was written only, and does one table at a look.
 */
export class EngineUpkeep {
  readonly #engine: Tended;
  readonly #clock: Pick<Clock, 'every'>;
  readonly #logger: Logger;
  readonly #limits: UpkeepLimits;
  /** Tables that could not be vacuumed are left alone until the database is opened anew. */
  readonly #failed: string[] = [];
  #seen = 0;
  #hasMore = false;
  #working: Promise<void> | undefined;
  #stop: Dispose | undefined;

  constructor(
    engine: Tended,
    clock: Pick<Clock, 'every'>,
    logger: Logger,
    limits: UpkeepLimits = { mostLog, largestTable, oldestTable },
  ) {
    this.#engine = engine;
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
  }

  /** Looks every ten seconds until it is closed. */
  start(): void {
    this.#stop ??= this.#clock.every(intervalMs, () => {
      this.#working ??= this.#look().finally(() => (this.#working = undefined));
    });
  }

  /** Begins nothing more. */
  close(): void {
    this.#stop?.();
  }

  /** Resolves when what was begun is done. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async #look(): Promise<void> {
    const { writes, isOpen } = this.#engine;
    if (!isOpen || (writes === this.#seen && !this.#hasMore)) return;
    try {
      this.#seen = writes;
      if ((await this.#ask(logStatement(this.#limits.mostLog)))?.[0] === 't')
        await this.#engine.maintain('CHECKPOINT');
      await this.#tidyTable();
    } catch (thrown) {
      // Busy, closed or ended meanwhile: there is another look.
      this.#hasMore = true;
      if (!(thrown instanceof DatabaseUnavailable))
        this.#logger.warn(`Cannot vacuum the embedded database: ${messageOf(thrown)}`);
    }
  }

  async #tidyTable(): Promise<void> {
    const [name, work] = (await this.#ask(tableStatement(this.#limits, this.#failed))) ?? [];
    this.#hasMore = typeof name === 'string';
    if (typeof name !== 'string') return;
    try {
      await this.#engine.maintain(`${work} ${name}`);
    } catch (thrown) {
      this.#failed.push(name);
      throw thrown;
    }
  }

  async #ask(statement: Statement): Promise<readonly (string | null)[] | undefined> {
    const [result] = await this.#engine.transact({ isReadOnly: true, statements: [statement] });
    return result!.rows[0];
  }
}

const logStatement = (most: number): Statement => ({
  text: `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1::numeric FROM pg_control_checkpoint()`,
  values: [String(most)],
});

/** The table that is due most of all, and what is to be done with it. */
const tableStatement = (limits: UpkeepLimits, failed: readonly string[]): Statement => ({
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
