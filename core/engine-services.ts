import { randomUUID } from 'node:crypto';
import { AuditLog } from './api/audit/audit-log.ts';
import type { PasswordCost } from './api/auth/passwords.ts';
import type { EngineContext } from './api/engine-context.ts';
import { dryRun, RunRequests } from './api/run-requests.ts';
import type { Clock } from './base/clock.ts';
import { type Logger, throttledLogger } from './base/logger.ts';
import { LazyDistributed } from './distributed/open-distributed.ts';
import { LazyGateway } from './gateway/service/gateway-service.ts';
import type { ConfigFlags, EngineConfig } from './home/config/engine-config.ts';
import { InstallationSettings } from './home/config/installation-settings.ts';
import { findBaseConfig, homePaths, type HomePaths } from './home/config/home.ts';
import { prepareHome, readHomeConfig, type HomeConfig } from './home/config/prepare-home.ts';
import { openEditor } from './home/library/editor-files.ts';
import { BaseFile } from './home/library/base-file.ts';
import { WorkflowLibrary } from './home/library/workflow-library.ts';
import type { HostKind } from './model/run.ts';
import { armFailPoints } from './process/arm-fail-points.ts';
import { getCurrentProcess, hasProcessTable, TrackedProcesses } from './process/process-table.ts';
import { LibraryTrees } from './process/monitor/library-trees.ts';
import { countCores } from './process/monitor/machine-probe.ts';
import { ProcTrees } from './process/monitor/proc-trees.ts';
import { ResourceMonitor } from './process/monitor/resource-monitor.ts';
import { RunMonitor } from './process/monitor/run-monitor.ts';
import type { Keychain } from './process/secrets/provider.ts';
import type { KeyHolder } from './process/secrets/key-holder.ts';
import { LazySecrets } from './store/secrets/lazy-secrets.ts';
import type { SupervisorProcess } from './process/supervisor/supervisor-link.ts';
import { SupervisedLauncher } from './process/supervisor/supervised-launcher.ts';
import type { Watchdog } from './process/watchdog/watchdog.ts';
import { ActiveRuns } from './run/active-runs.ts';
import { StartLimiter } from './run/steps/attempt.ts';
import type { DryRuns } from './run/dry/dry-runs.ts';
import { EventHub } from './run/event-hub.ts';
import { HostHeartbeat, HostMonitor } from './run/hosts.ts';
import { HomeWatch } from './run/home-watch.ts';
import { Health } from './base/health.ts';
import { OutputTimes } from './run/logs/timed-logs.ts';
import { ClaimWatch } from './run/queue/claim-watch.ts';
import { Dispatcher } from './run/queue/dispatcher.ts';
import { QueueLimits, Queues } from './run/queue/queues.ts';

import { Recorder } from './run/recorder.ts';
import { Reruns } from './run/recovery/reruns.ts';
import { RunRecovery } from './run/recovery/run-recovery.ts';
import { Retention } from './run/retention.ts';
import type { RunHost } from './run/run-input.ts';
import { RunService } from './run/run-service.ts';
import { openStepLocator } from './run/step-location.ts';
import { SubRuns } from './run/sub-runs.ts';
import { Telemetry } from './run/telemetry/telemetry.ts';
import { HomeMailer, type SendHomeMail } from './run/home-mail.ts';
import { openStore, type Store } from './store/open-store.ts';
import { LazyInbound } from './webhooks/lazy-inbound.ts';
import { LazyWebhooks } from './webhooks/lazy-webhooks.ts';
import type { ShowNotice } from './webhooks/notifications/message.ts';
import type { Auth } from './api/auth/auth.ts';
import { ListCache, RunDetailCache, WorkflowCache } from './api/caches.ts';
import { SystemChanges } from './api/system-changes.ts';
import { localeCharset } from './home/config/read-values.ts';
import { LogReader } from './run/logs/log-reader.ts';
import type { DatabasePort } from './executors/executor.ts';
import { readGatewaySettings } from './gateway/gateway-settings.ts';

