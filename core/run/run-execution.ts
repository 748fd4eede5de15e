import path from 'node:path';
import type { Dispose } from '../base/clock.ts';
import { failPoint } from '../base/fail-point.ts';
import { toAppError, type AppError } from '../base/errors.ts';
import type { RunTrace } from '../model/run.ts';
import type { Step } from '../model/step.ts';
import { joinSelectors } from '../model/workflow-rules.ts';
import { decideFinalStatus, type NodeOutcome } from '../spec/plan/policies.ts';
import { RunResources } from '../executors/resources.ts';
import { beginTrace } from './telemetry/trace.ts';
import { endOpenNodes } from './recovery/interrupted-run.ts';
import { ApprovalRequests } from './approval-requests.ts';
import type { RunInput, RunHost } from './run-input.ts';
import {
  closingHandlers,
  createStopTermination,
  getTermination,
  type Termination,
  type FinalStatus,
  RunHandlers,
} from './run-handlers.ts';
import { runLogDir, runLogFile } from '../store/run-logs.ts';
import { sendRunMails, type RunMailInput } from './run-mails.ts';
import { StepScheduler } from './step-scheduler.ts';
import { openStepContext } from './steps/step-context.ts';
import { RemoteCommandSpec } from './steps/remote-work.ts';
import { RunLost } from './recorder.ts';
import { RunJournal } from './run-journal.ts';
import {
  endsEarly,
  initialState,
  transition,
  type EarlyEnd,
  type Runners,
  type RunState,
  type RunStateEvent,
} from './run-state.ts';
import { RunTelemetry } from './run-telemetry.ts';
import { StepRunner } from './steps/step-runner.ts';
import { findFailedCondition } from './values/conditions.ts';
import { ScopeBuilder, type OpenedScope } from './values/open-scope.ts';
import { type RunScope, valuesTag, StepProperties } from './values/run-scope.ts';

/** A prepared run. Without `opened`, its values could not be resolved. */
interface Prepared {
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly opened: OpenedScope | undefined;
}

/** Drives one run of this host to its end. A stop, or the run's timeout, ends the steps early; the handlers still run. */
export class RunExecution {
  readonly run: RunInput;
  /** Resolves when the run has ended, was lost to another host or was released. */
  readonly ended: Promise<void>;
  /** The epoch with which this host owns the run. */
  readonly epoch: number;
  /** Requests for approval by its steps. */
  readonly approvalRequests: ApprovalRequests;
  readonly #host: RunHost;
  readonly #stopping = new AbortController();
  readonly #handlersStopping = new AbortController();
  readonly #steps: StepScheduler;
  readonly #handlers: RunHandlers;
  readonly #properties: StepProperties;
  readonly #trace: RunTrace;
  readonly #telemetry: RunTelemetry;
  readonly #journal: RunJournal;
  readonly #remote: RemoteCommandSpec;
  readonly #resources = new RunResources();
  readonly #released = Promise.withResolvers<void>();
  readonly #stopTimer: Dispose;
  #state: RunState;

