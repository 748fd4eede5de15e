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
