import { wait } from '../../base/wait.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, runNotFoundError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { latestRunId } from '../../base/ids.ts';
import type { Trigger } from '../../model/run-event.ts';
import { type RunDetail, type RunOwner, type RunRef, isFinal, isFulfilled } from '../../model/run.ts';
import type { FireTimeRef } from '../../model/fire-time.ts';
import type { TraceContext } from '../../model/trace-context.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { continueTrace } from '../telemetry/trace.ts';
import { findUpstream } from '../../spec/plan/graph.ts';
import { planRerun, stepsToRun, type RerunPlan, type RerunOptions } from '../../spec/plan/rerun.ts';
import { listLostResults, type StepChanges } from '../../spec/plan/resume.ts';
import type { ActiveRuns } from '../active-runs.ts';
import type { EventHub } from '../event-hub.ts';
import {
  findChanges,
  listMasked,
  readCurrentFile,
  requireVersion,
  resumeParams,
  type CurrentFile,
} from './current-version.ts';
import { loadStored, type StoredSource, readInheritance } from './previous-run.ts';
import { assertNoMaskedParams } from '../run-input.ts';
import type { ResumeVersion, RunStore } from '../../store/types/runs.ts';
import { readPreviousRun, getStepStates } from './rerun-state.ts';
import type { Inheritance } from '../values/open-scope.ts';
import type { SystemContext } from '../values/resolve-values.ts';
import type { LoadedFile, RunService } from '../run-service.ts';
import type { WorkflowFinder } from '../sub-runs.ts';

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

/** How to retry an ended run. */
export interface RetryOptions extends RerunOptions {
  /** Resume with the text of the run (default), or with the current text of its file. */
  readonly spec?: 'run' | 'file';
  /** Accept that results of removed or renamed steps are lost. */
  readonly acceptRemoved?: boolean;
  /** For a sub-run: resume with this version, and accept lost results. */
  readonly version?: { readonly source: LoadedFile; readonly document: number } | undefined;
}

/** What a retry would do. */
export interface RetryPlan extends RerunPlan {
  readonly spec: 'run' | 'file';
  /** Absent when the run was not started from a file. */
  readonly file?: Pick<CurrentFile, 'state' | 'problem'>;
  /** Removed and renamed steps whose results would be lost. */
  readonly lost: ReturnType<typeof listLostResults>;
}

/** The version that a retry uses, and its plan. */
interface PlannedRetry {
  readonly plan: RetryPlan;
  readonly version: StoredSource;
  /** Set when the run resumes with another version than its own. */
  readonly changes?: StepChanges;
  readonly params?: readonly Parameter[];
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

interface RerunsOptions {
  readonly home: string;
  readonly store: RunStore;
  readonly active: ActiveRuns;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly owner: RunOwner;
  readonly service: RunService;
  readonly finder: WorkflowFinder;
  /** Variables that the parent of a sub-run may refer to. */
  readonly system: SystemContext;
}

/**
 * Retries ended runs, and starts new runs from earlier ones. Uses the sources and parameters stored with the run; a
 * retry can use the current file instead. The run id `latest` means the newest run of the name.
 */
export class Reruns {
  readonly #options: RerunsOptions;

  constructor(options: RerunsOptions) {
    this.#options = options;
  }

