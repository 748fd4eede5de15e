import type { CatalogFailure } from '../catalog/catalog-cache.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
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

/** A gateway door with access to its parts. */
export interface GatewayProvider extends GatewayService {
  readonly settings: GatewaySettings;
  /** Set while reloads fail and an outdated catalog is in use. */
  readonly catalogFailure: CatalogFailure | undefined;
  /** Loads the gateway once. The first query opens its database. */
  open(): Promise<OpenGateway>;
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
