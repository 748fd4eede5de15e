import type { Timings } from '../../../base/timings.ts';
import type { SqlValue } from '../database.ts';

/** A statement in PostgreSQL's own SQL. */
export interface SessionStep {
  readonly text: string;
  /** Absent: the string may have several statements, and is not cached as a prepared one. */
  readonly values?: readonly SqlValue[];
}

/** A request to the thread of a connection. Its steps are sent together. */
export interface SessionRequest {
  /** 0 when the result is not awaited. */
  readonly id: number;
  readonly steps: readonly SessionStep[];
  /** Whether the request depends on no earlier one, so that it can be sent on a new connection. */
  readonly begins: boolean;
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

export type SessionReply =
  | { readonly id: number; readonly results: readonly SessionResult[] }
  | { readonly id: number; readonly failure: SessionFailure };

/** Input for starting the thread of a connection. */
export interface SessionSettings {
  /** Without our own parameters. */
  readonly url: string;
  readonly schema: string;
  /** Distinguishes our own notifications from those of other connections. */
  readonly origin: string;
  /** Timings of this process: a thread has none of its own. */
  readonly timings: Timings;
  /** Counters of replies and of changes by others; see {@link counterIndexes}. */
  readonly counters: SharedArrayBuffer;
}

/** Indexes of the shared counters. */
export const counterIndexes = { replies: 0, changes: 1 } as const;

/** Returns the channel on which commits are announced, once per transaction. */
export const channelOf = (schema: string): string => `${schema}_changes`;

/** Quotes a name for SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
