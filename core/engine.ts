import { Dispatch } from './api/dispatch.ts';
import type { Auth } from './api/auth/auth.ts';
import type { EngineApi, EngineHost, Scheduling } from './api/engine-host.ts';
import type { EngineMetrics } from './api/metrics/engine-metrics.ts';
import { LazyMetrics } from './api/metrics/lazy-metrics.ts';
import { openScheduler } from './api/open-scheduler.ts';
import { createApi } from './api/create-api.ts';
import { toRunDetail } from './api/views.ts';
import type { Dispose } from './base/clock.ts';
import type { HealthProblem } from './base/health.ts';
import { throttledLogger } from './base/logger.ts';
import type { OperationOutput } from './contract/operations.ts';
import {
  isLongLived,
  openApi,
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
import type { RunRef } from './model/run.ts';
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
export function openEngine(input: EngineOptions): EngineHost {
  const options = { ...input, logger: throttledLogger(input.logger, input.clock) };
  const home = openHome(options);
  const host = openHost(options, home);
  const runs = openRuns(options, home, host);
  const startScheduling = async (): Promise<void> => {
    engine.processQueues();
    await engine.startScheduling();
  };
  const { context, ...services } = openApi(options, home, host, runs);
  const api = { ...services, context: { ...context, startScheduling } };
  const engine = new Engine(home, host, runs, api, isLongLived(options));
  return engine;
}

/** An open engine; see `EngineHost`. */
class Engine implements EngineHost {
  readonly api: EngineApi;
  readonly startRun: EngineHost['startRun'];
  readonly enqueueRun: EngineHost['enqueueRun'];
  readonly home: string;
  readonly config: EngineConfig;
  readonly #home: OpenHome;
  readonly #host: HostServices;
  readonly #runs: RunServices;
  readonly #services: ApiServices;
  readonly #metrics: LazyMetrics;
  readonly #maintenance: IdleMaintenance | undefined;
  #stopPolling: Dispose | undefined;
  #scheduler: Scheduler | undefined;
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
    this.startRun = services.context.startRun;
    this.enqueueRun = services.context.enqueueRun;
    this.home = home.paths.home;
    this.config = home.config;
    this.api = createApi(new Dispatch(services.context), services.context.audit);
    this.#metrics = new LazyMetrics(services.context, home.logger);
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

  get inbound(): LazyInbound {
    return this.#services.inbound;
  }

  get pings(): PingStore {
    return this.#home.store.pings;
  }

  get gateway(): LazyGateway {
    return this.#services.gateway;
  }

  auth(): Promise<Auth> {
    return this.#services.context.auth();
  }

  metrics(): Promise<EngineMetrics> {
    return this.#metrics.open();
  }

  async waitForEnd(run: RunRef): Promise<OperationOutput<'runs.get'>> {
    const detail = await this.#runs.runs.waitForEnd(run);
    const { storedWorkflows, watch, queues } = this.#services.context;
    return toRunDetail(detail, await storedWorkflows.find(detail.run, detail.spec), {
      home: this.home,
      watch,
      queues,
    });
  }

  activeExecutions(): readonly RunRef[] {
    return this.#runs.active
      .list()
      .map(({ run }) => ({ name: run.record.name, dagRunId: run.record.dagRunId }));
  }

  locateStep(run: RunRef, step?: string): Promise<StepLocation> {
    return this.#runs.stepLocator.locateStep(run, step);
  }

  locateWorkflow(fileName: string): Promise<StepLocation> {
    return this.#runs.stepLocator.locateWorkflow(fileName);
  }

  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void {
    this.#home.hostEnvironment.change(variables, passed);
  }

  onProblem(listener: (problem: HealthProblem) => void): void {
    this.#host.health.onProblem(listener);
  }

  forceStop(run: RunRef): void {
    this.#runs.active.find(run)?.forceStop();
  }

  hasOrphans(): boolean {
    return this.#runs.recovery.hasOrphans();
  }

  recoverRuns(): Promise<readonly RunRef[]> {
    return this.#runs.recovery.recoverAll();
  }

  startRecoveryLoop(): void {
    // Long-lived hosts start their supervisor before the first step; the app, once its window is open.
    this.#host.launcher.prepare();
    this.#stopPolling ??= this.#runs.recovery.startPolling(
      this.config.scheduler.zombieDetectionInterval * 1000,
    );
  }

  monitorResources(): void {
    this.#host.monitor.start();
  }

  processQueues(): void {
    this.#runs.dispatcher.start();
  }

  sendWebhooks(): Promise<void> {
    return this.#services.webhooks.send();
  }

  async startScheduling(healthPort?: number): Promise<Scheduling> {
    const scheduler = (this.#scheduler ??= this.#openScheduler(healthPort));
    await this.#pausing;
    await scheduler.start();
    return scheduler;
  }

  #openScheduler(healthPort: number | undefined): Scheduler {
    const { store, clock, logger } = this.#home;
    const { base, sources } = this.#runs;
    return openScheduler(
      {
        store,
        clock,
        logger,
        base,
        sources,
        engineContext: this.#services.context,
        host: this.#host.heartbeat,
        decidedFireTimes: this.#metrics.decidedFireTimes,
      },
      healthPort,
    );
  }

  onClockChanged(): void {
    this.#scheduler?.wake();
  }

  async pauseServices(): Promise<void> {
    this.#stopPolling?.();
    this.#stopPolling = undefined;
    this.#runs.dispatcher.close();
    const scheduler = this.#scheduler;
    this.#scheduler = undefined;
    const closed = [scheduler?.close(), this.#services.webhooks.close()];
    this.#pausing = Promise.all([this.#pausing, ...closed]);
    await this.#pausing;
  }

  async close(runs: 'stop' | 'leave'): Promise<void> {
    const { context } = this.#services;
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
    if (remaining.length > 0) this.#host.recorder.flush();
    for (const execution of remaining) execution.detach();
    this.#host.launcher.release();
    if (runs === 'leave' || remaining.length > 0) this.#host.heartbeat.leaveRuns();
    await this.#runs.retention.settled();
    await this.#host.telemetry.settled();
    await this.#host.distributed.close();
    this.#runs.library.close();
    context.logs.close();
    context.editor.changes.close();
    context.changes.close();
    this.#host.hub.close();
    context.audit.flush();
    this.#home.store.close();
  }
}
