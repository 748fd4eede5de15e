import type { Clock } from '../../base/clock.ts';
import { AppError, runNotFoundError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { latestRunId } from '../../base/ids.ts';
import type { Trigger } from '../../model/run-event.ts';
import { type RunDetail, type RunOwner, type RunRef, isFinal } from '../../model/run.ts';
import type { FireTimeRef } from '../../model/fire-time.ts';
import type { TraceContext } from '../../model/trace-context.ts';
import type { Parameter } from '../../model/workflow.ts';
import { continueTrace } from '../telemetry/trace.ts';
import { planRerun, stepsToRun, type RerunPlan, type RerunOptions } from '../../spec/plan/rerun.ts';
import type { ActiveRuns } from '../active-runs.ts';
import type { EventHub } from '../event-hub.ts';
import { loadStored, type StoredSource, readInheritance } from './previous-run.ts';
import { assertNoMaskedParams } from '../run-input.ts';
import type { RunStore } from '../../store/types/runs.ts';
import { readPreviousRun, getStepStates } from './rerun-state.ts';
import type { Inheritance } from '../values/open-scope.ts';
import type { SystemContext } from '../values/resolve-values.ts';
import type { RunService } from '../run-service.ts';

/** Options for a new run made from an earlier one. */
export interface NewRunOptions {
  readonly trigger: Trigger;
  /** As in `NewRun`. */
  readonly startedBy?: string | undefined;
  /** Default: the earlier run's name. */
  readonly name?: string;
  readonly dagRunId?: string;
  /** Absolute path; default: the earlier run's. */
  readonly defaultWorkingDir?: string;
  /** Reject with `still_running` while any run of the same name is active. */
  readonly singleton?: boolean;
  readonly trace?: TraceContext | undefined;
  /** The scheduled time of the run, as in `StartRunOptions`. */
  readonly fireTime?: FireTimeRef;
}

/** The user that retries a run, and the inputs from outside the run. */
export interface RetryCaller {
  /** The actor for the record, as in `run.retried`. */
  readonly by: string;
  /** For a sub-run whose step runs again. */
  readonly inherited?: Inheritance;
  /** Parameters including secrets, for a sub-run, because its stored parameters lack secrets. */
  readonly params?: readonly Parameter[];
  readonly trace?: TraceContext | undefined;
}

interface RerunDeps {
  readonly home: string;
  readonly store: RunStore;
  readonly active: ActiveRuns;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly owner: RunOwner;
  readonly service: RunService;
  /** Variables that the parent of a sub-run may refer to. */
  readonly system: SystemContext;
}

/**
 * Retries ended runs, and starts new runs from earlier ones. Uses the sources and parameters stored with the run, not
 * today's file. The run id `latest` means the newest run of the name.
 */
export class Reruns {
  readonly #deps: RerunDeps;

  constructor(deps: RerunDeps) {
    this.#deps = deps;
  }

  /** Returns what {@link retry} would do; changes nothing. Rejects like it, except for limits. */
  async planRetry(ref: RunRef, options: RerunOptions): Promise<RerunPlan> {
    const detail = this.#require(ref);
    return planFor(detail, await loadStored(detail), options);
  }

  /**
   * Retries an ended run under its id and starts to drive it.
   * @throws `not_found` (run or step), `still_running`, `nothing_to_retry`, `max_run_reached`, `invalid_spec`,
   * `no_worker`; `stale_owner` when another retry was faster
   */
  async retry(
    ref: RunRef,
    options: RerunOptions,
    { by, inherited, params, trace: caller }: RetryCaller,
  ): Promise<RunRef & { readonly plan: RerunPlan }> {
    const { store, active, hub, clock, owner, home, system, service } = this.#deps;
    const detail = this.#require(ref);
    const stored = await loadStored(detail);
    const { source, workflow } = stored;
    await service.requireWorkers(workflow);
    const plan = planFor(detail, stored, options);
    if (params === undefined) assertNoMaskedParams(detail.run);
    const steps = stepsToRun(plan);
    const previousRun = await readPreviousRun({
      detail,
      workflow,
      home,
      options,
      rerunSteps: steps,
      store,
      clock,
    });
    const { parent } = detail.run;
    const inheritance = inherited ?? (parent && (await readInheritance({ store, home, system }, parent)));
    const { key, epoch } = detail.run;
    const { maxActiveRuns } = workflow;
    const onlyThisStep = previousRun.onlyThisStep || undefined;
    const trace = continueTrace(detail.run.trace, caller ?? inherited?.trace);
    const record = store.reopenRun(
      { runKey: key, epoch, owner, by, steps, from: previousRun.from, onlyThisStep, maxActiveRuns, trace },
      clock.now(),
    );
    failPoint('run.reopened');
    hub.pump();
    active.execute({
      record,
      params: params ?? record.params,
      workflow,
      siblings: source.workflows,
      specFile: source.file,
      specText: source.text,
      baseText: source.baseText,
      inherited: inheritance,
      previousRun,
    });
    return { name: record.name, dagRunId: record.dagRunId, plan };
  }

  /**
   * Starts a new run with the workflow and the parameters of an earlier one. Rejects like a start, and with
   * `not_found`.
   */
  async repeat(ref: RunRef, options: NewRunOptions): Promise<RunRef> {
    const detail = this.#require(ref);
    return this.#startAgain(detail, await loadStored(detail), options);
  }

  /**
   * Stops an active run, waits for its end and for `restartWaitSec`, then starts it under a new id.
   * @throws `not_found`, `not_running`, `invalid_spec`, and `bad_request` for a sub-run, whose step waits for it
   */
  async restart(ref: RunRef, by: string, trigger: Trigger, trace?: TraceContext): Promise<RunRef> {
    const { store, hub, clock } = this.#deps;
    const detail = this.#require(ref);
    const { name, dagRunId, status, parent } = detail.run;
    if (isFinal(status)) {
      throw new AppError(
        'not_running',
        `Run ${dagRunId} of ${name} has ended (${status}) and cannot be restarted. Retry it, or start a new run.`,
      );
    }
    if (parent !== undefined) {
      throw new AppError(
        'bad_request',
        `Run ${dagRunId} of ${name} was started by step "${parent.step}" of ${parent.name}. Restart run ${parent.dagRunId} instead.`,
      );
    }
    const stored = await loadStored(detail);
    store.requestStop({ name, dagRunId }, by, clock.now());
    hub.pump();
    await this.waitForRestart({ name, dagRunId });
    return this.#startAgain(detail, stored, { trigger, startedBy: by, trace });
  }

  /**
   * Waits for the end of a run that was asked to stop, and for its `restartWaitSec`.
   * @throws `not_found`
   */
  async waitForRestart(ref: RunRef): Promise<void> {
    const { clock, service } = this.#deps;
    const detail = await service.waitForEnd(ref);
    const waitMs = ((await loadStored(detail)).workflow.restartWaitSec ?? 0) * 1000;
    if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
  }

  #startAgain(
    { run }: RunDetail,
    { source, document }: StoredSource,
    options: NewRunOptions,
  ): Promise<RunRef> {
    assertNoMaskedParams(run);
    return this.#deps.service.start({
      source,
      document,
      trigger: options.trigger,
      startedBy: options.startedBy,
      name: options.name ?? run.name,
      dagRunId: options.dagRunId,
      params: run.params,
      paramsAreResolved: true,
      defaultWorkingDir: options.defaultWorkingDir ?? run.defaultWorkingDir,
      part: run.onlySteps && { selection: { steps: run.onlySteps } },
      singleton: options.singleton,
      trace: options.trace,
      links: run.trace && [{ traceId: run.trace.traceId, spanId: run.trace.spanId }],
      fireTime: options.fireTime,
    });
  }

  #require(ref: RunRef): RunDetail {
    const { store } = this.#deps;
    const resolved = ref.dagRunId === latestRunId ? store.latestRun(ref.name) : ref;
    const detail = resolved === undefined ? undefined : store.getDetail(resolved);
    if (detail !== undefined) return detail;
    throw runNotFoundError(ref);
  }
}

function planFor(detail: RunDetail, { workflow }: StoredSource, options: RerunOptions): RerunPlan {
  const { name, dagRunId, status } = detail.run;
  if (!isFinal(status)) {
    throw new AppError(
      'still_running',
      `Run ${dagRunId} of ${name} is ${status}. Wait for it to end or stop it, then retry.`,
    );
  }
  return planRerun({ ...workflow, name }, getStepStates(detail), options);
}
