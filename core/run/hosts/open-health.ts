import type { Clock } from '../../base/clock.ts';
import { Health } from '../../base/health.ts';
import type { Logger } from '../../base/logger.ts';
import type { HomePaths } from '../../home/config/home.ts';
import { HomeWatch } from './home-watch.ts';
import type { Watchdog } from '../../process/watchdog/watchdog.ts';

/** The health of an engine. */
export interface OpenedHealth {
  readonly health: Health;
  readonly homeWatch: HomeWatch;
  /** @throws `home_unusable` when a new run would be lost */
  requireHome(): void;
}

/**
 * Call this when the store is open.
 * @param deps.polls whether to check the home periodically, and not only before each start
 */
export function openHealth({
  paths,
  polls,
  ...deps
}: {
  readonly paths: HomePaths;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly polls: boolean;
}): OpenedHealth {
  const { home, database, databaseUrl } = paths;
  const health = new Health(deps.clock);
  const homeWatch = new HomeWatch({
    ...deps,
    home,
    anchor: databaseUrl === undefined ? database : home,
    health,
  });
  if (polls) homeWatch.start();
  return { health, homeWatch, requireHome: () => homeWatch.require() };
}

/**
 * Makes the watchdog of this process record crashes in the home, and logs the work that is quarantined because of them.
 */
export function useWatchdog(
  { watchdog, logger }: { readonly watchdog?: Watchdog | undefined; readonly logger: Logger },
  { data }: HomePaths,
): void {
  watchdog?.configure({ dataFolder: data });
  watchdog?.onQuarantine((activity) =>
    logger.error(`Skipped ${activity}: the engine process crashed twice while working on it`),
  );
}
