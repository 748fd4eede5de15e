import { toIso } from '../../base/clock.ts';
import type { EngineConfig } from '../../config/engine-config.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type { HandlersFor } from './handlers.ts';

/** Operations on the installation itself. */
export const systemHandlers: HandlersFor<'system.health' | 'system.info'> = {
  'system.health': (_input, { version, clock }) => ({
    status: 'healthy',
    version,
    uptime: process.uptime(),
    timestamp: toIso(clock.now()),
  }),
  'system.info': (_input, { version, paths, active, config }) => ({
    version,
    home: paths.home,
    dagsDir: paths.dags,
    platform: process.platform,
    activeRuns: active.list().length,
    ui: shownSettings(config.ui),
  }),
};

/** What of the configuration's section `ui` the user interface itself goes by. */
const shownSettings = ({
  navbarTitle,
  navbarColor,
  maxDashboardPageLimit,
  dags,
}: EngineConfig['ui']): OperationOutput<'system.info'>['ui'] => ({
  navbarTitle,
  navbarColor,
  maxDashboardPageLimit,
  dags,
});
