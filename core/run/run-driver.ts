import path from 'node:path';
import type { Dispose } from '../base/clock.ts';
import { toAppError, type AppError } from '../base/errors.ts';
import type { SubRunPort } from '../executors/executor.ts';
import type { NodeId, RunEvent } from '../model/run-event.ts';
import type { RunTrace } from '../model/run-trace.ts';
import type { RunStatus } from '../model/status.ts';
import type { HandlerName } from '../model/handler-name.ts';
import type { Step } from '../model/step.ts';
import { decideFinalStatus, type NodeOutcome } from '../plan/final-status.ts';
import { makeFolder } from '../process/make-folder.ts';
import { RunResources } from '../executors/resources.ts';
import { Masker } from '../secrets/masker.ts';
import { beginTrace } from '../telemetry/trace.ts';
import { earlierAttempts } from './reruns/earlier-run.ts';
import type { DrivenRun, DriverHost } from './driven-run.ts';
import { closingHandlers, explainEnding, type Ending, type FinalStatus } from './ending.ts';
import { runLogDir, runLogFile } from './log-places.ts';
import { maskEvent } from './record/mask-event.ts';
import { sendRunMails, type MailingRun } from './mails/run-mails.ts';
import { PlanWalk } from './plan-walk.ts';
import { RunLost, type RunWriter } from './record/recorder.ts';
import { RunLog } from './record/run-log.ts';
import { RunTelemetry } from './record/run-telemetry.ts';
import type { NodeResult } from './steps/node-task.ts';
import type { StepSurroundings } from './steps/step-context.ts';
import { StepRunner } from './steps/step-runner.ts';
import { findUnmet } from './values/conditions.ts';
import { ScopeOpening, type OpenedScope } from './values/open-scope.ts';
import type { RunScope } from './values/run-scope.ts';
import { StepProperties } from './values/step-properties.ts';

/**
 * Drives one run from claim to end (DESIGN 4):
 *
 *   claim → conditions → init handler → steps → success | failure | abort handler → exit handler → finish
 *
 * A stop, or the run's time being over, ends the steps early; the handlers still run.
 */
export class RunDriver {
  readonly run: DrivenRun;
  /** Resolves when the run has ended, was lost to another host or was let go of. */
  readonly ended: Promise<void>;
  readonly #host: DriverHost;
  readonly #stopping = new AbortController();
  readonly #handlersStopping = new AbortController();
  readonly #walk: PlanWalk;
  readonly #properties: StepProperties;
  readonly #trace: RunTrace;
  readonly #telemetry: RunTelemetry;
  #writer!: RunWriter;
  #log: RunLog | undefined;
  #masker: Masker;
  readonly #resources = new RunResources();
  #runDir = '';
  #steps: StepRunner | undefined;
  #handlers: StepRunner | undefined;
  #ending: Ending | undefined;
  #handlerFailure: string | undefined;
  #letGo = false;
  #failure: AppError | undefined;
  #disposeTimer: Dispose | undefined;

