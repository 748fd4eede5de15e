import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { HomePaths } from '../../config/home.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { GatewayDatabase } from './database.ts';
import { EmbeddedDatabase } from './embedded/embedded-database.ts';
import { ServerDatabase } from './server/server-database.ts';

/** What of the settings the database is used with. */
export type DatabaseSettings = Pick<
  GatewaySettings,
  'databaseUrl' | 'poolSize' | 'poolTimeoutMs' | 'statementTimeoutMs' | 'preparesStatements'
>;

/** Where the embedded database of a home lies. */
export const embeddedFolder = ({ data }: Pick<HomePaths, 'data'>): string => join(data, 'gateway');

/**
 * The database of the gateway. Nothing is opened yet: that happens at its first use.
 * @param home of the installation, for the embedded database
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
