import type { CatalogFailure } from '../catalog/catalog-keeper.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { OpenGateway } from './open-gateway.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';

/** The database gateway of a home, as a server sees it: opened by its first request. */
export interface GatewayDoor {
  readonly isEnabled: boolean;
  /** Bytes of a request body at most. */
  readonly maxBodyBytes: number;
  /** Origins whose pages may use it; `*` for those of any, with a token. */
  readonly corsOrigins: readonly string[];
  /** Whether it knows tokens. */
  readonly takesTokens: boolean;
  /** Never rejects because of what is asked: refusals are responses, too. */
  handle(request: GatewayRequest): Promise<GatewayResponse>;
}

/** The same for those who work with its parts. */
export interface GatewayOpening extends GatewayDoor {
  readonly settings: GatewaySettings;
  /** Set while reloads of the catalog fail and an old one is in use. */
  readonly catalogFailure: CatalogFailure | undefined;
  /** Loads it, once. Its database is opened by the first who asks it for something. */
  open(): Promise<OpenGateway>;
}
