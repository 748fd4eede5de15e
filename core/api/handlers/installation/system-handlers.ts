import { stat, statfs } from 'node:fs/promises';
import { AppError } from '../../../base/errors.ts';
import { toIso } from '../../../base/clock.ts';
import type { Health } from '../../../base/health.ts';
import type { EngineConfig } from '../../../config/engine-config.ts';
import type { OperationOutput } from '../../../contract/operations.ts';
import type { CatalogFailure } from '../../../gateway/catalog/catalog-keeper.ts';
import type { HandlersFor } from '../handlers.ts';

type SystemOperation = 'system.health' | 'system.info' | 'system.storage' | 'system.check';

/** Maximum size in bytes of databases that are checked synchronously, which takes a second. */
const maxChecked = 512 * 1024 * 1024;

/** Operations on the installation itself. */
export const systemHandlers: HandlersFor<SystemOperation> = {
  'system.health': (_input, { version, clock, health, gateway }) => ({
    ...healthOf(health, gateway.catalogFailure),
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
    ui: publicSettings(config.ui),
  }),
  'system.storage': async (_input, { store, paths, audit, clock }) => {
    const from = clock.monotonic();
    store.ping();
    const answerMs = clock.monotonic() - from;
    const { runs, connectedAt, ...database } = store.storage();
    const [disk, log] = await Promise.all([
      statfs(paths.home),
      stat(`${store.name}-wal`).catch(() => undefined),
    ]);
    return {
      database: {
        ...{ file: store.name, logBytes: log?.size ?? 0, ...database },
        ...{ answerMs, ...(connectedAt === undefined ? {} : { connectedAt: toIso(connectedAt) }) },
      },
      rows: { runs, audit: audit.count() },
      logsDir: paths.logs,
      disk: { bytes: disk.blocks * disk.bsize, freeBytes: disk.bavail * disk.bsize },
    };
  },
  'system.check': (_input, { store, clock }) => {
    const { bytes } = store.storage();
    if (bytes > maxChecked)
      throw new AppError(
        'bad_request',
        `The database is too large to check here (${Math.round(bytes / 1024 / 1024)} MiB): the engine would be blocked. ` +
          'Run "engine check" instead.',
      );
    const from = clock.monotonic();
    return { findings: store.check(), milliseconds: Math.round(clock.monotonic() - from) };
  },
};

/** Returns the problems of the host, then those of its gateway, which do not affect runs. */
function healthOf(
  { problems }: Health,
  failure: CatalogFailure | undefined,
): Pick<OperationOutput<'system.health'>, 'status' | 'problems'> {
  const all: OperationOutput<'system.health'>['problems'] = problems.map(({ since, ...problem }) => ({
    ...problem,
    since: toIso(since),
  }));
  if (failure !== undefined) {
    const message = `The gateway cannot reload its schema cache and keeps using the previous one: ${failure.message}`;
    all.push({ code: 'gateway_catalog_stale', message, since: toIso(failure.since) });
  }
  return { status: all.length === 0 ? 'healthy' : 'degraded', problems: all };
}

/** Returns the settings of the section `ui` that the user interface needs. */
const publicSettings = ({
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