  /** Returns what {@link retry} would do; changes nothing. Rejects like it, except for limits and lost results. */
  async planRetry(ref: RunRef, options: RetryOptions): Promise<RetryPlan> {
    const detail = this.#require(ref);
    return (await this.#plan(detail, await loadStored(detail), options)).plan;
  }

  /**
   * Retries an ended run under its id and starts to drive it.
   * @throws `not_found` (run, step or file), `still_running`, `nothing_to_retry`, `max_run_reached`, `invalid_spec`,
   * `no_worker`, `conflict`; `stale_owner` when another retry was faster
   */
  async retry(
    ref: RunRef,
    options: RetryOptions,
    { by, inherited, params: explicitParams, trace: caller }: RetryCaller,
  ): Promise<RunRef & { readonly plan: RetryPlan }> {
    const { store, active, hub, clock, owner, home, system, service } = this.#options;
    const detail = this.#require(ref);
    const planned = await this.#plan(detail, await loadStored(detail), options);
    const { plan, version, changes } = planned;
    const { source, workflow } = version;
    if (options.version === undefined && options.acceptRemoved !== true) assertNothingLost(detail, plan);
    await service.requireWorkers(workflow);
    const params = explicitParams ?? planned.params;
    if (params === undefined) assertNoMaskedParams(detail.run);
    const steps = stepsToRun(plan);
    const fresh = changes === undefined ? [] : listFresh(workflow, plan, changes);
    const previousRun = await readPreviousRun({
      detail,
      workflow,
      home,
      options: freeOptions(workflow, steps, options),
      rerunSteps: steps,
      usesFile: changes !== undefined,
      fresh: new Set(fresh),
      store,
      clock,
    });
    const { parent, key, epoch } = detail.run;
    const inheritance = inherited ?? (parent && (await readInheritance({ store, home, system }, parent)));
    failPoint('run.before_reopen');
    const record = await store.reopenRun(
      {
        runKey: key,
        epoch,
        owner,
        by,
        steps,
        from: previousRun.from,
        onlyThisStep: previousRun.onlyThisStep || undefined,
        maxActiveRuns: workflow.maxActiveRuns,
        trace: continueTrace(detail.run.trace, caller ?? inherited?.trace),
        version: changes && toVersion(detail, planned, fresh),
      },
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

  async #plan(detail: RunDetail, stored: StoredSource, options: RetryOptions): Promise<PlannedRetry> {
    const { finder, service, store, system } = this.#options;
    const { name } = detail.run;
    assertEnded(detail);
    const states = getStepStates(detail);
    const masked = listMasked(detail.steps);
    if (options.version !== undefined) {
      const { source, document } = options.version;
      const now = { source, document, workflow: source.workflows[document]! };
      const changes = await findChanges(
        { store, finder },
        { detail, before: stored, now, params: detail.run.params },
      );
      const plan = planRerun({ ...now.workflow, name }, states, options, { masked, changes });
      return { plan: { ...plan, spec: 'file', lost: [] }, version: now, changes };
    }
    const current = await readCurrentFile(finder, detail, stored);
    const { state, problem } = current;
    const file = state && { file: { state, problem } };
    if (options.spec !== 'file') {
      const plan = planRerun({ ...stored.workflow, name }, states, options);
      return { plan: { ...plan, ...file, spec: 'run', lost: [] }, version: stored };
    }
    assertTopLevel(detail);
    const now = requireVersion(current, detail);
    const params = await resumeParams({ service, system }, { detail, before: stored, now });
    const changes = await findChanges({ store, finder }, { detail, before: stored, now, params });
    const plan = planRerun({ ...now.workflow, name }, states, options, { masked, changes });
    const lost = listLostResults(changes, states);
    return { plan: { ...plan, ...file, spec: 'file', lost }, version: now, changes, params };
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
    const { store, hub, clock } = this.#options;
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
    await store.requestStop({ name, dagRunId }, by, clock.now());
    hub.pump();
    await this.waitForRestart({ name, dagRunId });
    return this.#startAgain(detail, stored, { trigger, startedBy: by, trace });
  }

  /**
   * Waits for the end of a run that was asked to stop, and for its `restartWaitSec`.
   * @throws `not_found`
   */
  async waitForRestart(ref: RunRef): Promise<void> {
    const { clock, service } = this.#options;
    const detail = await service.waitForEnd(ref);
    const waitMs = ((await loadStored(detail)).workflow.restartWaitSec ?? 0) * 1000;
    if (waitMs > 0) await wait(clock, waitMs);
  }

  #startAgain(
    { run }: RunDetail,
    { source, document }: StoredSource,
    options: NewRunOptions,
  ): Promise<RunRef> {
    assertNoMaskedParams(run);
    return this.#options.service.start({
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
    const { store } = this.#options;
    const resolved = ref.dagRunId === latestRunId ? store.latestRun(ref.name) : ref;
    const detail = resolved === undefined ? undefined : store.getDetail(resolved);
    if (detail !== undefined) return detail;
    throw runNotFoundError(ref);
  }
}

/** A sub-run stores its parameters without secrets, and they stay the same. */
const toVersion = (
  { run }: RunDetail,
  { version: { source, document, workflow }, params }: PlannedRetry,
  fresh: readonly string[],
): ResumeVersion => ({
  spec: { text: source.text, base: source.baseText, document },
  params,
  fresh,
  onlySteps: run.onlySteps && workflow.steps.map(({ name }) => name),
});

function assertEnded({ run: { name, dagRunId, status } }: RunDetail): void {
  if (isFinal(status)) return;
  throw new AppError(
    'still_running',
    `Run ${dagRunId} of ${name} is ${status}. Wait for it to end or stop it, then retry.`,
  );
}

/** The parameters of a sub-run, and its text, come from its parent. */
function assertTopLevel({ run: { name, dagRunId, parent } }: RunDetail): void {
  if (parent === undefined) return;
  throw new AppError(
    'bad_request',
    `Run ${dagRunId} of ${name} was started by step "${parent.step}" of ${parent.name}. ` +
      `Retry run ${parent.dagRunId} with the current file instead.`,
  );
}

function assertNothingLost({ run }: RunDetail, { lost }: RetryPlan): void {
  if (lost.length === 0) return;
  const list = lost
    .map(({ name, renamedTo }) => (renamedTo === undefined ? name : `${name} (renamed to ${renamedTo})`))
    .join(', ');
  throw new AppError(
    'conflict',
    `The current file no longer has these steps, which succeeded in run ${run.dagRunId} of ${run.name}: ${list}. ` +
      'Their results would not be used. Confirm with acceptRemoved.',
    { details: { removed: lost } },
  );
}

/**
 * Returns the options for the steps of the resumed run. The requested step starts regardless of its dependencies only
 * if none of them runs.
 */
function freeOptions(
  { steps }: Workflow,
  rerunSteps: readonly string[],
  options: RetryOptions,
): RerunOptions {
  const { step, downstream } = options;
  if (step === undefined || downstream !== true) return { step, downstream };
  const upstream = findUpstream(steps, [step]);
  return rerunSteps.some((name) => upstream.has(name)) ? {} : { step, downstream };
}

/**
 * Returns the steps with `parallel` all of whose items run again: a failed step only runs the other items if its own
 * text is what has changed.
 */
function listFresh({ steps }: Workflow, plan: RetryPlan, { changed, added }: StepChanges): string[] {
  const rerun = new Set(stepsToRun(plan));
  const states = new Map(plan.steps.map(({ name, status }) => [name, status]));
  return steps
    .filter(({ name, parallel, depends }) => {
      if (parallel === undefined || !rerun.has(name)) return false;
      if (added.has(name)) return true;
      if (depends.some((dependency) => rerun.has(dependency)) || isFulfilled(states.get(name)!)) return true;
      const reason = changed.get(name);
      return reason !== undefined && reason !== 'text changed' && reason !== 'sub-workflow changed';
    })
    .map(({ name }) => name);
}