  constructor(host: DriverHost, run: DrivenRun) {
    this.#host = host;
    this.run = run;
    this.#trace = run.record.trace ?? beginTrace(undefined);
    this.#telemetry = new RunTelemetry(host, run, this.#trace, (event) => this.#emit(event));
    this.#masker = new Masker(run.inherited?.masked ?? []);
    this.#properties = new StepProperties(run.workflow.steps);
    this.#walk = new PlanWalk({
      workflow: run.workflow,
      clock: host.clock,
      earlier: run.earlier,
      properties: this.#properties,
      stopping: this.#stopping.signal,
      // After a stop, steps that have not started stay so; after a timeout they count as aborted.
      abortReason: () => (this.#ending?.cause === 'timeout' ? this.#ending.error : undefined),
      emit: (event) => this.#emit(event),
    });
    this.ended = this.#drive().catch((thrown: unknown) => this.#giveUp(thrown));
  }

  /** Stops the steps; abort and exit handlers run. The first reason is kept. */
  stop(by: string): void {
    this.#end({ cause: 'stopped', error: `stopped by ${by}` });
  }

  /** Kills whatever runs, handlers included, and starts nothing more. */
  forceStop(): void {
    this.#end({ cause: 'stopped', error: 'stopped by force' });
    this.#handlersStopping.abort('the run was stopped by force');
    this.#steps?.kill();
    this.#handlers?.kill();
  }

  /** Stops driving without touching the run's processes or its state. */
  letGo(): void {
    this.#letGo = true;
    this.#telemetry.close();
    this.#disposeTimer?.();
  }

  /** Why this host drives the run no more though nobody else does; it stays as it is, for a later take-over. */
  get failure(): AppError | undefined {
    return this.#failure;
  }

  #end(ending: Ending): void {
    // After a timeout, steps with a limit of their own still run; a stop ends those, too.
    if (this.#ending !== undefined) return ending.cause === 'stopped' ? this.#steps?.stop() : undefined;
    this.#ending = ending;
    this.#stopping.abort(`the run was ${ending.cause === 'timeout' ? 'out of time' : 'stopped'}`);
    if (ending.cause === 'timeout') this.#steps?.stopUntimed();
    else this.#steps?.stop();
  }

  async #drive(): Promise<void> {
    this.#disposeTimer = this.#startTimer();
    const opened = await this.#begin();
    if (opened === undefined) {
      this.#disposeTimer?.();
      return this.#finish(undefined);
    }
    const steps = (this.#steps = new StepRunner(this.#surroundings(opened, this.#stopping.signal)));
    const handlers = (this.#handlers = new StepRunner(
      this.#surroundings(opened, this.#handlersStopping.signal),
    ));
    if ((await this.#conditionsHold(opened.scope)) && (await this.#initSucceeds(steps)))
      await this.#walk.run(steps, this.#runDir);
    this.#disposeTimer?.();
    await this.#runClosingHandlers(handlers);
    await this.#resources.close();
    await this.#finish(opened.scope);
  }

  #surroundings({ scope, inheritance }: OpenedScope, stopping: AbortSignal): StepSurroundings {
    const { cacheDir, clock, turnstile, launcher } = this.#host;
    return {
      workflow: this.run.workflow,
      scope: scope.until(stopping),
      runDir: this.#runDir,
      cacheDir,
      clock,
      turnstile,
      launcher,
      stopping,
      trace: this.#trace,
      subRuns: (node, { signal, item, trace }) => {
        const handedOn = { ...inheritance, trace, telemetry: this.#telemetry.settings };
        return this.#announced(node, item, this.#host.subRuns(this.run, node, handedOn, signal));
      },
      forgetSubRuns: (node) => this.#host.forgetSubRuns(this.run, node),
      resources: this.#resources,
      emit: (event) => this.#emit(event),
      durable: () => this.#durable(),
    };
  }

  /** Claims the run and resolves its values; undefined when they cannot be resolved. */
  async #begin(): Promise<OpenedScope | undefined> {
    const { store, recorder, owner, logger } = this.#host;
    const { record } = this.run;
    const epoch = record.owner === undefined ? store.claim(record.key, owner) : record.epoch;
    this.#writer = recorder.openWriter(record.key, epoch);
    const opening = this.#openValues();
    try {
      await this.#enterLogDir(opening);
      const opened = await opening.open(this.#runDir);
      this.#masker = opened.masker;
      await this.#telemetry.open({ ...opened, runDir: this.#runDir });
      return opened;
    } catch (thrown) {
      this.#masker = await opening.openMasker();
      await this.#telemetry.open({ scope: undefined, masker: this.#masker, runDir: this.#runDir });
      logger.warn('A run could not begin', { dag: record.name, dagRunId: record.dagRunId });
      this.#ending ??= { cause: 'engine', error: toAppError(thrown).message };
      return undefined;
    }
  }

  #openValues(): ScopeOpening {
    const { record, params, workflow, specFile, inherited } = this.run;
    return new ScopeOpening({
      record,
      params,
      workflow,
      specFile,
      inherited,
      steps: this.#properties,
      system: {
        environment: this.#host.environment,
        warn: (message) => this.#emit({ type: 'run.note', level: 'warning', message }),
        signal: this.#stopping.signal,
      },
    });
  }

  /** A run has started when its log is there; what keeps it from being made, or named, belongs to a run that has started. */
  async #enterLogDir(opening: ScopeOpening): Promise<void> {
    const { home, clock } = this.#host;
    const { record } = this.run;
    let trouble: Error | undefined;
    // In the very turn in which the run was claimed, unless the name of a folder has to be found out first.
    const root =
      this.run.workflow.logDir === undefined
        ? undefined
        : await opening.logRoot().catch((thrown: unknown) => void (trouble = toAppError(thrown)));
    const logDir = record.logDir === '' ? runLogDir(record, clock.now(), root) : record.logDir;
    this.#runDir = path.resolve(home, logDir);
    this.#walk.adoptKept(this.#runDir);
    trouble ??= this.#openLog();
    this.#emit({ type: 'run.started', logDir });
    if (trouble !== undefined) throw trouble;
  }

  /** Makes the run's folder and its log; what keeps them from being made is returned: it belongs to a run that has started. */
  #openLog(): Error | undefined {
    try {
      makeFolder(this.#runDir, 0o700);
      this.#log = new RunLog(path.join(this.#runDir, runLogFile));
      return undefined;
    } catch (thrown) {
      return toAppError(thrown);
    }
  }

  /** Tells of each run a step starts, so that it can be found from here. */
  #announced(node: NodeId, item: number | undefined, port: SubRunPort): SubRunPort {
    return {
      start: async (dag, params) => {
        const subRun = await port.start(dag, params);
        const { name, dagRunId } = subRun.ref;
        this.#emit({ type: 'step.sub_run', node, name, dagRunId, item });
        return subRun;
      },
    };
  }

  #emit(event: RunEvent): void {
    if (this.#letGo) return;
    const shown = maskEvent(event, this.#masker);
    this.#writer.write(shown);
    const now = this.#host.clock.now();
    this.#log?.write(now, shown);
    this.#telemetry.note(now, shown);
  }

  /** Nothing is started for a run that was let go of. */
  async #durable(): Promise<void> {
    if (this.#letGo) throw new RunLost('this host has let go of it');
    await this.#writer.durable();
  }

  #startTimer(): Dispose | undefined {
    const seconds = this.run.workflow.timeoutSec;
    if (seconds === undefined || seconds === 0) return undefined;
    return this.#host.clock.after(seconds * 1000, () =>
      this.#end({ cause: 'timeout', error: `timed out after ${seconds} s` }),
    );
  }

  async #conditionsHold(scope: RunScope): Promise<boolean> {
    const { preconditions } = this.run.workflow;
    if (preconditions.length === 0) return this.#ending === undefined;
    const environment = await scope.stepEnvironment([], new Map(), {});
    const tools = scope.until(this.#stopping.signal).conditionTools(environment, scope.workingDir);
    const unmet = await findUnmet(preconditions, tools);
    if (unmet !== undefined) this.#end({ cause: 'preconditions', error: unmet.reason });
    return this.#ending === undefined;
  }

  /** Init runs after the conditions and before the steps; if it fails, no step runs (seed 1, `handlerOn`). */
  async #initSucceeds(runner: StepRunner): Promise<boolean> {
    const result = await this.#runHandler(runner, 'init', 'running');
    if (result?.status === 'failed' || result?.status === 'aborted') {
      this.#end({ cause: 'init', error: `init handler failed: ${result.error ?? 'unknown reason'}` });
    }
    return this.#ending === undefined;
  }

  /** The handler of the outcome, then `exit`; one that fails makes the run `failed` (seed 1, Events). */
  async #runClosingHandlers(runner: StepRunner): Promise<void> {
    const status = this.#status();
    const handler = closingHandlers[status];
    this.#noteFailure(handler, await this.#runHandler(runner, handler, status));
    this.#noteFailure('exit', await this.#runHandler(runner, 'exit', this.#status()));
  }

  #noteFailure(handler: HandlerName, result: NodeResult | undefined): void {
    if (handler === 'abort' || result === undefined) return;
    if (result.status !== 'failed' && result.status !== 'aborted') return;
    this.#handlerFailure ??= `${handler} handler failed: ${result.error ?? 'unknown reason'}`;
  }

  async #runHandler(
    runner: StepRunner,
    handler: HandlerName,
    status: RunStatus,
  ): Promise<NodeResult | undefined> {
    const step = this.#handlerStep(handler);
    if (step === undefined || this.#handlersStopping.signal.aborted) return undefined;
    const node: NodeId = { section: 'handler', name: step.name };
    return runner.run({
      step,
      node,
      outputs: this.#walk.outputs.all,
      extra: { DAG_RUN_STATUS: status },
      earlierAttempts: earlierAttempts(this.run.earlier, node),
    });
  }

  /** A sub-run does without the handlers of the base configuration (peer 1.2). */
  #handlerStep(handler: HandlerName): Step | undefined {
    const { workflow, record } = this.run;
    const isDropped = record.parent !== undefined && workflow.inheritedHandlers?.includes(handler);
    return isDropped === true ? undefined : workflow.handlers[handler];
  }

  /** As far as the steps have got: nothing starts any more, so what has not ended counts against the run. */
  #status(handlerFailed = this.#handlerFailure !== undefined): FinalStatus {
    const unstarted: NodeOutcome = { status: 'not_started', tolerated: false };
    const cause = this.#ending?.cause;
    const decided = decideFinalStatus({
      nodes: this.run.workflow.steps.map((step) => this.#walk.results.get(step.name) ?? unstarted),
      cancelled: cause === 'stopped' || cause === 'preconditions' || cause === 'init',
      error: cause === 'timeout' || cause === 'engine',
      handlerFailed,
    });
    return decided in closingHandlers ? (decided as FinalStatus) : 'failed';
  }

  async #finish(scope: RunScope | undefined): Promise<void> {
    const status = this.#status();
    const ending = status === 'succeeded' ? undefined : this.#explain();
    await this.#tellByMail({ status, ...ending }, scope);
    const outputs = Object.fromEntries(this.#walk.outputs.all);
    this.#emit({ type: 'run.finished', status, ...ending, outputs });
    await this.#durable();
    this.#log?.close();
    this.#log = undefined;
    this.#telemetry.close();
  }

  /** The run is not over before its mails have been tried: what becomes of them is recorded with it. */
  #tellByMail(end: MailingRun['end'], scope: RunScope | undefined): Promise<void> {
    return sendRunMails({
      ...this.#host,
      ...this.run,
      end,
      walk: this.#walk,
      scope,
      runDir: this.#runDir,
      masker: this.#masker,
      killed: this.#handlersStopping.signal,
      durable: () => this.#durable(),
      note: (level, message) => this.#emit({ type: 'run.note', level, message }),
    });
  }

  #explain(): Ending {
    const withoutHandlers = this.#status(false);
    return explainEnding({
      early: this.#ending,
      steps: this.run.workflow.steps.map(({ name }) => name),
      results: this.#walk.results,
      stepsSucceeded: withoutHandlers === 'succeeded' || withoutHandlers === 'partially_succeeded',
      handlerFailure: this.#handlerFailure,
    });
  }

  /** The run belongs to another host now, or it cannot be driven from here: either way this host lets go of it. */
  #giveUp(thrown: unknown): void {
    const { record } = this.run;
    const wanted = this.#letGo;
    this.letGo();
    this.#log?.close();
    this.#log = undefined;
    if (wanted) return;
    const error = toAppError(thrown);
    const facts = { dag: record.name, dagRunId: record.dagRunId, message: error.message };
    if (thrown instanceof RunLost) return this.#host.logger.warn('Lost a run to another host', facts);
    this.#failure = error;
    this.#host.logger.error('A run could not be driven on', facts);
  }
}