  constructor(host: RunHost, run: RunInput) {
    const { record } = run;
    this.#host = host;
    this.run = run;
    this.epoch = record.epoch;
    this.#journal = new RunJournal(
      host.recorder.openWriter(record.key, record.epoch),
      host.clock,
      run.inherited?.masked ?? [],
    );
    const { emit, durable } = this.#journal;
    this.#state = initialState(run.previousRun?.inProgress?.termination);
    this.#abortSteps();
    this.#trace = record.trace ?? beginTrace(undefined);
    this.#telemetry = new RunTelemetry(host, run, this.#trace, emit);
    this.#properties = new StepProperties(run.workflow.steps);
    this.#steps = new StepScheduler({
      workflow: run.workflow,
      clock: host.clock,
      previousRun: run.previousRun,
      properties: this.#properties,
      stopping: this.#stopping.signal,
      // After a stop, steps that have not started stay so; after a timeout they count as aborted.
      abortReason: () => (this.#endReason?.cause === 'timeout' ? this.#endReason.error : undefined),
      emit,
    });
    this.#handlers = new RunHandlers({
      ...run,
      outputs: () => this.#steps.outputs.all,
      status: () => this.#status(),
      stopping: this.#handlersStopping.signal,
      onFailure: (error) => void this.#send({ type: 'handler_failed', error }),
    });
    this.#remote = new RemoteCommandSpec({
      steps: host.remote,
      record,
      workflow: run.workflow,
      selector: joinSelectors(run.inherited?.workerSelector, run.workflow.workerSelector),
      emit,
      durable,
    });
    this.#journal.listen((at, event) => this.#telemetry.note(at, event));
    this.#journal.listen((_, event) => this.#remote.note(event));
    this.approvalRequests = new ApprovalRequests(host.approvals, host.clock, record.key, emit, durable);
    this.#stopTimer = this.#startTimer();
    const execution = this.#execute().catch((error: unknown) => this.#fail(error));
    this.ended = Promise.race([execution, this.#released.promise]);
  }

  /** Called when another host owns the run: nothing is written, started or stopped any more. */
  onLeaseLost(): void {
    const { steps, handlers } = this.#runners ?? {};
    steps?.abandon();
    handlers?.abandon();
    this.#fail(new RunLost('another host has taken over the run'));
  }

  /** Stops the steps; abort and exit handlers run. The first reason counts. */
  stop(by: string): void {
    this.#endSteps(createStopTermination(by));
  }

  /** Kills all running processes, handlers included, and starts nothing more. */
  forceStop(): void {
    this.#endEarly({ type: 'kill' });
  }

  /** Stops driving without touching the run's processes or its state. */
  detach(): void {
    this.#release(undefined);
  }

  /** Why this host no longer drives the run although no other does; the run is left for a later takeover. */
  get failure(): AppError | undefined {
    return this.#state.phase === 'released' ? this.#state.failure : undefined;
  }

  get #earlyEnd(): EarlyEnd | undefined {
    return 'earlyEnd' in this.#state ? this.#state.earlyEnd : undefined;
  }

  get #endReason(): Termination | undefined {
    return this.#earlyEnd?.reason;
  }

  get #handlerFailure(): string | undefined {
    return this.#state.phase === 'closing' ? this.#state.handlerFailure : undefined;
  }

  get #runners(): Runners | undefined {
    return 'runners' in this.#state ? this.#state.runners : undefined;
  }

  /** Changes the state, unless the event does not apply to it. */
  #send(event: RunStateEvent): boolean {
    const after = transition(this.#state, event);
    if (after === undefined) return false;
    this.#state = after;
    if (after.phase !== 'preparing' && after.phase !== 'running') this.#stopTimer();
    return true;
  }

  /** Changes the state in the course of the run. Throws `RunLost` when the run was released meanwhile. */
  #advance(event: RunStateEvent): void {
    const { phase } = this.#state;
    if (this.#send(event)) return;
    if (phase === 'released') throw new RunLost('this host has released the run');
    throw new Error(`${event.type} does not apply to a run that is ${phase}`);
  }

  /** Ends the steps early and, when the run is killed, its handlers. */
  #endEarly(event: Extract<RunStateEvent, { readonly type: 'end_early' | 'kill' }>): void {
    const isFirst = this.#earlyEnd === undefined;
    if (!this.#send(event)) return;
    const { reason, scope } = this.#earlyEnd!;
    this.#abortSteps();
    if (isFirst) this.#journal.emit({ type: 'run.terminating', ...reason });
    // A kill stops first: only a stop reaches sub-runs of other hosts.
    this.#runners?.steps.stop();
    if (scope !== 'everything') return;
    this.#handlersStopping.abort('the run was killed');
    this.#runners?.steps.kill();
    this.#runners?.handlers.kill();
  }

  #endSteps(reason: Termination): void {
    this.#endEarly({ type: 'end_early', reason });
  }

  #abortSteps(): void {
    if (this.#endReason === undefined) return;
    const verb = this.#endReason.cause === 'timeout' ? 'timed out' : 'was stopped';
    this.#stopping.abort(`the run ${verb}`);
  }

  async #execute(): Promise<void> {
    const { runDir, opened } = await this.#prepare();
    if (opened === undefined) return this.#finish(runDir, undefined);
    const runners = this.#openRunners(runDir, opened);
    this.#advance({ type: 'prepared', runners });
    if (await this.#mayRunSteps(opened.scope, runners.steps)) await this.#steps.run(runners.steps, runDir);
    this.#advance({ type: 'steps_ended' });
    failPoint('run.before_closing');
    await this.#handlers.runClosing(runners.handlers);
    await this.#resources.close();
    await this.#finish(runDir, opened.scope);
  }

  #openRunners(runDir: string, opened: OpenedScope): Record<keyof Runners, StepRunner> {
    const open = ({ signal }: AbortController, isEnding: (step: Step) => boolean): StepRunner =>
      new StepRunner(
        openStepContext(
          {
            host: this.#host,
            run: this.run,
            runDir,
            trace: this.#trace,
            telemetry: this.#telemetry,
            remote: this.#remote,
            resources: this.#resources,
            approvalRequests: this.approvalRequests,
            emit: this.#journal.emit,
            durable: this.#journal.durable,
          },
          opened,
          { stopping: signal, endsEarly: isEnding },
        ),
      );
    return {
      steps: open(this.#stopping, (step) => endsEarly(this.#state, step)),
      handlers: open(this.#handlersStopping, () => false),
    };
  }

  /** Opens the run's log and resolves its values. If that fails, the run ends with the error. */
  async #prepare(): Promise<Prepared> {
    const journal = this.#journal;
    const scopeBuilder = this.#openValues();
    const { runDir, logDir, problem } = await this.#openLog(scopeBuilder);
    this.#steps.adoptResults(runDir);
    try {
      this.#recordStart(logDir);
      if (problem !== undefined) throw problem;
      failPoint('run.before_scope');
      const opened = await scopeBuilder.open(runDir);
      failPoint('run.scope_opened');
      journal.masker = opened.masker;
      await this.#recordSecretUses();
      await this.#telemetry.open({ ...opened, runDir });
      return { runDir, opened };
    } catch (error) {
      journal.masker = await scopeBuilder.openMasker();
      await this.#telemetry.open({ scope: undefined, masker: journal.masker, runDir });
      await this.#endUnprepared(error, runDir);
      return { runDir, opened: undefined };
    }
  }

  async #endUnprepared(error: unknown, runDir: string): Promise<void> {
    const { record, previousRun } = this.run;
    this.#host.logger.warn('Cannot start a run', { dag: record.name, dagRunId: record.dagRunId });
    this.#advance({
      type: 'preparation_failed',
      reason: { cause: 'engine', error: toAppError(error).message },
    });
    await endOpenNodes({
      record,
      open: previousRun?.inProgress?.open.values() ?? [],
      runDir,
      host: this.#host,
      emit: this.#journal.emit,
    });
  }

  async #recordSecretUses(): Promise<void> {
    const { secrets = [] } = this.run.workflow;
    if (secrets.length === 0) return;
    await this.#host.secretSources?.recordUse?.(secrets, this.run.record.name).catch((error: unknown) => {
      this.#host.logger.warn(`Cannot record the use of secrets: ${toAppError(error).message}`);
    });
  }

  #openValues(): ScopeBuilder {
    const { record, params, workflow, specFile, inherited } = this.run;
    return new ScopeBuilder({
      record,
      params,
      workflow,
      specFile,
      inherited,
      steps: this.#properties,
      system: {
        environment: this.#host.environment,
        passed: this.#host.passed,
        secretSources: this.#host.secretSources,
        tag: valuesTag(this.#host.home, { ...record, epoch: this.epoch }),
        warn: (message) => this.#journal.emit({ type: 'run.message', level: 'warning', message }),
        // A stop must not remove resources that a recovered run needs to end its steps.
        signal: this.run.previousRun?.inProgress ? this.#handlersStopping.signal : this.#stopping.signal,
      },
    });
  }

  /** Creates the run's log. An error in naming or creating it is returned: it belongs to a run that has started. */
  async #openLog(scopeBuilder: ScopeBuilder): Promise<{ runDir: string; logDir: string; problem?: Error }> {
    const { home, clock, logRoot } = this.#host;
    const { record, workflow } = this.run;
    let problem: Error | undefined;
    // In the same tick as the claim, unless the directory's name has to be resolved first.
    const root =
      workflow.logDir === undefined
        ? logRoot
        : await scopeBuilder.logRoot().catch((error: unknown) => void (problem = toAppError(error)));
    const logDir = record.logDir === '' ? runLogDir(record, clock.now(), root) : record.logDir;
    const runDir = path.resolve(home, logDir);
    try {
      if (problem === undefined) this.#journal.openLog(path.join(runDir, runLogFile));
    } catch (error) {
      problem = toAppError(error);
    }
    return { runDir, logDir, ...(problem && { problem }) };
  }

  #recordStart(logDir: string): void {
    const { recoveredEvent } = this.run.previousRun?.inProgress ?? {};
    if (recoveredEvent !== undefined) this.#journal.logOnly(recoveredEvent);
    if (this.run.record.status !== 'running') this.#journal.emit({ type: 'run.started', logDir });
  }

  #startTimer(): Dispose {
    const seconds = this.run.workflow.timeoutSec;
    if (seconds === undefined || seconds === 0) return () => {};
    const { clock } = this.#host;
    const startedAt = this.run.previousRun?.inProgress?.startedAt ?? clock.now();
    return clock.after(Math.max(0, startedAt + seconds * 1000 - clock.now()), () =>
      this.#endSteps({ cause: 'timeout', error: `timed out after ${seconds} s` }),
    );
  }

  /** Whether to run the steps. A recovered run whose steps had started resumes them. */
  async #mayRunSteps(scope: RunScope, runner: StepRunner): Promise<boolean> {
    const stage = this.run.previousRun?.inProgress?.stage ?? 'conditions';
    if (stage === 'steps') return true;
    if (stage === 'conditions' && !(await this.#arePreconditionsMet(scope))) return false;
    if (!(await this.#hasInitSucceeded(runner))) return false;
    failPoint('run.before_steps');
    return true;
  }

  async #arePreconditionsMet(scope: RunScope): Promise<boolean> {
    const { preconditions } = this.run.workflow;
    if (preconditions.length === 0 || this.#endReason !== undefined) return this.#endReason === undefined;
    failPoint('run.before_conditions');
    await this.#journal.durable();
    const environment = await scope.stepEnvironment([], new Map(), {});
    const tools = scope.until(this.#stopping.signal).conditionTools(environment, scope.workingDir);
    const failedCondition = await findFailedCondition(preconditions, tools, this.#host.clock);
    if (failedCondition !== undefined)
      this.#endSteps({ cause: 'preconditions', error: failedCondition.reason });
    return this.#endReason === undefined;
  }

  /** Runs the init handler after the conditions and before the steps; if it fails, no step runs. */
  async #hasInitSucceeded(runner: StepRunner): Promise<boolean> {
    const result = await this.#handlers.runInit(runner);
    if (result?.status === 'failed' || result?.status === 'aborted')
      this.#endSteps({ cause: 'init', error: `init handler failed: ${result.error ?? 'unknown reason'}` });
    return this.#endReason === undefined;
  }

  /** Returns the status so far: nothing more starts, so steps that have not ended count against the run. */
  #status(handlerFailed = this.#handlerFailure !== undefined): FinalStatus {
    const notStarted: NodeOutcome = { status: 'not_started', tolerated: false };
    const cause = this.#endReason?.cause;
    const finalStatus = decideFinalStatus({
      nodes: this.run.workflow.steps.map((step) => this.#steps.results.get(step.name) ?? notStarted),
      cancelled: cause === 'stopped' || cause === 'preconditions' || cause === 'init',
      error: cause === 'timeout' || cause === 'engine',
      handlerFailed,
    });
    return finalStatus in closingHandlers ? (finalStatus as FinalStatus) : 'failed';
  }

  async #finish(runDir: string, scope: RunScope | undefined): Promise<void> {
    const status = this.#status();
    const reason = status === 'succeeded' ? undefined : this.#explain();
    await this.#sendMail({ status, ...reason }, runDir, scope);
    const outputs = Object.fromEntries(this.#steps.outputs.all);
    failPoint('run.before_finish');
    const peakUsage = this.#host.peakUsage(this.run.record);
    this.#advance({ type: 'work_ended' });
    this.#journal.emit({ type: 'run.finished', status, ...reason, outputs, ...(peakUsage && { peakUsage }) });
    await this.#journal.durable();
    failPoint('run.finished');
    this.#advance({ type: 'recorded' });
    void this.#remote.close();
    this.#journal.close();
    this.#telemetry.close();
  }

  /** Sends the mails. The run does not end before, because their outcome is recorded with it. */
  #sendMail(end: RunMailInput['end'], runDir: string, scope: RunScope | undefined): Promise<void> {
    const { emit, durable, masker } = this.#journal;
    return sendRunMails({
      ...this.#host,
      ...this.run,
      end,
      stepScheduler: this.#steps,
      scope,
      runDir,
      masker,
      killed: this.#handlersStopping.signal,
      durable,
      recordMailing: (about, isOver) =>
        emit({ type: 'run.notification', about, ...(isOver ? { isOver } : {}) }),
      note: (level, message) => emit({ type: 'run.message', level, message }),
    });
  }

  #explain(): Termination {
    const withoutHandlers = this.#status(false);
    return getTermination({
      requested: this.#endReason,
      steps: this.run.workflow.steps.map(({ name }) => name),
      results: this.#steps.results,
      stepsSucceeded: withoutHandlers === 'succeeded' || withoutHandlers === 'partially_succeeded',
      handlerFailure: this.#handlerFailure,
    });
  }

  /** Releases the run after an error: another host owns it now, or it cannot be driven from here. */
  #fail(cause: unknown): void {
    if (this.#state.phase === 'released') return;
    const { record } = this.run;
    const error = toAppError(cause);
    const details = { dag: record.name, dagRunId: record.dagRunId, message: error.message };
    this.#release(cause instanceof RunLost ? undefined : error);
    if (cause instanceof RunLost) this.#host.logger.warn(cause.report, details);
    else this.#host.logger.error('Cannot continue a run', details);
  }

  #release(failure: AppError | undefined): void {
    if (!this.#send({ type: 'released', failure })) return;
    this.#journal.close();
    this.#telemetry.close();
    this.#released.resolve();
  }
}
