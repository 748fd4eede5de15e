/** An SQL statement. All values are bound as text, `$1` is the first; PostgreSQL parses each by its type. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** Result of a statement. Each value is as PostgreSQL prints it, so that numbers are not rounded. */
export interface StatementResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** PostgreSQL type OIDs of the columns. */
  readonly typeIds?: readonly number[];
  /** Number of rows written or read. */
  readonly affected: number;
}

/** Statements that run atomically. */
export interface Transaction {
  /** A write fails with SQLSTATE 25006. */
  readonly isReadOnly: boolean;
  /** Default: `READ COMMITTED`. */
  readonly isolation?: 'repeatable read' | 'serializable';
  /**
   * Settings of this transaction, applied before its statements. With settings, the statements must not begin or end a
   * transaction.
   */
  readonly settings?: readonly Setting[];
  readonly statements: readonly Statement[];
  /** Called before the commit; false rolls back. The results are returned either way. */
  readonly keeps?: (results: readonly StatementResult[]) => boolean;
  /**
   * SQL condition under which `keeps` must be called; if it is false, the transaction commits without the call. The
   * commit is then sent together with the statements, which saves a round trip. Must not contain request data.
   */
  readonly doubt?: string;
  /** Timeout of each statement. Default: the gateway setting. A statement that times out fails with SQLSTATE 57014. */
  readonly timeoutMs?: number;
  /** Cancels the running statement: SQLSTATE 57014. */
  readonly signal?: AbortSignal;
}

/** Status of a database. */
export interface DatabaseStatus {
  readonly kind: 'embedded' | 'server';
  readonly state: 'closed' | 'opening' | 'open' | 'failed';
  /** For example `18.6`; known once the database has been opened. */
  readonly version?: string | undefined;
  /** Location without a password: a directory or a URL. */
  readonly place: string;
  /** Reason why the database could not be opened. */
  readonly failure?: string | undefined;
}

/** A PostgreSQL database, embedded or on a server. Opens at its first use. */
export interface GatewayDatabase {
  /**
   * Runs a transaction.
   * @throws DatabaseError the error of PostgreSQL
   * @throws DatabaseUnavailable if the database is unreachable, or if no connection is free before the timeout
   */
  transact(transaction: Transaction): Promise<readonly StatementResult[]>;
  /** Runs any number of statements without parameters, like `psql -f`. Stops at the first error. */
  runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]>;
  /** Calls back at each NOTIFY on a channel, and with `undefined` after a reconnect. */
  listen(channel: string, onNotice: (payload: string | undefined) => void): Promise<() => Promise<void>>;
  status(): DatabaseStatus;
  close(): Promise<void>;
}

/** A PostgreSQL error. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE, five characters. */
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  /** Position of the error in the statement, in characters from 1. */
  readonly position: number | null;

  constructor(
    message: string,
    fields: { code: string; detail?: string | null; hint?: string | null; position?: number | null },
  ) {
    super(message);
    this.code = fields.code;
    this.detail = fields.detail ?? null;
    this.hint = adviseAgainstCopy(fields.hint ?? null);
    this.position = fields.position ?? null;
  }
}

/** PostgreSQL's hint to use `\\copy` of psql cannot be followed here: names the ways that work. */
function adviseAgainstCopy(hint: string | null): string | null {
  if (hint === null || !hint.includes(String.raw`\copy`)) return hint;
  return 'Use "Import CSV" on the Gateway page, run "engine gateway import FILE --table TABLE", or send the file to /gateway/TABLE with Content-Type: text/csv.';
}

/** The database is unreachable. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** `busy`: no connection is free. */
  readonly reason: 'unreachable' | 'busy' | 'closed' | 'lost';

  constructor(message: string, reason: DatabaseUnavailable['reason'], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Name and value of a PostgreSQL setting. */
export type Setting = readonly [name: string, value: string];

/** Cached SQL by setting names, because requests set the same ones repeatedly. */
const texts = new Map<string, string>();
const maxTexts = 100;

/**
 * Returns a statement that sets each setting for the transaction, in order. It returns one number instead of all
 * values.
 */
export function setStatement(settings: readonly Setting[]): Statement {
  const names = settings.map(([name]) => name);
  return { text: formatNames(names), values: settings.map(([, value]) => value) };
}

function formatNames(names: readonly string[]): string {
  const key = names.join('\n');
  const known = texts.get(key);
  if (known !== undefined) return known;
  const calls = names.map((name, index) => `set_config(${quoteText(name)}, $${index + 1}, true)`);
  const made = `SELECT num_nulls(${calls.join(', ')})`;
  if (texts.size >= maxTexts) texts.clear();
  texts.set(key, made);
  return made;
}

/** Quotes a string for SQL. In this form, a backslash has the same meaning in every session. */
const quoteText = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`;

/** Returns the statement that starts a transaction. */
export function beginText({ isReadOnly, isolation }: Pick<Transaction, 'isReadOnly' | 'isolation'>): string {
  const level = (isolation ?? 'read committed').toUpperCase();
  return `BEGIN ISOLATION LEVEL ${level} READ ${isReadOnly ? 'ONLY' : 'WRITE'}`;
}
