import type { GatewayRequest, GatewayResponse } from '../../gateway/service/request.ts';

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
