import { randomUUID } from 'node:crypto';
import { Dispatch } from './api/dispatch.ts';
import { AuditTrail } from './api/audit/audit-trail.ts';
import type { EnqueueRequest, EngineApi, EngineHost, Scheduling, StartRequest } from './api/engine-host.ts';
import type { EngineContext } from './api/engine-context.ts';
import { recordCalls } from './api/record-calls.ts';
import { toRunDetail } from './api/views.ts';
import type { Clock, Dispose } from './base/clock.ts';
import type { HealthProblem } from './base/health.ts';
import { throttledLogger, type Logger } from './base/logger.ts';
import type { ConfigFlags, EngineConfig } from './home/config/engine-config.ts';
import { homePaths, type HomePaths } from './home/config/home.ts';
import { prepareHome } from './home/config/prepare-home.ts';
import type { OperationOutput } from './contract/operations.ts';
import type { HomeWatch } from './run/hosts/home-watch.ts';
import { HostMonitor } from './run/hosts/host-monitor.ts';
import { HostHeartbeat } from './run/hosts/host-heartbeat.ts';
import { IdleMaintenance } from './store/maintenance/idle-maintenance.ts';
import type { HostKind, RunRef } from './model/run.ts';
import { armFailPoints } from './process/arm-fail-points.ts';
import { describeOwnProcess } from './process/process-table.ts';
import type { SupervisorProcess } from './process/supervisor/start-supervisor.ts';
import type { Watchdog } from './process/watchdog/watchdog.ts';
import { SupervisedLauncher } from './process/supervisor/supervised-launcher.ts';
import { ActiveRuns, StartLimiter } from './run/active-runs.ts';
import { DryRuns } from './run/dry/dry-runs.ts';
import { EventHub } from './run/event-hub.ts';
import { Recorder } from './run/recorder.ts';
import { Reruns } from './run/recovery/reruns.ts';
import type { RunHost } from './run/run-input.ts';
import { Retention } from './run/retention.ts';
import { RunService } from './run/run-service.ts';
import type { EngineMetrics } from './api/metrics/engine-metrics.ts';
import type { Scheduler } from './run/scheduler/scheduler.ts';
import { openStepLocator, type StepLocator, type StepLocation } from './run/step-location.ts';
import { SubRuns } from './run/sub-runs.ts';
import { RunRecovery } from './run/recovery/run-recovery.ts';
import { type Dispatcher, openQueues } from './run/queue/dispatcher.ts';
import type { Keychain } from './process/secrets/provider.ts';
import { openStore, type Store } from './store/open-store.ts';
import type { Auth } from './api/auth/auth.ts';
import type { PasswordCost } from './api/auth/passwords.ts';
import { openRequests } from './api/run-requests.ts';
import { lazyAuth } from './api/auth/open-auth.ts';
import { openEditor } from './home/library/open-editor.ts';
import { openFiles } from './home/library/workflow-sources.ts';
import { openDatabases } from './gateway/database/open-step-databases.ts';
import { LazyDistributed } from './distributed/open-distributed.ts';
import { LazyGateway } from './gateway/service/lazy-gateway.ts';
import { openHealth, useWatchdog } from './run/hosts/open-health.ts';
import type { LazyInbound } from './webhooks/lazy-inbound.ts';
import { createCaches } from './api/cache/create-caches.ts';
import { LazyMetrics } from './api/metrics/lazy-metrics.ts';
import { openMonitor } from './run/hosts/open-monitor.ts';
import { openScheduler, type SchedulingDeps } from './api/open-scheduler.ts';
import { openWebhooks, type LazyWebhooks } from './webhooks/lazy-webhooks.ts';
import type { HostEnvironment } from './process/environment.ts';
import { readHomeConfig } from './home/config/read-home-config.ts';
import { TimedLauncher } from './run/logs/timed-launcher.ts';
import { Telemetry } from './run/telemetry/telemetry.ts';

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
  /** Secrets of the provider `keychain`; without it, they are rejected. */
  readonly keychain?: Keychain | undefined;
  /** Watches the event loop of this process. */
  readonly watchdog?: Watchdog | undefined;
  /** See `readHomeConfig`. */
  readonly onConfig?: (config: EngineConfig) => void;
}

