import type { Auth } from './api/auth/auth.ts';
import type { EngineApi, EnqueueRequest, Scheduling, StartRequest } from './api/engine-api.ts';
import type { EngineMetrics } from './api/metrics/engine-metrics.ts';
import { LazyMetrics } from './api/metrics/lazy-metrics.ts';
import { createApi } from './api/create-api.ts';
import type { EngineContext } from './api/engine-context.ts';
import { toRunDetail } from './api/views.ts';
import type { Dispose } from './base/clock.ts';
import type { HealthProblem } from './base/health.ts';
import type { OperationOutput } from './contract/operations.ts';
import {
  isLongLived,
  openServices,
  openHome,
  openHost,
  openRuns,
  type ApiServices,
  type EngineOptions,
  type HostServices,
  type OpenHome,
  type RunServices,
} from './engine-services.ts';
import type { LazyGateway } from './gateway/service/gateway-service.ts';
import type { EngineConfig } from './home/config/engine-config.ts';
import type { RunRecord, RunRef } from './model/run.ts';
import type { Scheduler } from './run/scheduler/scheduler.ts';
import type { StepLocation } from './run/step-location.ts';
import type { PingStore } from './store/types/pings.ts';
import { IdleMaintenance } from './store/maintenance/idle-maintenance.ts';
import type { LazyInbound } from './webhooks/lazy-inbound.ts';

export type { EngineOptions } from './engine-services.ts';

/**
 * Opens the engine on a home. Changes nothing when it throws.
 * @throws `invalid_config`, `home_unusable`, `still_running` during a restore of the home, `database_corrupt`,
 * `database_newer` or `storage_full`
 */
export async function openEngine(input: EngineOptions): Promise<Engine> {
  const home = openHome(input);
  try {
    await home.store.ready();
  } catch (error) {
    home.store.close();
    throw error;
  }
  return createEngine(input, home);
}

/** Creates the engine of an open home. */
export function createEngine(input: EngineOptions, home: OpenHome): Engine {
  const options = { ...input, logger: home.logger };
  const host = openHost(options, home);
  const runs = openRuns(options, home, host);
  const services = openServices(options, home, host, runs);
  return new Engine(home, host, runs, services, isLongLived(options));
}

/** An engine that one process (desktop app, headless server, or one `engine` command) has opened on one home. */
export class Engine {
  readonly api: EngineApi;
  /**
   * Creates a run and starts to execute it; a run that requires a worker is queued instead.
   * @throws AppError (`not_found`, `invalid_spec`, …)
   */
  readonly startRun: (request: StartRequest) => Promise<RunRef>;
  /**
   * Creates a queued run.
   * @throws AppError (`not_found`, `invalid_spec`, `queue_closed`, …)
   */
  readonly enqueueRun: (request: EnqueueRequest) => Promise<RunRef>;
  /** Absolute path of the home. */
  readonly home: string;
  readonly config: EngineConfig;
  readonly #home: OpenHome;
  readonly #host: HostServices;
  readonly #runs: RunServices;
  readonly #services: ApiServices;
  readonly #context: EngineContext;
  readonly #metrics: LazyMetrics;
  readonly #maintenance: IdleMaintenance | undefined;
  #stopPolling: Dispose | undefined;
  #scheduler: Promise<Scheduler> | undefined;
  #pausing: Promise<unknown> | undefined;

  constructor(
    home: OpenHome,
    host: HostServices,
    runs: RunServices,
    services: ApiServices,
    isLongRunning: boolean,
  ) {
    this.#home = home;
    this.#host = host;
    this.#runs = runs;
    this.#services = services;
    this.home = home.paths.home;
    this.config = home.config;
    this.#context = {
      ...services.context,
      startScheduling: async () => {
        this.processQueues();
        await this.startScheduling();
      },
    };
    this.startRun = this.#context.startRun;
    this.enqueueRun = this.#context.enqueueRun;
    this.api = createApi(this.#context);
    this.#metrics = new LazyMetrics(this.#context, home.logger);
    if (isLongRunning) this.#maintenance = this.#startMaintenance();
  }

