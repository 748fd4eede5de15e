import { stat, statfs } from 'node:fs/promises';
import { AppError } from '../../base/errors.ts';
import { toIso } from '../../base/clock.ts';
import type { Health } from '../../base/health.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type { CatalogFailure } from '../../gateway/catalog/catalog-cache.ts';
import type { HostView } from '../../contract/system.ts';
import { parseDuration } from '../../base/duration.ts';
import type { RunUsage } from '../../process/monitor/run-monitor.ts';
import type { PeakUsage } from '../../model/run.ts';
import type { Point } from '../../process/monitor/reading-buffer.ts';
import { auditLimits } from '../../store/types/audit.ts';
import type { EngineContext } from '../engine-context.ts';
import type { Quotes } from '../quotes/quotes.ts';
import { setLocation } from '../views.ts';
import { markCached } from '../caches.ts';
import { type HandlersFor, parseCursor, parseTimestamp } from './handlers.ts';
import { requireRun } from './run-handlers.ts';

type SystemOperation = 'system.health' | 'system.info' | 'system.storage' | 'system.check';

/** Maximum size in bytes of databases that are checked synchronously, which takes a second. */
const maxChecked = 512 * 1024 * 1024;

/** Operations on the installation itself. */
export const systemHandlers: HandlersFor<SystemOperation> = {
  'system.health': (_input, { version, clock, health, gateway }) => ({
    ...getHealth(health, gateway.catalogFailure),
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
    await store.ping();
    const answerMs = clock.monotonic() - from;
    const { runs, connectedAt, ...database } = await store.storage();
    const [disk, log] = await Promise.all([
      statfs(paths.home),
      stat(`${store.name}-wal`).catch(() => undefined),
    ]);
    return {
      database: {
        ...{ file: store.name, logBytes: log?.size ?? 0, ...database },
        ...{ answerMs, ...(connectedAt === undefined ? {} : { connectedAt: toIso(connectedAt) }) },
      },
      rows: { runs, audit: await audit.count() },
      logsDir: paths.logs,
      disk: { bytes: disk.blocks * disk.bsize, freeBytes: disk.bavail * disk.bsize },
    };
  },
  'system.check': async (_input, { store, clock }) => {
    const { bytes } = await store.storage();
    if (bytes > maxChecked)
      throw new AppError(
        'bad_request',
        `The database is too large to check over the API (${Math.round(bytes / 1024 / 1024)} MiB). Run "engine check" instead.`,
      );
    const from = clock.monotonic();
    return { findings: await store.check(), milliseconds: Math.round(clock.monotonic() - from) };
  },
};

/** Returns the problems of the host, then those of its gateway, which do not affect runs. */
function getHealth(
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

/** Maximum number of hosts in a list, the newest ones; hosts that ended long ago are deleted anyway. */
const maxHosts = 200;

/** Operations on the processes of the home. */
export const serviceHandlers: HandlersFor<'services.hosts'> = {
  'services.hosts': async (_input, context) => ({ hosts: await listHostViews(context) }),
};

/** How long the load of a heartbeat is current, in milliseconds. */
const loadMs = 60_000;

/** Lists the processes of the home, newest first. */
export const listHostViews = async ({ store, watch, clock }: EngineContext): Promise<HostView[]> =>
  (await store.listHosts(maxHosts)).map(({ host, runs }) => {
    const reason = watch.findExpiry(host);
    return {
      hostId: host.owner.id ?? String(host.key),
      kind: host.kind,
      hostname: host.owner.host,
      pid: host.owner.pid,
      version: host.owner.version,
      load: clock.now() - host.beatAt < loadMs ? host.load : undefined,
      startedAt: toIso(host.startedAt),
      lastSeenAt: toIso(host.beatAt),
      status: reason === undefined ? 'active' : 'gone',
      reason,
      activeRuns: runs,
    };
  });

const defaultDuration = '1h';
const defaultPoints = 1000;

/** Operations on resource usage. */
export const resourceHandlers: HandlersFor<'services.resourceHistory' | 'runs.usage'> = {
  'services.resourceHistory': ({ duration = defaultDuration, points = defaultPoints }, { monitor }) => {
    const { series, machine, intervalSec } = monitor.history(readDuration(duration), points);
    const { cores, memory, disk } = machine;
    return {
      cpu: series.cpu.map(toPoint),
      memory: series.memory.map(toPoint),
      disk: series.disk.map(toPoint),
      load: series.load.map(toPoint),
      intervalSec,
      machine: { cores, memoryBytes: memory, ...(disk === undefined ? {} : { diskBytes: disk }) },
    };
  },
  'runs.usage': (input, context) => {
    const { run } = requireRun(context, input);
    const peaks = run.peakUsage;
    // A host without monitoring can return the stored peaks.
    if (peaks === undefined) return toUsageView(context.monitor.getUsage(run));
    const observed = context.monitor.recall(run);
    return observed === undefined ? toPeakUsageView(peaks) : withPeaks(toUsageView(observed), peaks);
  },
};

function readDuration(text: string): number {
  const seconds = parseDuration(text.trim());
  if (seconds !== undefined && seconds > 0) return seconds;
  throw new AppError('bad_request', 'duration: must be a duration such as 30m, 1h or 1d', {
    details: { field: 'duration' },
  });
}

const toPoint = ({ at, value }: Point) => ({ timestamp: toIso(at), value: roundToHundredths(value) });

type UsageView = OperationOutput<'runs.usage'>;

function toUsageView(usage: RunUsage | undefined): UsageView {
  if (usage === undefined) return { active: false, cpuSeconds: 0, peakCpu: 0, peakMemory: 0, points: [] };
  const { isActive, last, cpuMs, peakCpu, peakMemory, points } = usage;
  return {
    active: isActive,
    ...(last === undefined ? {} : { now: { ...toUsagePoint(last), processes: last.processes } }),
    cpuSeconds: roundToHundredths(cpuMs / 1000),
    peakCpu: roundToHundredths(peakCpu),
    peakMemory,
    points: points.map(toUsagePoint),
  };
}

const toPeakUsageView = ({ cpu, memory }: PeakUsage): UsageView => ({
  active: false,
  peakCpu: cpu,
  peakMemory: memory,
  points: [],
});

/** Another host may have observed higher peaks. */
const withPeaks = (view: UsageView, { cpu, memory }: PeakUsage): UsageView => ({
  ...view,
  peakCpu: Math.max(view.peakCpu, cpu),
  peakMemory: Math.max(view.peakMemory, memory),
});

const toUsagePoint = ({ at, cpu, memory }: { at: number; cpu: number; memory: number }) => ({
  timestamp: toIso(at),
  cpu: roundToHundredths(cpu),
  memory,
});

/** Rounds to two decimal places. */
const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;

const defaultPageSize = 50;
const retention = { days: auditLimits.ageMs / 86_400_000, entries: auditLimits.entries };

/** Operations on the audit log. */
export const auditHandlers: HandlersFor<'audit.list'> = {
  'audit.list': async ({ fromDate, toDate, limit = defaultPageSize, cursor, ...filter }, { audit }) => {
    const { entries, next } = await audit.list({
      ...filter,
      from: parseTimestamp('fromDate', fromDate),
      before: parseTimestamp('toDate', toDate),
      beforeId: parseCursor(cursor),
      limit,
    });
    return {
      entries: entries.map(({ at, ...entry }) => ({ ...entry, at: toIso(at) })),
      ...(next !== undefined && { nextCursor: String(next) }),
      kept: retention,
    };
  },
};

type QuoteOperation = 'quotes.random' | 'quotes.personalized' | 'quotes.list' | 'quotes.get';

let opened: Promise<Quotes> | undefined;

/** Loaded on first use, because most engines never serve a quote. */
const open = (): Promise<Quotes> => (opened ??= load());

async function load(): Promise<Quotes> {
  const { openQuotes } = await import('../quotes/quotes.ts');
  const quotes = openQuotes();
  markCached(quotes.collection.list);
  for (const { id, view } of quotes.collection.generic) {
    markCached(view);
    setLocation(view, id);
  }
  return quotes;
}

/** Sets the location of a quote about a subject. */
function withLocation<View extends object>({ id, view }: { id: string; view: View }, q: string): View {
  setLocation(view, `${id}?q=${encodeURIComponent(q)}`);
  return view;
}

/** Operations on quotes. */
export const quoteHandlers: HandlersFor<QuoteOperation> = {
  'quotes.random': async () => (await open()).random().view,
  'quotes.personalized': async ({ q }) => withLocation(await (await open()).personalized(q), q),
  'quotes.list': async () => (await open()).collection.list,
  'quotes.get': async ({ id, q }) => {
    const quote = await (await open()).find(id, q);
    return q === undefined ? quote.view : withLocation(quote, q);
  },
};
