import { randomUUID } from 'node:crypto';
import { Dispatch } from './api/dispatch.ts';
import { AuditTrail } from './audit/audit-trail.ts';
import type { EnqueueRequest, EngineApi, EngineHost, Scheduling, StartRequest } from './api/engine-host.ts';
import type { EngineParts } from './api/engine-parts.ts';
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
import { HostWatch } from './hosts/host-watch.ts';
import { OwnHost } from './hosts/own-host.ts';
import { IdleUpkeep } from './maintenance/idle-upkeep.ts';
import type { HostKind } from './model/host.ts';
import type { RunRef } from './model/run/run.ts';
import { armFailPoints } from './process/arm-fail-points.ts';
import { describeOwnProcess } from './process/living/own-process.ts';
import type { SupervisorProcess } from './process/supervisor/start-supervisor.ts';
import type { Watchdog } from './process/watchdog/watchdog.ts';
import { SupervisedLauncher } from './process/supervisor/supervised-launcher.ts';
import { ActiveRuns } from './run/active-runs.ts';
import { DryRuns } from './run/dry/dry-runs.ts';
import { EventHub } from './run/record/event-hub.ts';
import { Recorder } from './run/record/recorder.ts';
import { Reruns } from './run/reruns/reruns.ts';
import type { DriverHost } from './run/driven-run.ts';
import { Retention } from './run/kept/retention.ts';
import { RunService } from './run/run-service.ts';
import type { EngineMetrics } from './metrics/engine-metrics.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import { openPlaces, type Places, type StepPlace } from './run/step-place.ts';
import { SubRuns } from './run/sub-runs/sub-runs.ts';
import { TakeOvers } from './run/takeover/take-overs.ts';
import { Turnstile } from './run/turnstile.ts';
import type { Dispatcher } from './queue/dispatcher.ts';
import type { Keychain } from './secrets/keychain.ts';
import { openQueues } from './queue/open-queues.ts';
import { openStore, type Store } from './store/open-store.ts';
import type { Auth } from './auth/auth.ts';
import type { PasswordCost } from './auth/passwords/hash-password.ts';
import { openRequests } from './wiring/carry-out-requests.ts';
import { authOpener } from './wiring/open-auth.ts';
import { openEditor } from './wiring/open-editor.ts';
import { openFiles } from './wiring/open-files.ts';
import { openDatabases } from './wiring/open-databases.ts';
import { DistributedOpener } from './wiring/open-distributed.ts';
import { GatewayOpener } from './wiring/open-gateway.ts';
import { openHealth, useWatchdog } from './wiring/open-health.ts';
import type { InboundOpener } from './wiring/open-inbound.ts';
import { openMemory } from './wiring/open-memory.ts';
import { MetricsOpener } from './wiring/open-metrics.ts';
import { openMonitor } from './wiring/open-monitor.ts';
import { openScheduler, type SchedulingParts } from './wiring/open-scheduler.ts';
import { openWebhooks, type WebhooksOpener } from './wiring/open-webhooks.ts';
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
const startsPerTurn = 4;

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
  const distributed = new DistributedOpener({ config, paths, clock, logger });
  const { driver: remote, files, tasks, removeElsewhere, mirror } = distributed;
  const values = { ...own.facts, keychain, remote, workers: remote, defaultWorkingDir: config.workDir };
  const { approvals } = store;
  const shared = { home, store, approvals, clock, logger, files, removeElsewhere, ...values };
  const hub = new EventHub(shared);
  const tools = openTools(options, { ...shared, hub, config, paths });
  const { host, monitor, stepLauncher, health, requireHome, ...kept } = tools;
  const driverHost: DriverHost = {
    ...shared,
    ...tools,
    cacheDir: paths.cache,
    databases: openDatabases({ config, paths, clock, logger }),
    logRoot: findLogRoot(paths),
    launcher: stepLauncher,
    turnstile: new Turnstile(clock, startsPerTurn),
    subRuns: (...caller) => subRuns.portFor(...caller),
    forgetSubRuns: (...caller) => subRuns.forget(...caller),
  };
  const active = new ActiveRuns(driverHost, hub);
  options.watchdog?.setCleanUp(() => active.longestCleanUpMs());
  const system = { ...own.facts, keychain, warn: (message: string) => logger.warn(message) };
  const retention = new Retention({ ...shared, defaults: config.history });
  const runs = new RunService({ ...shared, active, hub, system, owner: host.owner, retention, requireHome });
  const { base, library, sources } = openFiles(paths, config, clock);
  const reruns = new Reruns({ ...shared, active, hub, owner: host.owner, service: runs, system });
  const watch = new HostWatch(host.owner, clock);
  const takeOvers = new TakeOvers({ ...shared, host: driverHost, active, hub, watch, system });
  const subRuns = new SubRuns({ ...shared, service: runs, active, finder: sources, reruns, takeOvers });
  const dryRuns = new DryRuns({ ...shared, finder: sources, logs: paths.logs });
  const waited = { ...shared, config, service: runs, active, hub, host, watch, retention };
  const { queues, dispatcher } = openQueues(waited);
  const memory = openMemory(shared, config);
  const both = openWebhooks({ ...shared, config, paths, library, sources, runs, queues, host });
  const gateway = new GatewayOpener({ config, paths, clock, logger });
  const named = { paths, config, version, clock, store, hub, library, active, watch, runs, reruns, health };
  const parts: EngineParts = {
    ...{ ...named, approvals, monitor, tasks, files, removeElsewhere, mirror, schedule: store.schedule },
    editor: openEditor({ ...shared, paths, library }),
    ...{ queues, gateway },
    audit: new AuditTrail({ ...shared, store: store.audit }),
    inbound: both.inbound,
    webhooks: both.webhooks.open,
    webhookMark: () => store.webhookMark(),
    ...memory,
    ...openRequests({ ...memory, runs, reruns, dryRuns, sources, queues }),
    auth: authOpener({ ...options, dataDir: paths.data, config }),
  };
  const places = openPlaces({ ...shared, system, sources });
  const upkeep = openUpkeep(options, parts, store);
  const inner = { ...kept, ...both, own, gateway, distributed, host, retention, takeOvers, upkeep };
  const metrics = new MetricsOpener(parts, logger);
  const scheduling = { ...shared, parts, host, base, sources, slots: metrics.slots };
  return new OpenEngine(parts, { ...inner, places, scheduling, metrics, dispatcher });
}