  #startMaintenance(): IdleMaintenance {
    const { store, clock, logger } = this.#home;
    this.#runs.library.watch();
    const isBusy = (): boolean => this.#runs.active.list().length > 0;
    const maintenance = new IdleMaintenance(store.maintenance, clock, logger, isBusy);
    maintenance.start();
    return maintenance;
  }

  /** Incoming webhooks of the home. */
  get inbound(): LazyInbound {
    return this.#services.inbound;
  }

  /** Pings of jobs that run elsewhere. */
  get pings(): PingStore {
    return this.#home.store.pings;
  }

  /** The database gateway of the home, loaded on first use. */
  get gateway(): LazyGateway {
    return this.#services.gateway;
  }

  /** Users, tokens and sessions of the home, opened on first use. */
  auth(): Promise<Auth> {
    return this.#context.auth();
  }

  /** Starts collecting metrics of the home (docs/monitoring.md); for long-running hosts. */
  metrics(): Promise<EngineMetrics> {
    return this.#metrics.open();
  }

  /** Resolves when the run has ended, whichever host executes it. */
  async waitForEnd(run: RunRef): Promise<OperationOutput<'runs.get'>> {
    const detail = await this.#runs.runs.waitForEnd(run);
    const { storedWorkflows, watch, queues } = this.#context;
    return toRunDetail(detail, await storedWorkflows.find(detail.run, detail.spec), {
      home: this.home,
      watch,
      queues,
    });
  }

  /** The same as `waitForEnd`, without reading the steps. */
  waitForOutcome(run: RunRef): Promise<Pick<RunRecord, 'status' | 'error' | 'cause'>> {
    return this.#runs.runs.waitForOutcome(run);
  }

  /** Returns the runs that this host executes. */
  activeExecutions(): readonly RunRef[] {
    return this.#runs.active
      .list()
      .map(({ run }) => ({ name: run.record.name, dagRunId: run.record.dagRunId }));
  }

  /**
   * Returns the environment of a step for trying it in a terminal; see `StepLocation`, which contains secrets in plain
   * text. Only for hosts with a user at the machine: no operation exposes it.
   */
  locateStep(run: RunRef, step?: string): Promise<StepLocation> {
    return this.#runs.stepLocator.locateStep(run, step);
  }

  /** Returns the environment in which a run of a workflow file would start. Also rejects with `not_found`. */
  locateWorkflow(fileName: string): Promise<StepLocation> {
    return this.#runs.stepLocator.locateWorkflow(fileName);
  }

  /**
   * Changes environment variables of this host for new runs, and replaces an earlier change.
   * @param variables an empty string removes a variable
   * @param passed names of the variables that steps receive without declaring them, because the user has chosen them
   * for all workflows
   */
  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void {
    this.#home.hostEnvironment.change(variables, passed);
  }

  /** Calls the listener for each new problem of this host, as in `system.health`. */
  onProblem(listener: (problem: HealthProblem) => void): void {
    this.#host.health.onProblem(listener);
  }

  /** Kills the processes of a run of this host without waiting for their clean-up time. */
  forceStop(run: RunRef): void {
    this.#runs.active.find(run)?.forceStop();
  }

  /** Whether there are runs whose host has ended. */
  hasOrphans(): Promise<boolean> {
    return this.#runs.recovery.hasOrphans();
  }

  /** Takes over the runs whose hosts have ended and executes them. Never rejects. */
  recoverRuns(): Promise<readonly RunRef[]> {
    return this.#runs.recovery.recoverAll();
  }

  /** Takes over runs now and at the configured interval until the host is closed: for long-running hosts. */
  startRecoveryLoop(): void {
    // Long-lived hosts start their supervisor before the first step; the app, once its window is open.
    this.#host.launcher.prepare();
    this.#stopPolling ??= this.#runs.recovery.startPolling(
      this.config.scheduler.zombieDetectionInterval * 1000,
    );
  }

  /** Starts monitoring resource usage at the configured interval until the host is closed: for long-running hosts. */
  monitorResources(): void {
    this.#host.monitor.start();
  }

  /** Starts processing queues until the host is closed: for long-running hosts. */
  processQueues(): void {
    this.#runs.dispatcher.start();
  }

  /** Starts sending webhooks until the host is closed: for long-running hosts. */
  sendWebhooks(): Promise<void> {
    return this.#services.webhooks.send();
  }

  /**
   * Starts running schedules until the host is closed. Resolves when they are loaded.
   * @param healthPort port of the health check, which is published; absent if there is none
   */
  async startScheduling(healthPort?: number): Promise<Scheduling> {
    const scheduler = await (this.#scheduler ??= this.#openScheduler(healthPort));
    await this.#pausing;
    await scheduler.start();
    return scheduler;
  }

  async #openScheduler(healthPort: number | undefined): Promise<Scheduler> {
    const { openScheduler } = await import('./api/open-scheduler.ts');
    const { store, clock, logger } = this.#home;
    const { base, library } = this.#runs;
    return openScheduler(
      {
        store,
        clock,
        logger,
        base,
        library,
        engineContext: this.#context,
        host: this.#host.heartbeat,
        decidedFireTimes: this.#metrics.decidedFireTimes,
      },
      healthPort,
    );
  }

  /**
   * Makes the scheduler check the time at once, for example after the machine was asleep. Does nothing without a
   * scheduler.
   */
  onClockChanged(): void {
    void this.#scheduler?.then((scheduler) => scheduler.wake());
  }

  /**
   * Stops running schedules, processing queues and taking over runs, so that other hosts may do so. Active runs
   * continue. Resolves when other hosts are informed; each of the three can be started again.
   */
  async pauseServices(): Promise<void> {
    this.#stopPolling?.();
    this.#stopPolling = undefined;
    const scheduler = this.#scheduler;
    this.#scheduler = undefined;
    const closed = [
      this.#runs.dispatcher.close(),
      scheduler?.then((opened) => opened.close()),
      this.#services.webhooks.close(),
      this.#runs.recovery.settled(),
    ];
    this.#pausing = Promise.all([this.#pausing, ...closed]);
    await this.#pausing;
  }

  /**
   * Closes the host. `stop` aborts its runs (handlers run) and waits for them; `leave` lets step processes continue
   * and leaves the runs to be taken over.
   */
  async close(runs: 'stop' | 'leave'): Promise<void> {
    const context = this.#context;
    this.#host.homeWatch.close();
    await this.#maintenance?.close();
    this.#host.monitor.close();
    await this.#metrics.close();
    await this.#services.inbound.close();
    await this.#services.gateway.close();
    // First, so that nothing starts that would not be ended.
    await this.pauseServices();
    if (runs === 'stop') await this.#runs.active.stopAll('the engine, which is shutting down');
    const remaining = this.#runs.active.list();
    if (remaining.length > 0) await this.#host.recorder.flush();
    for (const execution of remaining) execution.detach();
    this.#host.launcher.release();
    if (runs === 'leave' || remaining.length > 0) await this.#host.heartbeat.leaveRuns();
    await this.#runs.retention.settled();
    await this.#host.telemetry.settled();
    await this.#host.distributed.close();
    this.#runs.library.close();
    context.logs.close();
    context.editor.changes.close();
    context.changes.close();
    this.#host.hub.close();
    await context.audit.flush();
    await this.#host.hub.settled();
    this.#home.store.close();
  }
}