/** Process starts per event-loop tick; at about a millisecond each they stay below 20 ms. */
const startsPerTick = 4;

/**
 * Opens the engine on a home. The only place that wires everything. Changes nothing when it throws.
 * @throws `invalid_config`, `home_unusable`, `still_running` during a restore of the home, `database_corrupt`,
 * `database_newer` or `storage_full`
 */
export function openEngine(input: EngineOptions): EngineHost {
  const options = { ...input, logger: throttledLogger(input.logger, input.clock) };
  const { home, clock, logger, version, keychain } = options;
  const { config, paths, hostEnvironment } = readHomeConfig(options, process.env);
  const store = openHomeStore(options, paths, config);
  const distributed = new LazyDistributed({ config, paths, clock, logger });
  const { driver: remote, files, tasks, removeElsewhere, mirror } = distributed;
  const values = {
    ...hostEnvironment.snapshot,
    keychain,
    remote,
    workers: remote,
    defaultWorkingDir: config.workDir,
  };
  const { approvals } = store;
  const shared = { home, store, approvals, clock, logger, files, removeElsewhere, ...values };
  const hub = new EventHub(shared);
  const tools = openTools(options, { ...shared, hub, config, paths });
  const { host, monitor, stepLauncher, health, requireHome, ...otherTools } = tools;
  const runHost: RunHost = {
    ...shared,
    ...tools,
    cacheDir: paths.cache,
    databases: openDatabases({ config, paths, clock, logger }),
    logRoot: findLogRoot(paths),
    launcher: stepLauncher,
    startLimiter: new StartLimiter(clock, startsPerTick),
    subRuns: (...caller) => subRuns.portFor(...caller),
    forgetSubRuns: (...caller) => subRuns.forget(...caller),
  };
  const active = new ActiveRuns(runHost, hub);
  options.watchdog?.setCleanUp(() => active.maxCleanUpMs());
  const system = { ...hostEnvironment.snapshot, keychain, warn: (message: string) => logger.warn(message) };
  const retention = new Retention({ ...shared, defaults: config.history });
  const runs = new RunService({ ...shared, active, hub, system, owner: host.owner, retention, requireHome });
  const { base, library, sources } = openFiles(paths, config, clock);
  const reruns = new Reruns({ ...shared, active, hub, owner: host.owner, service: runs, system });
  const watch = new HostMonitor(host.owner, clock);
  const runRecovery = new RunRecovery({ ...shared, host: runHost, active, hub, watch, system });
  const subRuns = new SubRuns({ ...shared, service: runs, active, finder: sources, reruns, runRecovery });
  const dryRuns = new DryRuns({ ...shared, finder: sources, logs: paths.logs });
  const queueDeps = { ...shared, config, service: runs, active, hub, host, watch, retention };
  const { queues, dispatcher } = openQueues(queueDeps);
  const caches = createCaches(shared, config);
  const webhookServices = openWebhooks({ ...shared, config, paths, library, sources, runs, queues, host });
  const gateway = new LazyGateway({ config, paths, clock, logger });
  const baseContext = {
    paths,
    config,
    version,
    clock,
    store,
    hub,
    library,
    active,
    watch,
    runs,
    reruns,
    health,
  };
  const context: EngineContext = {
    ...{
      ...baseContext,
      approvals,
      monitor,
      tasks,
      files,
      removeElsewhere,
      mirror,
      schedule: store.schedule,
    },
    editor: openEditor({ ...shared, paths, library }),
    ...{ queues, gateway },
    audit: new AuditTrail({ ...shared, store: store.audit }),
    inbound: webhookServices.inbound,
    webhooks: webhookServices.webhooks.open,
    webhookRevision: () => store.webhookRevision(),
    ...caches,
    ...openRequests({ ...caches, runs, reruns, dryRuns, sources, queues }),
    auth: lazyAuth({ ...options, dataDir: paths.data, config }),
  };
  const stepLocator = openStepLocator({ ...shared, system, sources });
  const maintenance = openMaintenance(options, context, store);
  const services = {
    ...otherTools,
    ...webhookServices,
    hostEnvironment,
    gateway,
    distributed,
    host,
    retention,
    runRecovery,
    maintenance,
  };
  const metrics = new LazyMetrics(context, logger);
  const scheduling = {
    ...shared,
    engineContext: context,
    host,
    base,
    sources,
    decidedFireTimes: metrics.decidedFireTimes,
  };
  return new OpenEngine(context, { ...services, stepLocator, scheduling, metrics, dispatcher });
}

