import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import type { HomePaths } from '../../home/config/home.ts';
import type { DatabasePort } from '../../executors/executor.ts';
import { readGatewaySettings } from '../read-gateway-settings.ts';

/** Dependencies of the databases. */
interface DatabaseWiring {
  readonly config: EngineConfig;
  readonly paths: HomePaths;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Databases for steps. Loads nothing before a step needs one. */
export const openDatabases = ({ config, paths, clock, logger }: DatabaseWiring): DatabasePort => ({
  async open(url) {
    const { openDatabase } = await import('./open-database.ts');
    const settings = readGatewaySettings({ gateway: config.gateway });
    return openDatabase(
      url === undefined ? settings : { ...settings, databaseUrl: url },
      paths,
      clock,
      logger,
    );
  },
});
