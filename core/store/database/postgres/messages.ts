import type { Timings } from '../../../base/timings.ts';
import type { SqlValue } from '../database.ts';

/** A statement in PostgreSQL's own SQL. */
export interface SessionStep {
  readonly text: string;
  /** Absent: the text may have several statements, and is not kept as a prepared one. */
  readonly values?: readonly SqlValue[];
}

/** What the thread of a connection is asked to do. Its steps go out together. */
export interface SessionRequest {
  /** 0 when nobody waits for the end. */
  readonly id: number;
  readonly steps: readonly SessionStep[];
  /** Nothing was done before that it depends on, so it may go out on a new connection. */
  readonly begins: boolean;
  /** The connection is broken when it takes longer, milliseconds. */
  readonly timeoutMs: number;
}

/** What a statement gave. */
export interface SessionResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** Rows that were read or written. */
  readonly rowCount: number;
  /** Such as `SELECT` or `COMMIT`. */
  readonly command: string;
}

/** Why there is no result. */
export interface SessionFailure {
  /**
   * `connect`: there is no connection, and nothing was done. `lost`: there is none any more; what was under way is undone,
   * a commit perhaps not. `statement`: the server has refused a statement.
   */
  readonly kind: 'connect' | 'lost' | 'statement';
  /** SQLSTATE, or the system's or our own name for it; empty when there is none. */
  readonly code: string;
  readonly message: string;
  /** Place of the step that was refused. */
  readonly step?: number;
}

export type SessionReply =
  | { readonly id: number; readonly results: readonly SessionResult[] }
  | { readonly id: number; readonly failure: SessionFailure };

/** What the thread of a connection is started with. */
export interface SessionSettings {
  /** Without our own parameters. */
  readonly url: string;
  readonly schema: string;
  /** Tells our own notices from those of others. */
  readonly origin: string;
  /** Of this process: a thread has none of its own. */
  readonly timings: Timings;
  /** Numbers of answers and of what others have changed; see {@link counterOf}. */
  readonly counters: SharedArrayBuffer;
}

/** Places of the shared counters. */
export const counterOf = { replies: 0, changes: 1 } as const;

/** Where commits are told of; once per transaction. */
export const channelOf = (schema: string): string => `${schema}_changes`;

/** A name in SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
