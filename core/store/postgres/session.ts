import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { readConnectionUrl, splitHosts } from '../sql/connection-settings.ts';
import type { SqlValue } from '../database/database.ts';
import type { Connection } from './connection.ts';
import {
  getChannel,
  lost,
  PostgresFailure,
  quoteName,
  type SessionFailure,
  type SessionRequest,
  type SessionResult,
  type SessionSettings,
  type SessionStep,
  minServerVersion,
  permanentCodes,
  sessionInfoSql,
  setUpText,
  setUpTransactionText,
  StepFailed,
} from './requests.ts';

const connectTimeoutMs = 5000;
const keepAliveMs = 10_000;
/**
 * Least pause before reconnecting to an unreachable server, in milliseconds, and twice the time that the failed attempt
 * took.
 */
const reconnectPauseMs = 1000;
/** Interval at which changes of others are assumed when the server cannot announce them, in milliseconds. */
const pollMs = 1000;

/** Waits up to 5 s for the end of a session of the server. */
const endBackendSql = /* sql */ `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE pid = $1 AND backend_start = CAST($2 AS timestamptz)`;

/**
 * One connection to a server, opened when it is first needed and again after it was lost. With `onChange` it listens:
 * that is called when another connection has committed, and whenever a commit may have been missed.
 */
export class Session {
  readonly #settings: SessionSettings;
  readonly #clock: Clock;
  readonly #onChange: (() => void) | undefined;
  /** One for each host; the last that has accepted a connection is the first. */
  readonly #urls: string[];
  #client: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  /** The session of the server, which may outlive its connection: the server notices a lost one late. */
  #backend: SqlValue[] = [];
  /**
   * Stops polling. Set when the connection leads to a pooler such as PgBouncer: each transaction may have another
   * session of the server, so that settings, prepared statements and LISTEN do not last.
   */
  #stopPolling: Dispose | undefined;
  /** Why the connection was lost, until the next one is open. */
  #loss: string | undefined;
  /** Requests fail at once until this time of the monotonic clock. */
  #refusal: { readonly failure: SessionFailure; readonly until: number } | undefined;
  #connecting: Connection | undefined;
  #running = 0;
  #isClosed = false;

  constructor(settings: SessionSettings, clock: Clock, onChange?: () => void) {
    this.#settings = settings;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#urls = splitHosts(settings.url);
  }

  /**
   * Sends all steps at once, so that they cost one round trip. When one fails the others have failed too, or are rolled
   * back with their transaction: the step that starts a transaction cannot fail alone.
   * @throws PostgresFailure
   */
  async run({ steps: asked, begins, timeoutMs }: SessionRequest): Promise<SessionResult[]> {
    const client = this.#client ?? (await this.#open(begins));
    const steps = begins && this.#stopPolling !== undefined ? this.#asTransaction(asked) : asked;
    // The first step is ours when it makes a transaction of a single statement.
    const offset = steps.length - asked.length > 0 ? 1 : 0;
    const release = this.#hold(client);
    const stop = this.#clock.after(timeoutMs, () => this.#clock.soon(onTimeout));
    // The reply may have arrived while the event loop was busy.
    let isOver = false;
    const onTimeout = (): void => {
      if (isOver) return;
      this.#onLost(client, `no response for ${timeoutMs / 1000} seconds`);
      client.destroy();
    };
    try {
      const results = await client.run(steps);
      return results.slice(offset, offset + asked.length);
    } catch (error) {
      throw this.#toFailure(client, error as StepFailed, offset);
    } finally {
      isOver = true;
      stop();
      release();
    }
  }

  /** Keeps the process alive until the request has ended; an idle connection does not. */
  #hold(client: Connection): Dispose {
    this.#running += 1;
    client.socket.ref();
    return () => {
      this.#running -= 1;
      if (this.#running === 0) this.#client?.socket.unref();
    };
  }

  /** Adds the settings of the session to a transaction, or to a statement that is its own. */
  #asTransaction(steps: readonly SessionStep[]): readonly SessionStep[] {
    const setUp = setUpTransactionText(this.#settings.schema);
    const [first, ...rest] = steps;
    const begin = first!.text;
    if (!begin.startsWith('BEGIN'))
      return [{ text: `BEGIN; ${setUp}` }, ...steps, { text: 'COMMIT', values: [] }];
    return [{ text: `${begin}; ${setUp}` }, ...rest];
  }

