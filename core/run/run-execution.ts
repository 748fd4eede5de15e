import path from 'node:path';
import type { Dispose } from '../base/clock.ts';
import { failPoint } from '../base/fail-point.ts';
import { toAppError, type AppError } from '../base/errors.ts';
import type { RunEvent } from '../model/run/run-event.ts';
import type { RunTrace } from '../model/run/run-trace.ts';
import { joinSelectors } from '../model/workflow/worker-selector.ts';
import { decideFinalStatus, type NodeOutcome } from '../plan/final-status.ts';
import { RunResources } from '../executors/resources.ts';
import { Masker } from '../secrets/masker.ts';
import { beginTrace } from '../telemetry/trace.ts';
import { endOpenNodes } from './recovery/end-open-nodes.ts';
import { Questions } from './approvals/questions.ts';
import type { RunInput, RunHost } from './run-input.ts';
import { closingHandlers, endByStop, explainEnd, type Termination, type FinalStatus } from './termination.ts';
import { RunHandlers } from './run-handlers.ts';
import { runLogDir, runLogFile } from './retention/log-places.ts';
import { maskEvent } from './record/mask-event.ts';
import { sendRunMails, type MailingRun } from './mails/run-mails.ts';
import { StepScheduler } from './step-scheduler.ts';
import { openStepContext } from './open-step-context.ts';
import { RemoteWork } from './remote/remote-work.ts';
import { RunLost, type RunWriter } from './record/recorder.ts';
import { openRunLog, type RunLog } from './record/run-log.ts';
import { RunTelemetry } from './record/run-telemetry.ts';
import { StepRunner } from './steps/step-runner.ts';
import { findUnmet } from './values/conditions.ts';
import { ScopeOpening, type OpenedScope } from './values/open-scope.ts';
import type { RunScope } from './values/run-scope.ts';
import { valuesTag } from './values/values-tag.ts';
import { StepProperties } from './values/step-properties.ts';

/**
 * Drives one run of this host to its end:
 *
 *   conditions → init handler → steps → success | failure | abort handler → exit handler → finish
 *
 * A stop, or the run's timeout, ends the steps early; the handlers still run.
 */
export class RunExecution {
  readonly run: RunInput;
  /** Resolves when the run has ended, was lost to another host or was released. */
  readonly ended: Promise<void>;
  /** The epoch with which this host owns the run. */
  readonly epoch: number;
  /** The questions that its steps ask people. */
  readonly questions: Questions;
  readonly #host: RunHost;
  readonly #stopping = new AbortController();
  readonly #handlersStopping = new AbortController();
  readonly #walk: StepScheduler;
  readonly #properties: StepProperties;
  readonly #trace: RunTrace;
  readonly #telemetry: RunTelemetry;
  readonly #recording = { emit: (event: RunEvent) => this.#emit(event), durable: () => this.#durable() };
  #writer!: RunWriter;
  #log: RunLog | undefined;
  #masker: Masker;
  readonly #remote: RemoteWork;
  readonly #resources = new RunResources();
  #runDir = '';
  #steps: StepRunner | undefined;
  #handlers: StepRunner | undefined;
  readonly #runHandlers: RunHandlers;
  #ending: Termination | undefined;
  #isDetached = false;
  #hasFinished = false;
  readonly #left = Promise.withResolvers<void>();
  #failure: AppError | undefined;
  #disposeTimer: Dispose | undefined;

