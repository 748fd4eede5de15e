import { toIso } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../../base/errors.ts';
import { DatabaseUnavailable, type GatewayDatabase } from '../database/database.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Catalog } from './catalog.ts';
import { type CatalogScope, readCatalog } from './read-catalog.ts';

/** Channels on which the database asks for a reload; `pgrst` is the one that users of PostgREST notify. */
export const reloadChannels = ['stepwright', 'pgrst'] as const;

/** What `pgrst` is told to have only the configuration read anew, which is none of the catalog. */
const otherRequest = 'reload config';

/** How long a catalog that could not be reloaded is used before a request tries again. */
const RETRY_MS = 30_000;

/** Why the catalog in use is an old one. */
export interface CatalogFailure {
  readonly message: string;
  /** Milliseconds since 1970: of the first reload that failed. */
  readonly since: number;
}

/**
 * Reads the catalog when it is first needed, and again whenever it may be out of date: by call, at a NOTIFY, and after the
 * connection was lost. Requests wait for a reload; while reloads fail, the last catalog stays in use.
 */
export class CatalogKeeper {
  readonly #database: GatewayDatabase;
  readonly #scope: CatalogScope;
  readonly #logger: Logger;
  #prepare: (() => Promise<void>) | undefined;
  #catalog: Catalog | undefined;
  /** How often the catalog has been found out of date, and how often when what is kept began to be read. */
  #wanted = 1;
  #kept = 0;
  #reading: Promise<void> | undefined;
  /** Of the last reload; `wanted` is what it was for, `triedAt` on the monotonic clock. */
  #failure: (CatalogFailure & { readonly wanted: number; readonly triedAt: number }) | undefined;
  #isClosed = false;
  readonly #listening = new Map<string, () => Promise<void>>();

  /** @param prepare done once, before the catalog is first read; should it fail, that is reported and no more */
  constructor(database: GatewayDatabase, scope: CatalogScope, logger: Logger, prepare?: () => Promise<void>) {
    this.#database = database;
    this.#scope = scope;
    this.#logger = logger;
    this.#prepare = prepare;
  }

  /** What is known at the moment, without asking the database; undefined when nothing is, or it is out of date. */
  get current(): Catalog | undefined {
    return this.#kept === this.#wanted ? this.#catalog : undefined;
  }

  /** Whether it is being read. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  /** Set while the catalog in use is older than the last reload. */
  get failure(): CatalogFailure | undefined {
    return this.#failure;
  }

  /**
   * The catalog as it is now, or the last one while it cannot be reloaded.
   * @throws GatewayError PGRST002 when it could never be read; the next call tries again
   * @throws DatabaseUnavailable when the database cannot be asked at all
   */
  async get(): Promise<Catalog> {
    if (this.#catalog !== undefined && this.#isWaitingForRetry()) return this.#catalog;
    try {
      return await this.#readFor(this.#wanted);
    } catch (thrown) {
      if (this.#catalog === undefined || !(thrown instanceof GatewayError)) throw thrown;
      return this.#catalog;
    }
  }

  /**
   * Reads the catalog again.
   * @throws GatewayError PGRST002 when that fails, and the last catalog stays in use
   * @throws DatabaseUnavailable when the database cannot be asked at all
   */
  async reload(): Promise<Catalog> {
    this.#wanted += 1;
    return await this.#readFor(this.#wanted);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const stops = [...this.#listening.values()];
    this.#listening.clear();
    await Promise.allSettled(stops.map((stop) => stop()));
  }

  #isWaitingForRetry(): boolean {
    const failure = this.#failure;
    if (failure?.wanted !== this.#wanted) return false;
    return this.#scope.clock.monotonic() - failure.triedAt < RETRY_MS;
  }

  async #readFor(needed: number): Promise<Catalog> {
    // What is under way when this is called may have begun before.
    while (this.#kept < needed || this.#catalog === undefined) await this.#read();
    return this.#catalog;
  }

  async #read(): Promise<void> {
    if (this.#isClosed) throw new DatabaseUnavailable('The gateway is closed.', 'closed');
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #readOnce(): Promise<void> {
    await this.#prepareOnce();
    // First, so that no change between the two is missed.
    await this.#listen();
    const wanted = this.#wanted;
    try {
      this.#catalog = await readCatalog(this.#database, this.#scope);
      this.#kept = wanted;
      this.#failure = undefined;
    } catch (thrown) {
      if (thrown instanceof DatabaseUnavailable) throw thrown;
      throw this.#fail(wanted, messageOf(thrown));
    }
  }

  #fail(wanted: number, message: string): GatewayError {
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
    this.#failure = { message, since, wanted, triedAt: clock.monotonic() };
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
    } catch (thrown) {
      if (thrown instanceof DatabaseUnavailable) throw thrown;
      this.#logger.warn(`Cannot set up automatic schema reload: ${messageOf(thrown)}`);
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
      } catch (thrown) {
        if (thrown instanceof DatabaseUnavailable) throw thrown;
        // Some servers between have no LISTEN; reloading by call is still there.
        this.#logger.warn(`Cannot listen for schema changes on ${channel}: ${messageOf(thrown)}`);
      }
    }
  }

  #renew(payload: string | undefined): void {
    if (payload === otherRequest || this.#isClosed) return;
    this.reload().catch((thrown: unknown) => {
      // Refusals of a reload have been logged where the failure is kept.
      if (thrown instanceof GatewayError && this.#catalog !== undefined) return;
      this.#logger.warn(`Cannot reload the gateway schema cache: ${messageOf(thrown)}`);
    });
  }
}