/** Options of a host for opening an engine. */
export interface EngineOptions {
  /** Absolute path of the home. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  /** Kind of host; default: a command. */
  readonly kind?: HostKind;
  /** The step supervisor, when it was started before the engine because its startup takes as long. */
  readonly supervisor?: SupervisorProcess | undefined;
  /** Folder of sample workflows for a new home; default: none. */
  readonly samplesDir?: string;
  /** `--config`: a configuration file that replaces the home's. */
  readonly configFile?: string;
  /** Cost of the password hash; tests use a low one. */
  readonly passwordCost?: PasswordCost;
  /** Configuration keys from the command line. */
  readonly configFlags?: ConfigFlags;
  /** Entries of the desktop app's keychain that are not in the secret store yet. */
  readonly keychain?: Keychain | undefined;
  /** The desktop app's keychain, for the key of the secret store. */
  readonly appKey?: KeyHolder | undefined;
  /** Watches the event loop of this process. */
  readonly watchdog?: Watchdog | undefined;
  /** Shows notifications of the channel kind `desktop`. */
  readonly showNotice?: ShowNotice;
  /** See `readHomeConfig`. */
  readonly onConfig?: (config: EngineConfig) => void;
}

/** An open home: its configuration and its database. */
export interface OpenHome extends HomeConfig {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly secrets: LazySecrets;
}

/** Process starts per event-loop tick; at about a millisecond each they stay below 20 ms. */
const startsPerTick = 4;

/** Whether the host stays open, unlike a command. */
export const isLongLived = ({ kind = 'cli' }: EngineOptions): boolean => kind !== 'cli';

/** Reads the configuration of the home, prepares its folders and opens its database: a file, or a server. */
export function openHome(options: EngineOptions): OpenHome {
  const { clock } = options;
  const logger = throttledLogger(options.logger, clock);
  const home = readHomeConfig(options, process.env);
  const { config, paths } = home;
  options.watchdog?.configure({ dataFolder: paths.data });
  options.watchdog?.onQuarantine((activity) =>
    logger.error(`Skipped ${activity}: the engine process crashed twice while working on it`),
  );
  prepareHome(paths, config.skipExamples ? undefined : options.samplesDir);
  const { database: file, databaseUrl: url } = paths;
  const store = openStore(url === undefined ? { file, checkAfterCrash: isLongLived(options) } : { url });
  return { ...home, clock, logger, store, secrets: new LazySecrets({ ...options, ...home }) };
}

export type HostServices = ReturnType<typeof openHost>;

/** Registers this engine as a host of the home, and opens the services that start, record and observe processes. */
export function openHost(options: EngineOptions, home: OpenHome) {
  const { clock, logger, config, paths, store } = home;
  const { version, supervisor, kind = 'cli' } = options;
  armFailPoints(process.env);
  const owner = { ...getCurrentProcess(clock.now()), id: randomUUID(), kind, version };
  const hub = new EventHub(store, clock, logger);
  const health = new Health(clock);
  const homeWatch = new HomeWatch(paths, health, clock, logger);
  if (isLongLived(options)) homeWatch.start();
  const times = new OutputTimes(clock);
  const tracked = new TrackedProcesses();
  const launcher = new SupervisedLauncher({
    clock,
    logger,
    supervisor,
    health,
    watchers: [({ attemptDir }) => times.watch(attemptDir), ...(hasProcessTable ? [] : [tracked.watch])],
  });
  return {
    owner,
    hub,
    health,
    homeWatch,
    heartbeat: new HostHeartbeat(owner, store, clock, logger),
    hosts: new HostMonitor(owner, clock),
    launcher,
    monitor: openMonitor(home, tracked),
    recorder: new Recorder({
      store,
      clock,
      logger,
      health,
      onWritten: (events) => hub.deliver(events),
      cursor: () => hub.cursor,
    }),
    telemetry: new Telemetry(clock, process.env, version),
    distributed: new LazyDistributed(config, paths, clock, logger),
  };
}

/** Opens the monitor of this machine and of the processes of runs, which is not started yet. */
function openMonitor(
  { paths, store, clock, logger, config }: OpenHome,
  tracked: TrackedProcesses,
): ResourceMonitor {
  const { home } = paths;
  const { intervalSec, retention: retentionSec } = config.monitor;
  const trees = hasProcessTable ? new ProcTrees(clock) : new LibraryTrees(clock, () => tracked.list());
  const runs = new RunMonitor(clock, home, countCores(), trees, store);
  return new ResourceMonitor({ clock, logger, home, intervalSec, retentionSec, runs });
}

export type RunServices = ReturnType<typeof openRuns>;

/** Opens the workflow files, and what creates, executes, repeats, recovers and queues runs. */
export function openRuns(options: EngineOptions, home: OpenHome, host: HostServices) {
  const { paths, config, clock } = home;
  const base = new BaseFile(findBaseConfig(paths.home, config.paths.baseConfig), clock);
  const library = new WorkflowLibrary(paths.dags, clock, base);
  const execution = openExecution(options, home, host, library);
  const queues = openQueues(home, host, execution);
  return { base, library, ...execution, ...queues, ...openPreviews(home, host, library) };
}

