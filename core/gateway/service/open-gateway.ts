import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { HomePaths } from '../../home/config/home.ts';
import { CatalogCache, installEventTrigger } from '../catalog/catalog-cache.ts';
import type { GatewayDatabase } from '../../store/sql/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { BodyReader } from '../query/body-reader.ts';
import { TokenVerifier } from '../tokens.ts';
import { Gateway } from './gateway.ts';

/** A gateway with its parts. */
export interface OpenGateway {
  readonly gateway: Gateway;
  readonly database: GatewayDatabase;
  readonly catalogs: CatalogCache;
  close(): Promise<void>;
}

/** Opens the configured gateway. The first query opens its database. */
export function openGateway(
  settings: GatewaySettings,
  paths: Pick<HomePaths, 'data'>,
  clock: Clock,
  logger: Logger,
): OpenGateway {
  const database = openDatabase(settings, paths, clock, logger);
  return assembleGateway(settings, database, clock, logger, settings.databaseUrl === undefined);
}

/**
 * Assembles a gateway on a database.
 * @param ownsDatabase whether the gateway owns the database, and installs the event trigger for schema changes
 */
export function assembleGateway(
  settings: GatewaySettings,
  database: GatewayDatabase,
  clock: Clock,
  logger: Logger,
  ownsDatabase = false,
): OpenGateway {
  const { schemas, extraSearchPath, jwtKey } = settings;
  const scope = { schemas, extraSearchPath, clock };
  const prepare = ownsDatabase ? () => installEventTrigger(database) : undefined;
  const catalogs = new CatalogCache(database, scope, logger, prepare);
  const verifier = jwtKey === undefined ? undefined : new TokenVerifier({ ...settings, jwtKey }, clock);
  const bodies = new BodyReader(clock, settings.statementTimeoutMs);
  return {
    gateway: new Gateway({ settings, database, catalog: () => catalogs.get(), verifier, bodies, logger }),
    database,
    catalogs,
    async close() {
      await bodies.close();
      await catalogs.close();
      await database.close();
    },
  };
}
