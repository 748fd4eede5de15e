import type { Setting } from './setting.ts';

/** One statement of SQL. All values are bound: `$1` is the first; each as text, which PostgreSQL reads by its type. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** What a statement gave back, each value as PostgreSQL prints it: no number is ever rounded on the way. */
export interface StatementResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** PostgreSQL's numbers of the columns' types. */
  readonly typeIds?: readonly number[];
  /** Rows that were written, or read. */
  readonly affected: number;
}

/** Statements that happen together or not at all. */
export interface Transaction {
  /** A write then fails with SQLSTATE 25006. */
  readonly isReadOnly: boolean;
  /** `READ COMMITTED` when absent. */
  readonly isolation?: 'repeatable read' | 'serializable';
  /**
   * Set for it alone, ahead of its statements, which are then SQL of this program: none of them begins or ends a transaction.
   */
  readonly settings?: readonly Setting[];
  readonly statements: readonly Statement[];
  /** Asked before the commit; false rolls back, and the results are given all the same. */
  readonly keeps?: (results: readonly StatementResult[]) => boolean;
  /**
   * When `keeps` would certainly say yes, and need not be asked: a condition in SQL of this program, that is true when there is
   * a doubt. The commit then goes out with the statements, which saves a round trip.
   */
  readonly doubt?: string;
  /** For each statement; the setting of the gateway when absent. Over it, the statement is ended: SQLSTATE 57014. */
  readonly timeoutMs?: number;
  /** Ends the statement under way: SQLSTATE 57014. */
  readonly signal?: AbortSignal;
}

/** How a database is doing. */
export interface DatabaseStatus {
  readonly kind: 'embedded' | 'server';
  readonly state: 'closed' | 'opening' | 'open' | 'failed';
  /** Such as `18.6`; known once it was open. */
  readonly version?: string | undefined;
  /** Where it is, without a password: a folder, or a URL. */
  readonly place: string;
  /** Why it could not be opened. */
  readonly failure?: string | undefined;
}

/** A PostgreSQL database: the embedded one, or a server. Opens at the first use. */
export interface GatewayDatabase {
  /**
   * Runs a transaction.
   * @throws DatabaseError what PostgreSQL says
   * @throws DatabaseUnavailable when it cannot be reached or opened, or all its connections are taken for too long
   */
  transact(transaction: Transaction): Promise<readonly StatementResult[]>;
  /** Runs any number of statements without values, as `psql -f` does; stops at the first that fails. */
  runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]>;
  /** Calls back at each NOTIFY of a channel, also after the connection was lost and made again (then with `undefined`). */
  listen(channel: string, onNotice: (payload: string | undefined) => void): Promise<() => Promise<void>>;
  status(): DatabaseStatus;
  close(): Promise<void>;
}

/** What PostgreSQL said of a statement that failed. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE, five characters. */
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  /** Of the fault in the statement's text, counted in characters from 1. */
  readonly position: number | null;

  constructor(
    message: string,
    fields: { code: string; detail?: string | null; hint?: string | null; position?: number | null },
  ) {
    super(message);
    this.code = fields.code;
    this.detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.position = fields.position ?? null;
  }
}

/** The database could not be asked at all. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** `busy`: all connections are taken. */
  readonly reason: 'unreachable' | 'busy' | 'closed' | 'lost';

  constructor(message: string, reason: DatabaseUnavailable['reason'], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