/** Opens the store of a prepared home: its file, or a server. */
function openHomeStore(options: EngineOptions, paths: HomePaths, { skipExamples }: EngineConfig): Store {
  useWatchdog(options, paths);
  prepareHome(paths, skipExamples ? undefined : options.samplesDir);
  const { database: file, databaseUrl: url } = paths;
  return openStore(url === undefined ? { file, checkAfterCrash: isLongLived(options) } : { url });
}

/** Data that is read from the home before it is opened. */
interface HomeDeps {
  readonly config: EngineConfig;
  readonly paths: HomePaths;
}

/** Opens what drives and observes runs. */
function openTools(
  options: EngineOptions,
  shared: { home: string; store: Store; clock: Clock; logger: Logger; hub: EventHub } & HomeDeps,
) {
  const { clock, logger, version, supervisor } = options;
  const opened = openHealth({ ...shared, polls: isLongLived(options) });
  const { health } = opened;
  const launcher = new SupervisedLauncher({ clock, logger, supervisor, health });
  const { monitor, launcher: trackedLauncher } = openMonitor({ ...shared, launcher });
  return {
    ...opened,
    launcher,
    stepLauncher: new TimedLauncher(trackedLauncher, clock),
    monitor,
    peakUsage: (run: RunRef) => monitor.peakUsageOf(run),
    telemetry: new Telemetry({ clock, environment: process.env, version }),
    recorder: new Recorder({ ...shared, health, onWritten: () => shared.hub.pump() }),
    host: openHostHeartbeat(options, shared.store),
  };
}

const isLongLived = ({ kind = 'cli' }: EngineOptions): boolean => kind !== 'cli';

/** Registers this engine as a host of the home. */
function openHostHeartbeat({ clock, logger, kind = 'cli' }: EngineOptions, store: Store): HostHeartbeat {
  armFailPoints(process.env);
  const owner = { ...describeOwnProcess(clock.now()), id: randomUUID(), kind };
  return new HostHeartbeat({ owner, store, clock, logger });
}

function openMaintenance(
  options: EngineOptions,
  { clock, active, library }: EngineContext,
  { maintenance: store }: Store,
): IdleMaintenance | undefined {
  if (!isLongLived(options)) return undefined;
  library.watch();
  const isBusy = (): boolean => active.list().length > 0;
  const maintenance = new IdleMaintenance({ store, clock, logger: options.logger, isBusy });
  maintenance.start();
  return maintenance;
}

/** Returns the log directory of runs when it is outside the home. */
const findLogRoot = ({ home, logs }: HomePaths): string | undefined =>
  logs === homePaths(home).logs ? undefined : logs;

/** Parts that handlers do not use, but closing does. */
interface EngineServices {
  readonly launcher: SupervisedLauncher;
  readonly recorder: Recorder;
  readonly retention: Retention;
  readonly telemetry: Telemetry;
  readonly host: HostHeartbeat;
  readonly runRecovery: RunRecovery;
  readonly maintenance?: IdleMaintenance | undefined;
  readonly homeWatch: HomeWatch;
  readonly scheduling: SchedulingDeps;
  readonly dispatcher: Dispatcher;
  readonly webhooks: LazyWebhooks;
  readonly metrics: LazyMetrics;
  readonly inbound: LazyInbound;
  readonly gateway: LazyGateway;
  readonly distributed: LazyDistributed;
  readonly stepLocator: StepLocator;
  readonly hostEnvironment: HostEnvironment;
}

class OpenEngine implements EngineHost {
  readonly api: EngineApi;
  readonly home: string;
  readonly config: EngineConfig;
  readonly #context: EngineContext;
  readonly #services: EngineServices;
  #stopPolling: Dispose | undefined;
  #scheduler: Scheduler | undefined;
  #pausing: Promise<unknown> | undefined;

  constructor(context: EngineContext, services: EngineServices) {
    this.#context = context;
    this.#services = services;
    this.api = recordCalls(new Dispatch(context), context.audit);
    this.home = context.paths.home;
    this.config = context.config;
  }

