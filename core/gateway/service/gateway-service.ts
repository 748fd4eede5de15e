import type { CatalogFailure } from '../catalog/catalog-keeper.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { OpenGateway } from './open-gateway.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';

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