  constructor(host: RunHost, run: RunInput) {
    this.#host = host;
    this.run = run;
    this.#trace = run.record.trace ?? beginTrace(undefined);
    this.#telemetry = new RunTelemetry(host, run, this.#trace, this.#recording.emit);
    this.#masker = new Masker(run.inherited?.masked ?? []);
    const early = run.earlier?.inProgress?.ending;
    if (early !== undefined) this.#callOff(early);
    this.#properties = new StepProperties(run.workflow.steps);
    this.#walk = new StepScheduler({
      workflow: run.workflow,
      clock: host.clock,
      earlier: run.earlier,
      properties: this.#properties,
      stopping: this.#stopping.signal,
      // After a stop, steps that have not started stay so; after a timeout they count as aborted.
      abortReason: () => (this.#ending?.cause === 'timeout' ? this.#ending.error : undefined),
      emit: (event) => this.#emit(event),
    });
    this.#runHandlers = new RunHandlers({
      ...run,
      outputs: () => this.#walk.outputs.all,
      status: () => this.#status(),
      stopping: this.#handlersStopping.signal,
    });
    const { record } = run;
    this.epoch = record.epoch;
    this.#remote = new RemoteWork({
      steps: host.remote,
      record,
      workflow: run.workflow,
      selector: joinSelectors(run.inherited?.workerSelector, run.workflow.workerSelector),
      ...this.#recording,
    });
    this.questions = new Questions({ ...host, ...this.#recording, runKey: record.key });
    const driven = this.#drive().catch((error: unknown) => this.#abort(error));
    this.ended = Promise.race([driven, this.#left.promise]);
  }

  /** Called when another host owns the run: nothing is written, started or stopped any more. */
  onLeaseLost(): void {
    if (this.#isDetached) return;
    this.#steps?.abandon();
    this.#handlers?.abandon();
    this.#abort(new RunLost('another host has taken over the run'));
  }

  /** Stops the steps; abort and exit handlers run. The first reason counts. */
  stop(by: string): void {
    this.#end(endByStop(by));
  }

  /** Kills all running processes, handlers included, and starts nothing more. */
  forceStop(): void {
    this.#end({ cause: 'stopped', error: 'killed' });
    if (this.#isDetached) return;
    this.#handlersStopping.abort('the run was killed');
    this.#steps?.kill();
    this.#handlers?.kill();
  }

  /** Stops driving without touching the run's processes or its state. */
  detach(): void {
    this.#isDetached = true;
    this.#telemetry.close();
    this.#left.resolve();
    this.#disposeTimer?.();
  }

  /** Why this host no longer drives the run although no other does; the run is left for a later takeover. */
  get failure(): AppError | undefined {
    return this.#failure;
  }

  #end(ending: Termination): void {
    // If the end is not written yet, later events would prevent that.
    if (this.#isDetached || this.#hasFinished) return;
    // After a timeout, steps with a limit of their own keep running; a stop ends them too.
    if (this.#ending !== undefined) return ending.cause === 'stopped' ? this.#steps?.stop() : undefined;
    this.#callOff(ending);
    this.#emit({ type: 'run.terminating', ...ending });
    this.#stopSteps();
  }

  #callOff(ending: Termination): void {
    this.#ending = ending;
    this.#stopping.abort(`the run ${ending.cause === 'timeout' ? 'timed out' : 'was stopped'}`);
  }

  #stopSteps(): void {
    if (this.#ending?.cause === 'timeout') this.#steps?.stopUntimed();
    else if (this.#ending !== undefined) this.#steps?.stop();
  }

  async #drive(): Promise<void> {
    this.#disposeTimer = this.#startTimer();
    const opened = await this.#begin();
    if (opened === undefined) {
      this.#disposeTimer?.();
      return this.#finish(undefined);
    }
    const parts = {
      host: this.#host,
      run: this.run,
      runDir: this.#runDir,
      trace: this.#trace,
      telemetry: this.#telemetry,
      remote: this.#remote,
      resources: this.#resources,
      questions: this.questions,
      ...this.#recording,
    };
    const open = (stopping: AbortController) => openStepContext(parts, opened, stopping.signal);
    const steps = (this.#steps = new StepRunner(open(this.#stopping)));
    const handlers = (this.#handlers = new StepRunner(open(this.#handlersStopping)));
    this.#stopSteps();
    if (await this.#mayWalk(opened.scope, steps)) await this.#walk.run(steps, this.#runDir);
    this.#disposeTimer?.();
    failPoint('run.before_closing');
    await this.#runHandlers.runClosing(handlers);
    await this.#resources.close();
    await this.#finish(opened.scope);
  }

  /** Claims the run and resolves its values; returns undefined when they cannot be resolved. */
  async #begin(): Promise<OpenedScope | undefined> {
    const { recorder, logger } = this.#host;
    const { record } = this.run;
    this.#writer = recorder.openWriter(record.key, this.epoch);
    const opening = this.#openValues();
    try {
      await this.#enterLogDir(opening);
      failPoint('run.before_scope');
      const opened = await opening.open(this.#runDir);
      failPoint('run.scope_opened');
      this.#masker = opened.masker;
      await this.#telemetry.open({ ...opened, runDir: this.#runDir });
      return opened;
    } catch (error) {
      this.#masker = await opening.openMasker();
      await this.#telemetry.open({ scope: undefined, masker: this.#masker, runDir: this.#runDir });
      logger.warn('Cannot start a run', { dag: record.name, dagRunId: record.dagRunId });
      this.#ending ??= { cause: 'engine', error: toAppError(error).message };
      await endOpenNodes({
        record,
        open: this.run.earlier?.inProgress?.open.values() ?? [],
        runDir: this.#runDir,
        host: this.#host,
        emit: (event) => this.#emit(event),
      });
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
        passed: this.#host.passed,
        keychain: this.#host.keychain,
        tag: valuesTag(this.#host.home, { ...record, epoch: this.epoch }),
        warn: (message) => this.#emit({ type: 'run.message', level: 'warning', message }),
        // A stop must not remove resources that a recovered run needs to end its steps.
        signal: this.run.earlier?.inProgress ? this.#handlersStopping.signal : this.#stopping.signal,
      },
    });
  }

  /** A run has started when its log exists; errors in creating or naming it belong to a started run. */
  async #enterLogDir(opening: ScopeOpening): Promise<void> {
    const { home, clock } = this.#host;
    const { record } = this.run;
    let problem: Error | undefined;
    // In the same tick as the claim, unless the directory's name has to be resolved first.
    const root =
      this.run.workflow.logDir === undefined
        ? this.#host.logRoot
        : await opening.logRoot().catch((error: unknown) => void (problem = toAppError(error)));
    const logDir = record.logDir === '' ? runLogDir(record, clock.now(), root) : record.logDir;
    this.#runDir = path.resolve(home, logDir);
    this.#walk.adoptKept(this.#runDir);
    try {
      if (problem === undefined) this.#log = openRunLog(path.join(this.#runDir, runLogFile));
    } catch (error) {
      problem = toAppError(error);
    }
    const { takenOver } = this.run.earlier?.inProgress ?? {};
    if (takenOver !== undefined) this.#log?.write(clock.now(), takenOver);
    if (record.status !== 'running') this.#emit({ type: 'run.started', logDir });
    if (problem !== undefined) throw problem;
  }

  #emit(event: RunEvent): void {
    if (this.#isDetached) return;
    const shown = maskEvent(event, this.#masker);
    this.#writer.write(shown);
    const now = this.#host.clock.now();
    this.#log?.write(now, shown);
    this.#telemetry.note(now, shown);
    this.#remote.note(shown);
  }

  /** Starts nothing for a run that was released. */
  async #durable(): Promise<void> {
    if (this.#isDetached) throw new RunLost('this host has released the run');
    await this.#writer.durable();
  }

  #startTimer(): Dispose | undefined {
    const seconds = this.run.workflow.timeoutSec;
    if (seconds === undefined || seconds === 0) return undefined;
    const { clock } = this.#host;
    const startedAt = this.run.earlier?.inProgress?.startedAt ?? clock.now();
    return clock.after(Math.max(0, startedAt + seconds * 1000 - clock.now()), () =>
      this.#end({ cause: 'timeout', error: `timed out after ${seconds} s` }),
    );
  }

  /** Whether to run the steps. A recovered run whose steps had started resumes them. */
  async #mayWalk(scope: RunScope, runner: StepRunner): Promise<boolean> {
    const stage = this.run.earlier?.inProgress?.stage ?? 'conditions';
    if (stage === 'steps') return true;
    if (stage === 'conditions' && !(await this.#conditionsHold(scope))) return false;
    if (!(await this.#initSucceeds(runner))) return false;
    failPoint('run.before_steps');
    return true;
  }

  async #conditionsHold(scope: RunScope): Promise<boolean> {
    const { preconditions } = this.run.workflow;
    if (preconditions.length === 0 || this.#ending !== undefined) return this.#ending === undefined;
    failPoint('run.before_conditions');
    await this.#durable();
    const environment = await scope.stepEnvironment([], new Map(), {});
    const tools = scope.until(this.#stopping.signal).conditionTools(environment, scope.workingDir);
    const unmet = await findUnmet(preconditions, tools, this.#host.clock);
    if (unmet !== undefined) this.#end({ cause: 'preconditions', error: unmet.reason });
    return this.#ending === undefined;
  }

  /** Runs the init handler after the conditions and before the steps; if it fails, no step runs. */
  async #initSucceeds(runner: StepRunner): Promise<boolean> {
    const result = await this.#runHandlers.runInit(runner);
    if (result?.status === 'failed' || result?.status === 'aborted')
      this.#end({ cause: 'init', error: `init handler failed: ${result.error ?? 'unknown reason'}` });
    return this.#ending === undefined;
  }

  /** Returns the status so far: nothing more starts, so steps that have not ended count against the run. */
  #status(handlerFailed = this.#runHandlers.failure !== undefined): FinalStatus {
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
    await this.#sendMail({ status, ...ending }, scope);
    const outputs = Object.fromEntries(this.#walk.outputs.all);
    failPoint('run.before_finish');
    const peakUsage = this.#host.peakUsage(this.run.record);
    this.#hasFinished = true;
    this.#emit({ type: 'run.finished', status, ...ending, outputs, ...(peakUsage && { peakUsage }) });
    await this.#durable();
    failPoint('run.finished');
    void this.#remote.close(this.run.earlier?.inProgress !== undefined);
    this.#log?.close();
    this.#log = undefined;
    this.#telemetry.close();
  }

  /** Sends the mails. The run does not end before, because their outcome is recorded with it. */
  #sendMail(end: MailingRun['end'], scope: RunScope | undefined): Promise<void> {
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
      recordMailing: (about, isOver) =>
        this.#emit({ type: 'run.notification', about, ...(isOver ? { isOver } : {}) }),
      note: (level, message) => this.#emit({ type: 'run.message', level, message }),
    });
  }

  #explain(): Termination {
    const withoutHandlers = this.#status(false);
    return explainEnd({
      early: this.#ending,
      steps: this.run.workflow.steps.map(({ name }) => name),
      results: this.#walk.results,
      stepsSucceeded: withoutHandlers === 'succeeded' || withoutHandlers === 'partially_succeeded',
      handlerFailure: this.#runHandlers.failure,
    });
  }

  /** Releases the run: another host owns it now, or it cannot be driven from here. */
  #abort(cause: unknown): void {
    const { record } = this.run;
    const wanted = this.#isDetached;
    this.detach();
    this.#log?.close();
    this.#log = undefined;
    if (wanted) return;
    const error = toAppError(cause);
    const facts = { dag: record.name, dagRunId: record.dagRunId, message: error.message };
    if (cause instanceof RunLost) return this.#host.logger.warn(cause.report, facts);
    this.#failure = error;
    this.#host.logger.error('Cannot continue a run', facts);
  }
}
