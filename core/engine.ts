import { randomUUID } from 'node:crypto';
import { Dispatch } from './api/dispatch.ts';
import { AuditTrail } from './audit/audit-trail.ts';
import type { EnqueueRequest, EngineApi, EngineHost, Scheduling, StartRequest } from './api/engine-host.ts';
import type { EngineContext } from './api/engine-context.ts';
import { recordCalls } from './api/guards/record-calls.ts';
import { toRunDetail } from './api/views.ts';
import type { Clock, Dispose } from './base/clock.ts';
import type { HealthProblem } from './base/health.ts';
import { calmLogger, type Logger } from './base/logger.ts';
import type { ConfigFlags, EngineConfig } from './config/engine-config.ts';
import { homePaths, type HomePaths } from './config/home.ts';
import { prepareHome } from './config/prepare-home.ts';
import type { OperationOutput } from './contract/operations.ts';
import type { HomeWatch } from './hosts/home-watch.ts';
import { HostMonitor } from './hosts/host-monitor.ts';
import { HostHeartbeat } from './hosts/host-heartbeat.ts';
import { IdleMaintenance } from './maintenance/idle-maintenance.ts';
import type { HostKind } from './model/host.ts';
import type { RunRef } from './model/run/run.ts';
import { armFailPoints } from './process/arm-fail-points.ts';
import { describeOwnProcess } from './process/tracking/own-process.ts';
import type { SupervisorProcess } from './process/supervisor/start-supervisor.ts';
import type { Watchdog } from './process/watchdog/watchdog.ts';
import { SupervisedLauncher } from './process/supervisor/supervised-launcher.ts';
import { ActiveRuns } from './run/active-runs.ts';
import { DryRuns } from './run/dry/dry-runs.ts';
import { EventHub } from './run/record/event-hub.ts';
import { Recorder } from './run/record/recorder.ts';
import { Reruns } from './run/reruns/reruns.ts';
import type { RunHost } from './run/run-input.ts';
import { Retention } from './run/retention/retention.ts';
import { RunService } from './run/run-service.ts';
import type { EngineMetrics } from './metrics/engine-metrics.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import { openPlaces, type StepLocator, type StepLocation } from './run/step-location.ts';
import { SubRuns } from './run/sub-runs/sub-runs.ts';
import { RunRecovery } from './run/recovery/run-recovery.ts';
import { StartLimiter } from './run/start-limiter.ts';
import type { Dispatcher } from './queue/dispatcher.ts';
import type { Keychain } from './secrets/keychain.ts';
import { openQueues } from './queue/open-queues.ts';
import { openStore, type Store } from './store/open-store.ts';
import type { Auth } from './auth/auth.ts';
import type { PasswordCost } from './auth/passwords/hash-password.ts';
import { openRequests } from './wiring/run-requests.ts';
import { authOpener } from './wiring/open-auth.ts';
import { openEditor } from './wiring/open-editor.ts';
import { openFiles } from './wiring/open-files.ts';
import { openDatabases } from './wiring/open-databases.ts';
import { LazyDistributed } from './wiring/open-distributed.ts';
import { LazyGateway } from './wiring/open-gateway.ts';
import { openHealth, useWatchdog } from './wiring/open-health.ts';
import type { LazyInbound } from './wiring/open-inbound.ts';
import { createCaches } from './wiring/create-caches.ts';
import { LazyMetrics } from './wiring/open-metrics.ts';
import { openMonitor } from './wiring/open-monitor.ts';
import { openScheduler, type SchedulingDeps } from './wiring/open-scheduler.ts';
import { openWebhooks, type LazyWebhooks } from './wiring/open-webhooks.ts';
import type { HostEnvironment } from './process/host-environment.ts';
import { readHomeConfig } from './wiring/read-home-config.ts';
import { TimedLauncher } from './wiring/timed-launcher.ts';
import { Telemetry } from './telemetry/telemetry.ts';

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
export function openEngine(given: EngineOptions): EngineHost {
  const options = { ...given, logger: calmLogger(given.logger, given.clock) };
  const { home, clock, logger, version, keychain } = options;
  const { config, paths, own } = readHomeConfig(options, process.env);
  const store = openHomeStore(options, paths, config);
  const distributed = new LazyDistributed({ config, paths, clock, logger });
  const { driver: remote, files, tasks, removeElsewhere, mirror } = distributed;
  const values = { ...own.facts, keychain, remote, workers: remote, defaultWorkingDir: config.workDir };
  const { approvals } = store;
  const shared = { home, store, approvals, clock, logger, files, removeElsewhere, ...values };
  const hub = new EventHub(shared);
  const tools = openTools(options, { ...shared, hub, config, paths });
  const { host, monitor, stepLauncher, health, requireHome, ...kept } = tools;
  const driverHost: RunHost = {
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
  const active = new ActiveRuns(driverHost, hub);
  options.watchdog?.setCleanUp(() => active.maxCleanUpMs());
  const system = { ...own.facts, keychain, warn: (message: string) => logger.warn(message) };
  const retention = new Retention({ ...shared, defaults: config.history });
  const runs = new RunService({ ...shared, active, hub, system, owner: host.owner, retention, requireHome });
  const { base, library, sources } = openFiles(paths, config, clock);
  const reruns = new Reruns({ ...shared, active, hub, owner: host.owner, service: runs, system });
  const watch = new HostMonitor(host.owner, clock);
  const takeOvers = new RunRecovery({ ...shared, host: driverHost, active, hub, watch, system });
  const subRuns = new SubRuns({ ...shared, service: runs, active, finder: sources, reruns, takeOvers });
  const dryRuns = new DryRuns({ ...shared, finder: sources, logs: paths.logs });
  const waited = { ...shared, config, service: runs, active, hub, host, watch, retention };
  const { queues, dispatcher } = openQueues(waited);
  const memory = createCaches(shared, config);
  const both = openWebhooks({ ...shared, config, paths, library, sources, runs, queues, host });
  const gateway = new LazyGateway({ config, paths, clock, logger });
  const named = { paths, config, version, clock, store, hub, library, active, watch, runs, reruns, health };
  const context: EngineContext = {
    ...{ ...named, approvals, monitor, tasks, files, removeElsewhere, mirror, schedule: store.schedule },
    editor: openEditor({ ...shared, paths, library }),
    ...{ queues, gateway },
    audit: new AuditTrail({ ...shared, store: store.audit }),
    inbound: both.inbound,
    webhooks: both.webhooks.open,
    webhookRevision: () => store.webhookRevision(),
    ...memory,
    ...openRequests({ ...memory, runs, reruns, dryRuns, sources, queues }),
    auth: authOpener({ ...options, dataDir: paths.data, config }),
  };
  const places = openPlaces({ ...shared, system, sources });
  const maintenance = openMaintenance(options, context, store);
  const inner = { ...kept, ...both, own, gateway, distributed, host, retention, takeOvers, maintenance };
  const metrics = new LazyMetrics(context, logger);
  const scheduling = { ...shared, parts: context, host, base, sources, slots: metrics.slots };
  return new OpenEngine(context, { ...inner, places, scheduling, metrics, dispatcher });
}

/** Opens the store of a prepared home: its file, or a server. */
function openHomeStore(options: EngineOptions, paths: HomePaths, { skipExamples }: EngineConfig): Store {
  useWatchdog(options, paths);
  prepareHome(paths, skipExamples ? undefined : options.samplesDir);
  const { database: file, databaseUrl: url } = paths;
  return openStore(url === undefined ? { file, checkAfterCrash: livesLong(options) } : { url });
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
  const opened = openHealth({ ...shared, looks: livesLong(options) });
  const { health } = opened;
  const launcher = new SupervisedLauncher({ clock, logger, supervisor, health });
  const { monitor, launcher: watched } = openMonitor({ ...shared, launcher });
  return {
    ...opened,
    launcher,
    stepLauncher: new TimedLauncher(watched, clock),
    monitor,
    peakUsage: (run: RunRef) => monitor.peakUsageOf(run),
    telemetry: new Telemetry({ clock, environment: process.env, version }),
    recorder: new Recorder({ ...shared, health, onWritten: () => shared.hub.pump() }),
    host: openOwnHost(options, shared.store),
  };
}

const livesLong = ({ kind = 'cli' }: EngineOptions): boolean => kind !== 'cli';

/** Registers this engine as a host of the home. */
function openOwnHost({ clock, logger, kind = 'cli' }: EngineOptions, store: Store): HostHeartbeat {
  armFailPoints(process.env);
  const owner = { ...describeOwnProcess(clock.now()), id: randomUUID(), kind };
  return new HostHeartbeat({ owner, store, clock, logger });
}

function openMaintenance(
  options: EngineOptions,
  { clock, active, library }: EngineContext,
  { maintenance: store }: Store,
): IdleMaintenance | undefined {
  if (!livesLong(options)) return undefined;
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
interface InnerDeps {
  readonly launcher: SupervisedLauncher;
  readonly recorder: Recorder;
  readonly retention: Retention;
  readonly telemetry: Telemetry;
  readonly host: HostHeartbeat;
  readonly takeOvers: RunRecovery;
  readonly maintenance?: IdleMaintenance | undefined;
  readonly homeWatch: HomeWatch;
  readonly scheduling: SchedulingDeps;
  readonly dispatcher: Dispatcher;
  readonly webhooks: LazyWebhooks;
  readonly metrics: LazyMetrics;
  readonly inbound: LazyInbound;
  readonly gateway: LazyGateway;
  readonly distributed: LazyDistributed;
  readonly places: StepLocator;
  readonly own: HostEnvironment;
}

class OpenEngine implements EngineHost {
  readonly api: EngineApi;
  readonly home: string;
  readonly config: EngineConfig;
  readonly #context: EngineContext;
  readonly #inner: InnerDeps;
  #stopLooking: Dispose | undefined;
  #scheduler: Scheduler | undefined;
  #standingDown: Promise<unknown> | undefined;

  constructor(context: EngineContext, inner: InnerDeps) {
    this.#context = context;
    this.#inner = inner;
    this.api = recordCalls(new Dispatch(context), context.audit);
    this.home = context.paths.home;
    this.config = context.config;
  }

  get inbound(): LazyInbound {
    return this.#inner.inbound;
  }

  get gateway(): LazyGateway {
    return this.#inner.gateway;
  }

  auth(): Promise<Auth> {
    return this.#context.auth();
  }

  metrics(): Promise<EngineMetrics> {
    return this.#inner.metrics.open();
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
    return this.#inner.places.stepPlace(run, step);
  }

  workflowPlace(fileName: string): Promise<StepLocation> {
    return this.#inner.places.workflowPlace(fileName);
  }

  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void {
    this.#inner.own.change(variables, passed);
  }

  onProblem(listener: (problem: HealthProblem) => void): void {
    this.#context.health.onProblem(listener);
  }

  forceStop(run: RunRef): void {
    this.#context.active.find(run)?.forceStop();
  }

  hasOrphans(): boolean {
    return this.#inner.takeOvers.hasOrphans();
  }

  recoverRuns(): Promise<readonly RunRef[]> {
    return this.#inner.takeOvers.recoverAll();
  }

  startRecoveryLoop(): void {
    // Long-lived hosts start their supervisor before the first step; the app, once its window is open.
    this.#inner.launcher.prepare();
    this.#stopLooking ??= this.#inner.takeOvers.keepLooking(
      this.#context.config.scheduler.zombieDetectionInterval * 1000,
    );
  }

  monitorResources(): void {
    this.#context.monitor.start();
  }

  processQueues(): void {
    this.#inner.dispatcher.start();
  }

  sendWebhooks(): Promise<void> {
    return this.#inner.webhooks.send();
  }

  async startScheduling(healthPort?: number): Promise<Scheduling> {
    const scheduler = (this.#scheduler ??= openScheduler(this.#inner.scheduling, healthPort));
    await this.#standingDown;
    await scheduler.start();
    return scheduler;
  }

  onClockChanged(): void {
    this.#scheduler?.poke();
  }

  async pauseServices(): Promise<void> {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    this.#inner.dispatcher.close();
    const scheduler = this.#scheduler;
    this.#scheduler = undefined;
    const closing = [scheduler?.close(), this.#inner.webhooks.close()];
    this.#standingDown = Promise.all([this.#standingDown, ...closing]);
    await this.#standingDown;
  }

  async close(runs: 'stop' | 'leave'): Promise<void> {
    this.#inner.homeWatch.close();
    await this.#inner.maintenance?.close();
    this.#context.monitor.close();
    await this.#inner.metrics.close();
    await this.#inner.inbound.close();
    await this.#inner.gateway.close();
    // First, so that nothing starts that would not be ended.
    await this.pauseServices();
    if (runs === 'stop') await this.#context.active.stopAll('the engine, which is shutting down');
    const left = this.#context.active.list();
    if (left.length > 0) this.#inner.recorder.flush();
    for (const driver of left) driver.detach();
    this.#inner.launcher.release();
    if (runs === 'leave' || left.length > 0) this.#inner.host.leaveRuns();
    await this.#inner.retention.settled();
    await this.#inner.telemetry.settled();
    await this.#inner.distributed.close();
    this.#context.library.close();
    this.#context.logs.close();
    this.#context.editor.changes.close();
    this.#context.changes.close();
    this.#context.hub.close();
    this.#context.audit.flush();
    this.#context.store.close();
  }
}
