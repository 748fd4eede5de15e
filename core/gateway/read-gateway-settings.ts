import type { EngineConfig } from '../home/config/engine-config.ts';
import type { GatewaySettings } from './gateway-settings.ts';

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
