import { join } from 'node:path';
import type { HomePaths } from '../home/config/home.ts';
import type { EngineConfig } from '../home/config/engine-config.ts';

/** Gateway settings from `gateway:` in config.yaml or environment variables. */
export interface GatewaySettings {
  readonly isEnabled: boolean;
  /** URL of a PostgreSQL server (13 or later). Default: the embedded database. */
  readonly databaseUrl?: string;
  /** Exposed schemas; the first is the default profile. */
  readonly schemas: readonly string[];
  /** Schemas in the search path of requests after the exposed schema. */
  readonly extraSearchPath: readonly string[];
  /** Maximum number of server connections. */
  readonly poolSize: number;
  /** Maximum time that a request waits for a connection. */
  readonly poolTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** Whether server connections use prepared statements. */
  readonly preparesStatements: boolean;
  /** Maximum number of rows per response. Default: no limit. */
  readonly maxRows?: number;
  /** Maximum size of a request body in bytes. */
  readonly maxBodyBytes: number;
  /** Whether PATCH and DELETE without filters are allowed without a header. */
  readonly allowsUnfiltered: boolean;
  readonly allowsAggregates: boolean;
  /** Whether `Prefer: tx=rollback` is honoured. */
  readonly allowsTxOverride: boolean;
  /**
   * Role of requests without a token. If absent, a token is required, unless no key is set and the server is on
   * loopback.
   */
  readonly anonymousRole?: string;
  /** A secret of at least 32 characters, a public key in PEM, or a JWK or JWK set. If absent, tokens are disabled. */
  readonly jwtKey?: string;
  /** Superusers, roles with REPLICATION and `pg_*` roles that tokens may use. */
  readonly privilegedRoles: readonly string[];
  readonly jwtAudience?: string;
  /** Path of the claim with the role: `.role`, `.resource_access.api.roles[0]`. */
  readonly jwtRoleClaim: string;
  /** Function `schema.name` that runs before the main statement. */
  readonly preRequest?: string;
  /** Allowed CORS origins. */
  readonly corsOrigins: readonly string[];
}

/** Returns the directory of the embedded database. */
export const embeddedFolder = ({ data }: Pick<HomePaths, 'data'>): string => join(data, 'gateway');

/** Returns the gateway settings of the configuration. */
export function readGatewaySettings({ gateway }: Pick<EngineConfig, 'gateway'>): GatewaySettings {
  const { databaseUrl, anonymousRole, jwtKey, jwtAudience, preRequest, maxRows } = gateway;
  return {
    isEnabled: gateway.enabled,
    schemas: [...new Set(gateway.schemas)],
    extraSearchPath: gateway.extraSearchPath,
    poolSize: gateway.poolSize,
    poolTimeoutMs: gateway.poolTimeout * 1000,
    statementTimeoutMs: gateway.statementTimeout * 1000,
    preparesStatements: gateway.prepareStatements,
    maxBodyBytes: gateway.maxBodyBytes,
    allowsUnfiltered: gateway.allowUnfiltered,
    allowsAggregates: gateway.allowAggregates,
    allowsTxOverride: gateway.allowTxOverride,
    privilegedRoles: gateway.privilegedRoles,
    jwtRoleClaim: gateway.jwtRoleClaim,
    corsOrigins: gateway.corsOrigins,
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(maxRows > 0 && { maxRows }),
    ...(anonymousRole !== undefined && { anonymousRole }),
    ...(jwtKey !== undefined && { jwtKey }),
    ...(jwtAudience !== undefined && { jwtAudience }),
    ...(preRequest !== undefined && { preRequest }),
  };
}
