import { toIso } from '../../base/clock.ts';
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
    ui: config.ui,
  }),
};
