// A file of its own: loaded with the first use of a database.
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { HomePaths } from '../../home/config/home.ts';
import { embeddedFolder, type GatewaySettings } from '../gateway-settings.ts';
import type { GatewayDatabase } from '../../store/sql/database.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { ServerDatabase } from './server-database.ts';

/** Gateway settings that concern the database. */
export type DatabaseSettings = Pick<
  GatewaySettings,
  'databaseUrl' | 'poolSize' | 'poolTimeoutMs' | 'statementTimeoutMs' | 'preparesStatements'
>;

/**
 * Returns the gateway database. It opens at its first use.
 * @param home home directory, for the embedded database
 */
export function openDatabase(
  settings: DatabaseSettings,
  home: Pick<HomePaths, 'data'>,
  clock: Clock,
  logger: Logger,
): GatewayDatabase {
  const { databaseUrl, ...limits } = settings;
  if (databaseUrl !== undefined) return new ServerDatabase({ url: databaseUrl, ...limits }, clock, logger);
  return new EmbeddedDatabase({ folder: embeddedFolder(home), ...limits }, clock, logger);
}