/** Returns what steps inherit from this host. */
const systemContext = ({ logger, hostEnvironment, secrets }: OpenHome) => ({
  ...hostEnvironment.snapshot,
  secretSources: secrets.sources,
  warn: (message: string) => logger.warn(message),
});

function openExecution(options: EngineOptions, home: OpenHome, host: HostServices, finder: WorkflowLibrary) {
  const { clock, logger, config, paths, store } = home;
  const { owner, hub, hosts, homeWatch } = host;
  const { driver: remote, removeRemoteData } = host.distributed;
  const { workDir: defaultWorkingDir, history: defaults } = config;
  const system = systemContext(home);
  const runHost = openRunHost(home, host, () => subRuns);
  const active = new ActiveRuns(runHost, hub);
  options.watchdog?.setCleanUp(() => active.maxCleanUpMs());
  const retention = new Retention({ home: paths.home, store, clock, logger, defaults, removeRemoteData });
  const runs = new RunService({
    store,
    clock,
    owner,
    active,
    hub,
    system,
    retention,
    remote,
    defaultWorkingDir,
    requireHome: () => homeWatch.require(),
  });
  const reruns = new Reruns({
    home: paths.home,
    store,
    clock,
    owner,
    active,
    hub,
    service: runs,
    finder,
    system,
  });
  const recovery = new RunRecovery({
    store,
    clock,
    logger,
    host: runHost,
    active,
    hub,
    watch: hosts,
    system,
  });
  const subRuns = new SubRuns({ store, service: runs, active, finder, reruns, runRecovery: recovery });
  return { active, retention, runs, reruns, recovery };
}

/** Opens the queues, and the dispatcher that starts their runs. */
function openQueues(
  { clock, logger, config, paths, store }: OpenHome,
  { hub, heartbeat, hosts: watch }: HostServices,
  { active, runs, retention }: ReturnType<typeof openExecution>,
) {
  const limits = new QueueLimits(config.queues);
  const claims = new ClaimWatch({
    store,
    active,
    hub,
    home: paths.home,
    clock,
    logger,
    host: heartbeat,
    watch,
  });
  const dispatcher = new Dispatcher({
    store,
    active,
    hub,
    clock,
    logger,
    host: heartbeat,
    limits,
    claims,
    retention,
  });
  const queues = new Queues({
    store,
    service: runs,
    active,
    hub,
    clock,
    limits,
    watch,
    onOpened: () => dispatcher.checkAll(),
  });
  return { queues, dispatcher };
}

/** Opens dry runs, and what tells the environment of a step. */
function openPreviews(home: OpenHome, host: HostServices, library: WorkflowLibrary) {
  const { clock, config, paths, store } = home;
  const { workDir: defaultWorkingDir } = config;
  const system = systemContext(home);
  const loadDryRuns = async (): Promise<DryRuns> => {
    const { DryRuns } = await import('./run/dry/dry-runs.ts');
    return new DryRuns({
      home: paths.home,
      logs: paths.logs,
      clock,
      environment: system.environment,
      passed: system.passed,
      secretSources: system.secretSources,
      finder: library,
      workers: host.distributed.driver,
      defaultWorkingDir,
    });
  };
  const stepLocator = openStepLocator({
    home: paths.home,
    store,
    clock,
    system,
    library,
    defaultWorkingDir,
  });
  return { loadDryRuns, stepLocator };
}

/** Returns what executing runs needs. `subRuns` is called when a step starts a run. */
function openRunHost(
  { clock, logger, config, paths, store, hostEnvironment, secrets }: OpenHome,
  host: HostServices,
  subRuns: () => SubRuns,
): RunHost {
  const { environment, passed } = hostEnvironment.snapshot;
  return {
    home: paths.home,
    logRoot: findLogRoot(paths),
    cacheDir: paths.cache,
    store,
    approvals: store.approvals,
    databases: openDatabases({ config, paths, clock, logger }),
    clock,
    logger,
    environment,
    passed,
    secretSources: secrets.sources,
    host: host.heartbeat,
    recorder: host.recorder,
    telemetry: host.telemetry,
    launcher: host.launcher,
    startLimiter: new StartLimiter(clock, startsPerTick),
    files: host.distributed.files,
    remote: host.distributed.driver,
    peakUsage: (run) => host.monitor.getPeakUsage(run),
    subRuns: (...caller) => subRuns().portFor(...caller),
    forgetSubRuns: (...caller) => subRuns().forget(...caller),
  };
}

