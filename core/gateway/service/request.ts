/** A request to the gateway, free of what carries it. */
export interface GatewayRequest {
  /** In capitals. */
  readonly method: string;
  /** Behind the mount, decoded: `['people']`, `['rpc', 'add']`; empty for the root. */
  readonly path: readonly string[];
  /** Behind the `?`, as it was sent. */
  readonly query: string;
  /** Names in lower case; of a name that came several times the values are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether only somebody at this machine can have sent it, whom nobody has to ask for a token. */
  readonly isLoopback: boolean;
  /** What addresses of responses begin with: `/gateway`, or such as `/flows/gateway`. */
  readonly mount: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** What the gateway answers. */
export interface GatewayResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** As the database made it; null for none. */
  readonly body: string | null;
}