/** Opens the store of a prepared home: its file, or a server. */
function openHomeStore(options: EngineOptions, paths: HomePaths, { skipExamples }: EngineConfig): Store {
  useWatchdog(options, paths);
  prepareHome(paths, skipExamples ? undefined : options.samplesDir);
  const { database: file, databaseUrl: url } = paths;
  return openStore(url === undefined ? { file, checkAfterCrash: livesLong(options) } : { url });
}

/** Data that is read from the home before it is opened. */
interface HomeParts {
  readonly config: EngineConfig;
  readonly paths: HomePaths;
}

/** Opens what drives and observes runs. */
function openTools(
  options: EngineOptions,
  shared: { home: string; store: Store; clock: Clock; logger: Logger; hub: EventHub } & HomeParts,
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
function openOwnHost({ clock, logger, kind = 'cli' }: EngineOptions, store: Store): OwnHost {
  armFailPoints(process.env);
  const owner = { ...describeOwnProcess(clock.now()), id: randomUUID(), kind };
  return new OwnHost({ owner, store, clock, logger });
}

function openUpkeep(
  options: EngineOptions,
  { clock, active, library }: EngineParts,
  { upkeep: store }: Store,
): IdleUpkeep | undefined {
  if (!livesLong(options)) return undefined;
  library.watch();
  const isBusy = (): boolean => active.list().length > 0;
  const upkeep = new IdleUpkeep({ store, clock, logger: options.logger, isBusy });
  upkeep.start();
  return upkeep;
}

/** Returns the log directory of runs when it is outside the home. */
const findLogRoot = ({ home, logs }: HomePaths): string | undefined =>
  logs === homePaths(home).logs ? undefined : logs;

/** Parts that handlers do not use, but closing does. */
interface InnerParts {
  readonly launcher: SupervisedLauncher;
  readonly recorder: Recorder;
  readonly retention: Retention;
  readonly telemetry: Telemetry;
  readonly host: OwnHost;
  readonly takeOvers: TakeOvers;
  readonly upkeep?: IdleUpkeep | undefined;
  readonly homeWatch: HomeWatch;
  readonly scheduling: SchedulingParts;
  readonly dispatcher: Dispatcher;
  readonly webhooks: WebhooksOpener;
  readonly metrics: MetricsOpener;
  readonly inbound: InboundOpener;
  readonly gateway: GatewayOpener;
  readonly distributed: DistributedOpener;
  readonly places: Places;
  readonly own: HostEnvironment;
}

class OpenEngine implements EngineHost {
  readonly api: EngineApi;
  readonly home: string;
  readonly config: EngineConfig;
  readonly #parts: EngineParts;
  readonly #inner: InnerParts;
  #stopLooking: Dispose | undefined;
  #scheduler: Scheduler | undefined;
  #standingDown: Promise<unknown> | undefined;

  constructor(parts: EngineParts, inner: InnerParts) {
    this.#parts = parts;
    this.#inner = inner;
    this.api = recordCalls(new Dispatch(parts), parts.audit);
    this.home = parts.paths.home;
    this.config = parts.config;
  }

  get inbound(): InboundOpener {
    return this.#inner.inbound;
  }

  get gateway(): GatewayOpener {
    return this.#inner.gateway;
  }

  auth(): Promise<Auth> {
    return this.#parts.auth();
  }

  metrics(): Promise<EngineMetrics> {
    return this.#inner.metrics.open();
  }

  startRun(request: StartRequest): Promise<RunRef> {
    return this.#parts.startRun(request);
  }

  enqueueRun(request: EnqueueRequest): Promise<RunRef> {
    return this.#parts.enqueueRun(request);
  }

  async waitForEnd(run: RunRef): Promise<OperationOutput<'runs.get'>> {
    const detail = await this.#parts.runs.waitForEnd(run);
    const { storedWorkflows, watch, queues } = this.#parts;
    return toRunDetail(detail, await storedWorkflows.find(detail.run, detail.spec), {
      home: this.home,
      watch,
      queues,
    });
  }

  drivenRuns(): readonly RunRef[] {
    return this.#parts.active
      .list()
      .map(({ run }) => ({ name: run.record.name, dagRunId: run.record.dagRunId }));
  }

  stepPlace(run: RunRef, step?: string): Promise<StepPlace> {
    return this.#inner.places.stepPlace(run, step);
  }

  workflowPlace(fileName: string): Promise<StepPlace> {
    return this.#inner.places.workflowPlace(fileName);
  }

  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void {
    this.#inner.own.change(variables, passed);
  }

  onProblem(listener: (problem: HealthProblem) => void): void {
    this.#parts.health.onProblem(listener);
  }

  forceStop(run: RunRef): void {
    this.#parts.active.find(run)?.forceStop();
  }

  hasOrphans(): boolean {
    return this.#inner.takeOvers.hasOrphans();
  }

  takeOver(): Promise<readonly RunRef[]> {
    return this.#inner.takeOvers.takeOverAll();
  }

  keepTakingOver(): void {
    // Long-lived hosts start their supervisor before the first step; the app, once its window is open.
    this.#inner.launcher.prepare();
    this.#stopLooking ??= this.#inner.takeOvers.keepLooking(
      this.#parts.config.scheduler.zombieDetectionInterval * 1000,
    );
  }

  monitorResources(): void {
    this.#parts.monitor.start();
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

  lookAtClock(): void {
    this.#scheduler?.poke();
  }

  async standDown(): Promise<void> {
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
    await this.#inner.upkeep?.close();
    this.#parts.monitor.close();
    await this.#inner.metrics.close();
    await this.#inner.inbound.close();
    await this.#inner.gateway.close();
    // First, so that nothing starts that would not be ended.
    await this.standDown();
    if (runs === 'stop') await this.#parts.active.stopAll('the engine, which is shutting down');
    const left = this.#parts.active.list();
    if (left.length > 0) this.#inner.recorder.flush();
    for (const driver of left) driver.letGo();
    this.#inner.launcher.release();
    if (runs === 'leave' || left.length > 0) this.#inner.host.leaveRuns();
    await this.#inner.retention.settled();
    await this.#inner.telemetry.settled();
    await this.#inner.distributed.close();
    this.#parts.library.close();
    this.#parts.logs.close();
    this.#parts.editor.changes.close();
    this.#parts.changes.close();
    this.#parts.hub.close();
    this.#parts.audit.flush();
    this.#parts.store.close();
  }
}
