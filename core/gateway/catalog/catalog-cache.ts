import { toIso } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { DatabaseUnavailable, type GatewayDatabase, DatabaseError } from '../../store/sql/database.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Catalog } from './catalog.ts';
import { type CatalogScope, readCatalog } from './read-catalog.ts';

/** Channels on which a NOTIFY reloads the catalog. `pgrst` is the channel that PostgREST uses. */
export const reloadChannels = ['stepwright', 'pgrst'] as const;

/** Payload on `pgrst` that reloads only the configuration, which does not affect the catalog. */
const otherRequest = 'reload config';

/** Time after a failed reload before a request tries to reload again. */
const RETRY_MS = 30_000;

/** Failure of the last reload. The catalog in use is out of date. */
export interface CatalogFailure {
  readonly message: string;
  /** Time of the first failed reload, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Reads the catalog at its first use, and again after a reload request, a NOTIFY, or a lost connection. Requests wait
 * for a reload. While reloads fail, the last catalog stays in use.
 */
export class CatalogCache {
  readonly #database: GatewayDatabase;
  readonly #scope: CatalogScope;
  readonly #logger: Logger;
  #prepare: (() => Promise<void>) | undefined;
  #catalog: Catalog | undefined;
  /** Number of reload requests so far, and that number at the start of the read of the current catalog. */
  #requestedVersion = 1;
  #loadedVersion = 0;
  #reading: Promise<void> | undefined;
  /** Failure of the last reload. `requestedVersion` is the reload request it served, `triedAt` is on the monotonic clock. */
  #failure: (CatalogFailure & { readonly requestedVersion: number; readonly triedAt: number }) | undefined;
  #isClosed = false;
  readonly #listening = new Map<string, () => Promise<void>>();

  /** @param prepare runs once before the first read; a failure is only logged */
  constructor(database: GatewayDatabase, scope: CatalogScope, logger: Logger, prepare?: () => Promise<void>) {
    this.#database = database;
    this.#scope = scope;
    this.#logger = logger;
    this.#prepare = prepare;
  }

  /** Returns the current catalog without a query; undefined if there is none or it is out of date. */
  get current(): Catalog | undefined {
    return this.#loadedVersion === this.#requestedVersion ? this.#catalog : undefined;
  }

  /** Whether a read is in progress. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  /** Returns the failure of the last reload; undefined if the catalog is up to date. */
  get failure(): CatalogFailure | undefined {
    return this.#failure;
  }

