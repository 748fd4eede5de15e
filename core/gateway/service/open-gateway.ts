import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { HomePaths } from '../../config/home.ts';
import { CatalogKeeper } from '../catalog/catalog-keeper.ts';
import type { GatewayDatabase } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { TokenVerifier } from '../tokens/token-verifier.ts';
import { Gateway } from './gateway.ts';

/** A gateway with all that it is made of. */
export interface OpenGateway {
  readonly gateway: Gateway;
  readonly database: GatewayDatabase;
  readonly catalogs: CatalogKeeper;
  close(): Promise<void>;
}

/** What a gateway is put together from. */
export interface AssemblyParts {
  readonly settings: GatewaySettings;
  readonly database: GatewayDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a gateway is opened with. */
export interface GatewayWiring extends Omit<AssemblyParts, 'database'> {
  /** Where the embedded database lies. */
  readonly paths: Pick<HomePaths, 'data'>;
}

/** The gateway that the settings ask for. Its database is opened by the first who asks it for something. */
export function openGateway({ paths, ...parts }: GatewayWiring): OpenGateway {
  const { settings, clock, logger } = parts;
  return assembleGateway({ ...parts, database: openDatabase(settings, paths, clock, logger) });
}

/** A gateway over any database. */
export function assembleGateway({ settings, database, clock, logger }: AssemblyParts): OpenGateway {
  const { schemas, extraSearchPath, jwtKey } = settings;
  const catalogs = new CatalogKeeper(database, { schemas, extraSearchPath, clock }, logger);
  const verifier = jwtKey === undefined ? undefined : new TokenVerifier({ ...settings, jwtKey }, clock);
  return {
    gateway: new Gateway({ settings, database, catalog: () => catalogs.get(), verifier, logger }),
    database,
    catalogs,
    async close() {
      await catalogs.close();
      await database.close();
    },
  };
}