  /** Whether the connection was lost, and there is no new one. */
  get isLost(): boolean {
    return this.#client === undefined && this.#loss !== undefined;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Connects. When that fails, the next request tries at once. */
  async open(): Promise<void> {
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** Closes the connection. */
  close(): void {
    this.#isClosed = true;
    this.#stopPolling?.();
    const client = this.#client;
    this.#client = undefined;
    // Its last messages are ignored.
    client?.end().catch(() => undefined);
    client?.socket.unref();
    this.#connecting?.destroy();
  }

  /** Several requests wait for the same connection. */
  #open(begins: boolean): Promise<Connection> {
    this.#opening ??= this.#reconnect(begins).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #reconnect(begins: boolean): Promise<Connection> {
    if (!begins) throw lost(this.#loss ?? 'closed');
    if (this.#refusal !== undefined && this.#clock.monotonic() < this.#refusal.until)
      throw new PostgresFailure(this.#refusal.failure);
    const started = this.#clock.monotonic();
    try {
      return await this.#connect();
    } catch (error) {
      const failure = toSessionError(error);
      const now = this.#clock.monotonic();
      this.#refusal = { failure, until: now + Math.max(reconnectPauseMs, 2 * (now - started)) };
      throw new PostgresFailure(failure);
    }
  }

  /** Connects to the first host that is no standby. */
  async #connect(): Promise<Connection> {
    const failures: SessionFailure[] = [];
    for (const url of [...this.#urls]) {
      try {
        const client = await this.#connectTo(url);
        this.#urls.unshift(...this.#urls.splice(this.#urls.indexOf(url), 1));
        return client;
      } catch (error) {
        failures.push(toSessionError(error));
      }
    }
    throw new PostgresFailure(joinFailures(failures, this.#urls));
  }

  async #connectTo(url: string): Promise<Connection> {
    const { origin } = this.#settings;
    const { Connection } = await import('./connection.ts');
    const client = new Connection({
      ...readConnectionUrl(url),
      application_name: 'stepwright',
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: connectTimeoutMs,
      pipeline: true,
    });
    client.on('error', (error) => this.#onLost(client, error.message));
    client.on('end', () => this.#onLost(client, 'closed by the server'));
    client.on('notification', ({ payload }) => {
      if (payload !== origin) this.#onChange?.();
    });
    this.#connecting = client;
    try {
      await client.connect();
      await this.#setUp(client);
      if (this.#isClosed) throw lost('closed');
    } catch (error) {
      client.destroy();
      throw error;
    } finally {
      this.#connecting = undefined;
    }
    client.socket.unref();
    this.#client = client;
    this.#loss = undefined;
    this.#onChange?.();
    return client;
  }

  async #setUp(client: Connection): Promise<void> {
    const { schema } = this.#settings;
    this.#stopPolling?.();
    this.#stopPolling = undefined;
    const [info] = await client.run([{ text: sessionInfoSql, values: [] }]);
    const [version, encoding, isStandby, ...backend] = info!.rows[0]!;
    assertServerVersion([version!, encoding!, isStandby!]);
    // A pooler has numbers of its own.
    if (backend[0] !== client.processId) {
      this.#stopPolling = this.#onChange === undefined ? () => {} : this.#clock.every(pollMs, this.#onChange);
      return;
    }
    // What was sent on a lost connection must not be committed after this.
    if (this.#backend.length > 0) await client.run([{ text: endBackendSql, values: this.#backend }]);
    this.#backend = backend;
    const listen = this.#onChange === undefined ? '' : `; LISTEN ${quoteName(getChannel(schema))}`;
    await client.run([{ text: setUpText(schema) + listen }]);
    client.keepsStatements = true;
  }

  #onLost(client: Connection, cause: string): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#loss = cause;
    this.#onChange?.();
  }

  #toFailure(client: Connection, { cause: error, step }: StepFailed, offset: number): PostgresFailure {
    const { code = '', severity } = error as { readonly code?: string; readonly severity?: string };
    const isServerError = typeof severity === 'string' && severity === 'ERROR';
    if (isServerError && !isOutdated(code, getErrorMessage(error)))
      return new PostgresFailure({
        kind: 'statement',
        code,
        message: getErrorMessage(error),
        step: step - offset,
      });
    this.#onLost(client, getErrorMessage(error));
    client.destroy();
    return lost(this.#loss ?? getErrorMessage(error), code);
  }
}

/** Whether the schema has changed under a prepared statement; a new connection prepares it again. */
const isOutdated = (code: string, message: string): boolean =>
  code === '0A000' && message.includes('cached plan');

function assertServerVersion([version, encoding, isStandby]: readonly SqlValue[]): void {
  if (Number(version) < minServerVersion * 10_000) {
    const message = `PostgreSQL ${Math.floor(Number(version) / 10_000)} is not supported; version ${minServerVersion} or newer is required`;
    throw new PostgresFailure({ kind: 'connect', code: 'too_old', message });
  }
  if (encoding !== 'UTF8') {
    const message = `the encoding is ${String(encoding)}; create the database with ENCODING 'UTF8'`;
    throw new PostgresFailure({ kind: 'connect', code: 'wrong_encoding', message });
  }
  if (isStandby !== 1) return;
  const message = 'the server is a read-only standby; use the URL of the primary';
  throw new PostgresFailure({ kind: 'connect', code: 'standby', message });
}

function toSessionError(error: unknown): SessionFailure {
  if (error instanceof PostgresFailure) return error.failure;
  // A name with several addresses fails once for each.
  const cause = error instanceof StepFailed ? error.cause : error;
  const reasons: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const { code = '' } = (cause ?? {}) as { readonly code?: string };
  return { kind: 'connect', code, message: reasons.map(getErrorMessage).join('; ') };
}

/** Waiting helps if one of the hosts is only away. */
function joinFailures(failures: readonly SessionFailure[], urls: readonly string[]): SessionFailure {
  const first = failures.find(({ code }) => !permanentCodes.test(code)) ?? failures[0]!;
  if (failures.length === 1) return first;
  const reasons = failures.map(({ message }, index) => `${new URL(urls[index]!).host}: ${message}`);
  const isStandby = failures.every(({ code }) => code === 'standby');
  return {
    ...first,
    code: isStandby || first.code !== 'standby' ? first.code : '',
    message: reasons.join('; '),
  };
}