  /**
   * Returns the current catalog, or the last one while reloads fail.
   * @throws GatewayError PGRST002 if the catalog was never read; the next call tries again
   * @throws DatabaseUnavailable if the database is unreachable
   */
  async get(): Promise<Catalog> {
    if (this.#catalog !== undefined && this.#isWaitingForRetry()) return this.#catalog;
    try {
      return await this.#loadVersion(this.#requestedVersion);
    } catch (error) {
      if (this.#catalog === undefined || !(error instanceof GatewayError)) throw error;
      return this.#catalog;
    }
  }

  /**
   * Reloads the catalog.
   * @throws GatewayError PGRST002 if the reload fails; the last catalog stays in use
   * @throws DatabaseUnavailable if the database is unreachable
   */
  async reload(): Promise<Catalog> {
    this.#requestedVersion += 1;
    return await this.#loadVersion(this.#requestedVersion);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const stops = [...this.#listening.values()];
    this.#listening.clear();
    await Promise.allSettled(stops.map((stop) => stop()));
  }

  #isWaitingForRetry(): boolean {
    const failure = this.#failure;
    if (failure?.requestedVersion !== this.#requestedVersion) return false;
    return this.#scope.clock.monotonic() - failure.triedAt < RETRY_MS;
  }

  async #loadVersion(needed: number): Promise<Catalog> {
    // A read that is already in progress may have started before the change.
    while (this.#loadedVersion < needed || this.#catalog === undefined) await this.#read();
    return this.#catalog;
  }

  async #read(): Promise<void> {
    if (this.#isClosed) throw new DatabaseUnavailable('The gateway is closed.', 'closed');
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #readOnce(): Promise<void> {
    await this.#prepareOnce();
    // Listen before reading, so that no change between the two is missed.
    await this.#listen();
    const requestedVersion = this.#requestedVersion;
    try {
      this.#catalog = await readCatalog(this.#database, this.#scope);
      this.#loadedVersion = requestedVersion;
      this.#failure = undefined;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      throw this.#fail(requestedVersion, getErrorMessage(error));
    }
  }

  #fail(requestedVersion: number, message: string): GatewayError {
    const { clock } = this.#scope;
    if (this.#catalog === undefined)
      return new GatewayError(503, 'PGRST002', 'Cannot load the schema cache', {
        details: message,
        hint: 'Check that the gateway role can read pg_catalog. The next request tries again.',
      });
    if (this.#failure?.message !== message)
      this.#logger.warn(
        `Cannot reload the gateway schema cache, still using the one from ${toIso(this.#catalog.readAt)}: ${message}`,
      );
    const since = this.#failure?.since ?? clock.now();
    this.#failure = { message, since, requestedVersion, triedAt: clock.monotonic() };
    return new GatewayError(503, 'PGRST002', 'Cannot reload the schema cache', {
      details: message,
      hint: `The schema cache from ${toIso(this.#catalog.readAt)} stays in use. Fix the cause and reload again.`,
    });
  }

  async #prepareOnce(): Promise<void> {
    const prepare = this.#prepare;
    if (prepare === undefined) return;
    try {
      await prepare();
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      this.#logger.warn(`Cannot set up automatic schema reload: ${getErrorMessage(error)}`);
    }
    this.#prepare = undefined;
  }

  async #listen(): Promise<void> {
    for (const channel of reloadChannels) {
      if (this.#listening.has(channel)) continue;
      try {
        const stop = await this.#database.listen(channel, (payload) => this.#renew(payload));
        if (this.#isClosed) await stop();
        else this.#listening.set(channel, stop);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        // Some proxies do not support LISTEN. An explicit reload still works.
        this.#logger.warn(`Cannot listen for schema changes on ${channel}: ${getErrorMessage(error)}`);
      }
    }
  }

  #renew(payload: string | undefined): void {
    if (payload === otherRequest || this.#isClosed) return;
    this.reload().catch((error: unknown) => {
      // The failed reload has already been logged.
      if (error instanceof GatewayError && this.#catalog !== undefined) return;
      this.#logger.warn(`Cannot reload the gateway schema cache: ${getErrorMessage(error)}`);
    });
  }
}

/**
 * SQL of event triggers that request a reload after each schema change, including casts and domains, which the example
 * in the PostgREST documentation misses. All changes of a transaction send one NOTIFY at commit. Temporary objects and
 * refreshes of materialized views are ignored. Requires a superuser.
 */
export const eventTriggerSql = `\
CREATE SCHEMA IF NOT EXISTS stepwright;

CREATE OR REPLACE FUNCTION stepwright.notify_change() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_event_trigger_ddl_commands()
    WHERE schema_name IS DISTINCT FROM 'pg_temp' AND command_tag <> 'REFRESH MATERIALIZED VIEW'
  ) THEN
    NOTIFY stepwright, 'reload schema';
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION stepwright.notify_drop() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() WHERE NOT is_temporary) THEN
    NOTIFY stepwright, 'reload schema';
  END IF;
END
$$;

DROP EVENT TRIGGER IF EXISTS stepwright_change;
CREATE EVENT TRIGGER stepwright_change ON ddl_command_end EXECUTE FUNCTION stepwright.notify_change();

DROP EVENT TRIGGER IF EXISTS stepwright_drop;
CREATE EVENT TRIGGER stepwright_drop ON sql_drop EXECUTE FUNCTION stepwright.notify_drop();
`;

/**
 * Installs the event trigger. Idempotent.
 * @throws DatabaseError 42501 if the role is not a superuser
 */
export async function installEventTrigger(database: GatewayDatabase): Promise<void> {
  try {
    await database.runScript(eventTriggerSql);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '42501') throw error;
    const hint =
      'Event triggers require a superuser: run the command as a superuser, or run NOTIFY stepwright after each schema change.';
    throw new DatabaseError(error.message, { code: error.code, detail: error.detail, hint });
  }
}