  get inbound(): LazyInbound {
    return this.#services.inbound;
  }

  get gateway(): LazyGateway {
    return this.#services.gateway;
  }

  auth(): Promise<Auth> {
    return this.#context.auth();
  }

  metrics(): Promise<EngineMetrics> {
    return this.#services.metrics.open();
  }

  startRun(request: StartRequest): Promise<RunRef> {
    return this.#context.startRun(request);
  }

  enqueueRun(request: EnqueueRequest): Promise<RunRef> {
    return this.#context.enqueueRun(request);
  }

  async waitForEnd(run: RunRef): Promise<OperationOutput<'runs.get'>> {
    const detail = await this.#context.runs.waitForEnd(run);
    const { storedWorkflows, watch, queues } = this.#context;
    return toRunDetail(detail, await storedWorkflows.find(detail.run, detail.spec), {
      home: this.home,
      watch,
      queues,
    });
  }

  activeExecutions(): readonly RunRef[] {
    return this.#context.active
      .list()
      .map(({ run }) => ({ name: run.record.name, dagRunId: run.record.dagRunId }));
  }

  stepPlace(run: RunRef, step?: string): Promise<StepLocation> {
    return this.#services.stepLocator.stepPlace(run, step);
  }

  workflowPlace(fileName: string): Promise<StepLocation> {
    return this.#services.stepLocator.workflowPlace(fileName);
  }

  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void {
    this.#services.hostEnvironment.change(variables, passed);
  }

  onProblem(listener: (problem: HealthProblem) => void): void {
    this.#context.health.onProblem(listener);
  }

  forceStop(run: RunRef): void {
    this.#context.active.find(run)?.forceStop();
  }

  hasOrphans(): boolean {
    return this.#services.runRecovery.hasOrphans();
  }

  recoverRuns(): Promise<readonly RunRef[]> {
    return this.#services.runRecovery.recoverAll();
  }

  startRecoveryLoop(): void {
    // Long-lived hosts start their supervisor before the first step; the app, once its window is open.
    this.#services.launcher.prepare();
    this.#stopPolling ??= this.#services.runRecovery.startPolling(
      this.#context.config.scheduler.zombieDetectionInterval * 1000,
    );
  }

  monitorResources(): void {
    this.#context.monitor.start();
  }

  processQueues(): void {
    this.#services.dispatcher.start();
  }

  sendWebhooks(): Promise<void> {
    return this.#services.webhooks.send();
  }

  async startScheduling(healthPort?: number): Promise<Scheduling> {
    const scheduler = (this.#scheduler ??= openScheduler(this.#services.scheduling, healthPort));
    await this.#pausing;
    await scheduler.start();
    return scheduler;
  }

  onClockChanged(): void {
    this.#scheduler?.wake();
  }

  async pauseServices(): Promise<void> {
    this.#stopPolling?.();
    this.#stopPolling = undefined;
    this.#services.dispatcher.close();
    const scheduler = this.#scheduler;
    this.#scheduler = undefined;
    const closed = [scheduler?.close(), this.#services.webhooks.close()];
    this.#pausing = Promise.all([this.#pausing, ...closed]);
    await this.#pausing;
  }

  async close(runs: 'stop' | 'leave'): Promise<void> {
    this.#services.homeWatch.close();
    await this.#services.maintenance?.close();
    this.#context.monitor.close();
    await this.#services.metrics.close();
    await this.#services.inbound.close();
    await this.#services.gateway.close();
    // First, so that nothing starts that would not be ended.
    await this.pauseServices();
    if (runs === 'stop') await this.#context.active.stopAll('the engine, which is shutting down');
    const remaining = this.#context.active.list();
    if (remaining.length > 0) this.#services.recorder.flush();
    for (const execution of remaining) execution.detach();
    this.#services.launcher.release();
    if (runs === 'leave' || remaining.length > 0) this.#services.host.leaveRuns();
    await this.#services.retention.settled();
    await this.#services.telemetry.settled();
    await this.#services.distributed.close();
    this.#context.library.close();
    this.#context.logs.close();
    this.#context.editor.changes.close();
    this.#context.changes.close();
    this.#context.hub.close();
    this.#context.audit.flush();
    this.#context.store.close();
  }
}
