import { timings } from '../../base/timings.ts';
import type { SqlValue } from '../database/database.ts';

/** A statement in PostgreSQL's own SQL. */
export interface SessionStep {
  readonly text: string;
  /** Absent: the string may have several statements, and its results are not returned. */
  readonly values?: readonly SqlValue[];
}

/** A request to the server. Its steps are sent together. */
export interface SessionRequest {
  readonly steps: readonly SessionStep[];
  /** Whether the request depends on no earlier one, so that it can be sent on a new connection. */
  readonly begins: boolean;
  /**
   * Number of the operation that it belongs to. A request that begins and does not end a transaction reserves a
   * connection of the pool for its operation.
   */
  readonly operation: number;
  /** Whether no request of the same transaction follows. */
  readonly ends?: boolean;
  /** The connection is closed when it takes longer, in milliseconds. */
  readonly timeoutMs: number;
}

/** Result of a statement. */
export interface SessionResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** Number of rows that were read or written. */
  readonly rowCount: number;
  /** Command tag, such as `SELECT` or `COMMIT`. */
  readonly command: string;
}

/** Why there is no result. */
export interface SessionFailure {
  /**
   * `connect`: there is no connection, and nothing was done. `lost`: the connection was lost; what was running is
   * rolled back, except perhaps a commit. `statement`: the server has rejected a statement.
   */
  readonly kind: 'connect' | 'lost' | 'statement';
  /** SQLSTATE, or the name that the system or we use; empty when there is none. */
  readonly code: string;
  readonly message: string;
  /** Index of the rejected step. */
  readonly step?: number;
}

/** Errors that waiting does not fix: wrong names and passwords, rejected by the server, and our own findings. */
export const permanentCodes =
  /^(28|3D|42|too_old|wrong_encoding|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** Error of a database on a server. */
export class PostgresFailure extends Error {
  override readonly name = 'PostgresFailure';
  readonly failure: SessionFailure;
  /** Whether a commit was running, whose outcome is unknown. */
  readonly isCommit: boolean;

  constructor(failure: SessionFailure, isCommit = false) {
    super(failure.message);
    this.failure = failure;
    this.isCommit = isCommit;
  }
}

/** Error of a step of a request. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly step: number;

  /** @param cause the error of the driver */
  constructor(step: number, cause: unknown) {
    super('a statement has failed', { cause });
    this.step = step;
  }
}

/** Creates the error of a connection that was lost. */
export const lost = (message: string, code = ''): PostgresFailure =>
  new PostgresFailure({ kind: 'lost', code, message });

/** Where the connections of a store lead. */
export interface SessionSettings {
  /** Without our own parameters. It may name several hosts; standbys are skipped. */
  readonly url: string;
  readonly schema: string;
  /** Distinguishes our own notifications from those of other connections. */
  readonly origin: string;
}

/** Returns the channel on which commits are announced, once per transaction. */
export const getChannel = (schema: string): string => `${schema}_changes`;

/** Quotes a name for SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The oldest server version that supports the schema. */
export const minServerVersion = 15;

/** Milliseconds. */
const statementTimeoutMs = 25_000;

export const sessionInfoSql = /* sql */ `
  SELECT CAST(current_setting('server_version_num') AS INTEGER), current_setting('server_encoding'), pg_is_in_recovery(),
    pg_backend_pid(), (SELECT CAST(backend_start AS text) FROM pg_stat_activity WHERE pid = pg_backend_pid())`;

/**
 * Returns the statements that set up a session, whatever the server, the database or the role sets. JIT is off, because
 * compiling queries would cost more than running any of ours.
 */
export const setUpText = (schema: string): string => /* sql */ `
  SET search_path TO ${quoteName(schema)};
  SET lock_timeout = ${timings.databaseLock};
  SET statement_timeout = ${statementTimeoutMs};
  SET idle_in_transaction_session_timeout = ${timings.idleTransaction};
  SET idle_session_timeout = 0;
  SET default_transaction_isolation = 'read committed';
  SET client_min_messages = warning;
  SET synchronous_commit = on;
  SET jit = off`;

/** Returns the same statements for a single transaction. A pooler gives the next one to another session. */
export const setUpTransactionText = (schema: string): string =>
  setUpText(schema).replaceAll(/\bSET /g, 'SET LOCAL ');
