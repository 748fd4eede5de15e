/** Settings of the gateway: `gateway:` of config.yaml, or its variables of the environment. */
export interface GatewaySettings {
  readonly isEnabled: boolean;
  /** Of a PostgreSQL server (13 or later); absent means the embedded database. */
  readonly databaseUrl?: string;
  /** Exposed schemas; the first is the default profile. */
  readonly schemas: readonly string[];
  /** Schemas beside the exposed one in the search path of requests. */
  readonly extraSearchPath: readonly string[];
  /** Connections to a server at most. */
  readonly poolSize: number;
  /** How long a request waits for a connection. */
  readonly poolTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** Whether connections to a server keep the statements that they have read and planned. */
  readonly preparesStatements: boolean;
  /** Rows of one response at most; absent means no limit. */
  readonly maxRows?: number;
  /** Bytes of a request body at most. */
  readonly maxBodyBytes: number;
  /** Whether PATCH and DELETE without filters are carried out without a header that says so. */
  readonly allowsUnfiltered: boolean;
  readonly allowsAggregates: boolean;
  /** Whether `Prefer: tx=rollback` is honoured. */
  readonly allowsTxOverride: boolean;
  /** Role of requests without a token; absent means that a token is needed, unless no key is set and the server is on loopback. */
  readonly anonymousRole?: string;
  /** A secret of at least 32 characters, a public key in PEM, or a JWK or JWK set. Absent means no tokens. */
  readonly jwtKey?: string;
  /** Superusers, roles with REPLICATION and `pg_*` roles that tokens may name. */
  readonly privilegedRoles: readonly string[];
  readonly jwtAudience?: string;
  /** Path of the claim that names the role: `.role`, `.resource_access.api.roles[0]`. */
  readonly jwtRoleClaim: string;
  /** Function called before the main statement, `schema.name`. */
  readonly preRequest?: string;
  /** Origins that browsers may call from. */
  readonly corsOrigins: readonly string[];
}
