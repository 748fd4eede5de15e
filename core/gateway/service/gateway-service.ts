import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import type { HomePaths } from '../../home/config/home.ts';
import type { CatalogFailure } from '../catalog/catalog-cache.ts';
import { type GatewaySettings, readGatewaySettings } from '../gateway-settings.ts';
import type { OpenGateway } from './open-gateway.ts';

/** The database gateway of a home as seen by the server. The first request opens it. */
export interface GatewayService {
  readonly isEnabled: boolean;
  /** Maximum size of a request body in bytes. */
  readonly maxBodyBytes: number;
  /** Allowed CORS origins; `*` allows any origin with a token. */
  readonly corsOrigins: readonly string[];
  /** Whether a token key is configured. */
  readonly takesTokens: boolean;
  /** Handles a request. Request errors are responses, not rejections. */
  handle(request: GatewayRequest): Promise<GatewayResponse>;
}

/** A request to the gateway, independent of HTTP. */
export interface GatewayRequest {
  /** In upper case. */
  readonly method: string;
  /** Decoded path after the mount: `['people']`, `['rpc', 'add']`; empty for the root. */
  readonly path: readonly string[];
  /** Raw query string after the `?`. */
  readonly query: string;
  /** Names in lower case; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether the request can only come from this machine, so that no token is required. */
  readonly isLoopback: boolean;
  /** Path prefix of response URLs: `/gateway`, or for example `/flows/gateway`. */
  readonly mount: string;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
}

/** A gateway response. */
export interface GatewayResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Body from the database; null for none. */
  readonly body: string | null;
}

/** The database gateway of a home. Loads nothing before it is used: most hosts never do. */
export class LazyGateway implements GatewayService {
  readonly settings: GatewaySettings;
  readonly #open: () => Promise<OpenGateway>;
  #opened: Promise<OpenGateway> | undefined;
  #catalogs: OpenGateway['catalogs'] | undefined;
  #isClosed = false;

  /** @param paths location of the embedded database */
  constructor(config: EngineConfig, paths: Pick<HomePaths, 'data'>, clock: Clock, logger: Logger) {
    const settings = readGatewaySettings(config);
    this.settings = settings;
    this.#open = async () => (await import('./open-gateway.ts')).openGateway(settings, paths, clock, logger);
  }

  get isEnabled(): boolean {
    return this.settings.isEnabled;
  }

  get maxBodyBytes(): number {
    return this.settings.maxBodyBytes;
  }

  get corsOrigins(): readonly string[] {
    return this.settings.corsOrigins;
  }

  get takesTokens(): boolean {
    return this.settings.jwtKey !== undefined;
  }

  /** Set while reloads fail and an outdated catalog is in use. */
  get catalogFailure(): CatalogFailure | undefined {
    return this.#catalogs?.failure;
  }

  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    return (await this.open()).gateway.handle(request);
  }

  /**
   * Loads the gateway once. The first query opens its database.
   * @throws `unavailable` after `close`
   */
  async open(): Promise<OpenGateway> {
    if (this.#isClosed) throw new AppError('unavailable', 'The gateway is closed.');
    return await (this.#opened ??= this.#load());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#opened)?.close();
  }

  async #load(): Promise<OpenGateway> {
    const opened = await this.#open();
    this.#catalogs = opened.catalogs;
    return opened;
  }
}