/** Returns the log directory of runs when it is outside the home. */
const findLogRoot = ({ home, logs }: HomePaths): string | undefined =>
  logs === homePaths(home).logs ? undefined : logs;

export type ApiServices = ReturnType<typeof openServices>;

/** Opens webhooks, the gateway, and what the handlers of the API need. */
export function openServices(
  options: EngineOptions,
  home: OpenHome,
  host: HostServices,
  services: RunServices,
) {
  const { clock, logger, config, paths, store } = home;
  const { hub, health, hosts, monitor, distributed } = host;
  const { active, runs, reruns, loadDryRuns, queues, library } = services;
  const mail = new HomeMailer(library, systemContext(home), clock, paths.logs);
  const { inbound, webhooks } = openWebhooks(options, home, host, services, mail.send);
  const gateway = new LazyGateway(config, paths, clock, logger);
  const caches = createCaches(home);
  const requests = new RunRequests(runs, reruns, library, queues, caches.storedWorkflows);
  const context: Omit<EngineContext, 'startScheduling'> = {
    paths,
    config,
    version: options.version,
    clock,
    health,
    store,
    schedule: store.schedule,
    expectations: store.expectations,
    pings: store.pings,
    approvals: store.approvals,
    secrets: home.secrets,
    audit: new AuditLog(store.audit, clock, logger),
    auth: lazyAuth(options, home),
    hub,
    library,
    editor: openEditor({ paths, library, store, clock, logger }),
    active,
    watch: hosts,
    runs,
    reruns,
    queues,
    monitor,
    tasks: distributed.tasks,
    files: distributed.files,
    removeRemoteData: distributed.removeRemoteData,
    mirror: distributed.mirror,
    inbound,
    gateway,
    webhooks: webhooks.open,
    notifications: webhooks.openNotifications,
    webhookRevision: () => store.webhookRevision(),
    settings: openSettings(home, services),
    sendTestMail: mail.sendTest,
    ...caches,
    startRun: requests.start,
    enqueueRun: requests.enqueue,
    dryRun: async (request) => dryRun(request, await loadDryRuns(), library),
  };
  return { context, inbound, webhooks, gateway };
}

/** Opens incoming and outgoing webhooks. */
function openWebhooks(
  { showNotice }: EngineOptions,
  { clock, logger, config, paths, store, secrets }: OpenHome,
  { heartbeat: host }: HostServices,
  { library, base, runs, queues }: RunServices,
  sendMail: SendHomeMail,
) {
  return {
    inbound: new LazyInbound({ store, clock, logger, config, paths, library, runs, queues }),
    webhooks: new LazyWebhooks({
      store,
      clock,
      logger,
      config,
      library,
      base,
      sendMail,
      secrets,
      showNotice,
      host,
    }),
  };
}

/** Opens the settings of the installation. */
const openSettings = (home: OpenHome, { retention }: Pick<RunServices, 'retention'>): InstallationSettings =>
  new InstallationSettings(home.location, home.values, ({ history }) => retention.setDefaults(history));

/** Opens authentication once, when it is first needed: a command that starts a run never does. */
function lazyAuth(options: EngineOptions, { config, paths }: OpenHome): () => Promise<Auth> {
  let opened: Promise<Auth> | undefined;
  const open = async (): Promise<Auth> => {
    const { Auth } = await import('./api/auth/auth.ts');
    return new Auth({ ...options, dataDir: paths.data, settings: config.auth });
  };
  return () => (opened ??= open());
}

/** Opens the caches of the handlers, so that unchanged data is not computed again. */
const createCaches = ({ clock, store, logger, config }: OpenHome) => ({
  logs: new LogReader({ clock, charset: config.ui.logEncodingCharset ?? localeCharset(process.env) }),
  storedWorkflows: new WorkflowCache(),
  pictures: new RunDetailCache(),
  lists: new ListCache(),
  changes: new SystemChanges(clock, store, logger),
});

/** Databases for steps. Loads nothing before a step needs one. */
const openDatabases = ({
  config,
  paths,
  clock,
  logger,
}: Pick<OpenHome, 'config' | 'paths' | 'clock' | 'logger'>): DatabasePort => ({
  async open(url) {
    const { openDatabase } = await import('./gateway/database/open-database.ts');
    const settings = readGatewaySettings({ gateway: config.gateway });
    return openDatabase(
      url === undefined ? settings : { ...settings, databaseUrl: url },
      paths,
      clock,
      logger,
    );
  },
});
