import { randomBytes } from 'node:crypto';
import { dagNamePattern, formatUuidV7, latestRunId, runIdPattern } from '../base/ids.ts';
import { AppError } from '../base/errors.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Trigger } from '../model/run-event.ts';
import {
  type RunDetail,
  type RunOwner,
  type RunRecord,
  type RunRef,
  isFinal,
  type SpanLink,
} from '../model/run.ts';
import type { FireTimeRef } from '../model/fire-time.ts';
import type { TraceContext } from '../model/trace-context.ts';
import type { Parameter, Workflow } from '../model/workflow.ts';
import { joinSelectors } from '../model/workflow-rules.ts';
import { formatDiagnostic } from '../spec/format-diagnostic.ts';
import { beginTrace } from './telemetry/trace.ts';
import type { ActiveRuns } from './active-runs.ts';
import type { EventHub } from './event-hub.ts';
import { maskParams } from './run-input.ts';
import { readPartialRun, type StepSelectionOptions } from './read-partial-run.ts';
import type { NewRun, RunStore } from '../store/types/runs.ts';
import type { RemoteSteps } from './remote/remote-task.ts';
import type { Retention } from './retention.ts';
import { resolveRunParams } from './params/run-params.ts';
import type { SystemContext } from './values/resolve-values.ts';
import type { Inheritance } from './values/open-scope.ts';
import type { Clock } from '../base/clock.ts';

/** A workflow file that has been read and can be run. */
export interface LoadedFile {
  readonly text: string;
  /** Source of the base configuration that the workflows inherit from, if there was one. */
  readonly baseText?: string;
  /** Absolute path; absent for source that did not come from a file. */
  readonly file?: string;
  /** The text is not what is in the file. */
  readonly isUnsaved?: boolean;
  readonly workflows: readonly Workflow[];
  readonly diagnostics: readonly Diagnostic[];
}

/** All options of a new run. */
export interface StartRunOptions {
  readonly source: LoadedFile;
  /** Index of the document in the file; default: 0. */
  readonly document?: number;
  readonly trigger: Trigger;
  /** As in `NewRun`. */
  readonly startedBy?: string | undefined;
  readonly name?: string;
  readonly dagRunId?: string;
  readonly params: readonly Parameter[];
  /** `params` are final, as those of an earlier run are: no defaults are added or expanded. */
  readonly paramsAreResolved?: boolean;
  /** Run only a part of the workflow, without its handlers and mails. */
  readonly part?: StepSelectionOptions | undefined;
  /** Reject with `still_running` while any run of the same name is active. */
  readonly singleton?: boolean;
  /** Overrides the workflow's. */
  readonly maxActiveRuns?: number;
  /** The scheduled time of the run; rejects with `stale_owner` when that time is already decided. */
  readonly fireTime?: FireTimeRef;
  readonly defaultWorkingDir?: string;
  readonly parent?: RunRef & { readonly step: string };
  readonly root?: RunRef;
  readonly inherited?: Inheritance;
  /** Trace context of the trigger, when it is traced. */
  readonly trace?: TraceContext | undefined;
  /** Links to the runs that the new one originates from. */
  readonly links?: readonly SpanLink[] | undefined;
  /** Aborted when the run is no longer requested: ends the commands in its parameters. */
  readonly signal?: AbortSignal;
}

/** A run that is ready to be created, except for its owner. */
export interface PreparedRun {
  /** Includes the time of its creation. */
  readonly run: NewRun & { readonly at: number };
  /** Parameters including secrets, which are not stored. */
  readonly params: readonly Parameter[];
  readonly workflow: Workflow;
}

/** Creates runs and waits for their ends. */
export class RunService {
  readonly #store: RunStore;
  readonly #active: ActiveRuns;
  readonly #hub: EventHub;
  readonly #clock: Clock;
  readonly #system: SystemContext;
  readonly #owner: RunOwner;
  readonly #retention: Pick<Retention, 'purge'>;
  readonly #remote: Pick<RemoteSteps, 'requireSetUp'>;
  readonly #defaultWorkingDir: string | undefined;
  readonly #requireHome: () => void;

  constructor(options: {
    store: RunStore;
    active: ActiveRuns;
    hub: EventHub;
    clock: Clock;
    system: SystemContext;
    owner: RunOwner;
    retention: Pick<Retention, 'purge'>;
    remote: Pick<RemoteSteps, 'requireSetUp'>;
    /** Working directory of runs that name none. Absolute path. */
    defaultWorkingDir?: string | undefined;
    /** @throws `home_unusable` when a new run would be lost */
    requireHome?: () => void;
  }) {
    this.#store = options.store;
    this.#active = options.active;
    this.#hub = options.hub;
    this.#clock = options.clock;
    this.#system = options.system;
    this.#owner = options.owner;
    this.#retention = options.retention;
    this.#remote = options.remote;
    this.#defaultWorkingDir = options.defaultWorkingDir;
    this.#requireHome = options.requireHome ?? (() => {});
  }

  /**
   * Creates a run and starts to drive it.
   * @throws `invalid_spec`, `bad_request`, `not_found` (of a part), `already_exists`, `max_run_reached`,
   * `still_running`, `no_worker`
   */
  async start(options: StartRunOptions): Promise<RunRef> {
    const { run, params, workflow } = await this.prepare(options);
    await this.requireWorkers(workflow, options.inherited);
    const { text, baseText, file } = options.source;
    const { name, dagRunId } = await this.#active.create(
      { ...run, owner: this.#owner },
      {
        params,
        workflow,
        siblings: options.source.workflows,
        specFile: file,
        specText: text,
        baseText,
        inherited: options.inherited,
      },
    );
    if (options.parent === undefined) this.#retention.purge(name, workflow);
    return { name, dagRunId };
  }

  /**
   * Prepares a run for creation; nothing is stored yet.
   * @throws `invalid_spec`, `bad_request`, `not_found` and `home_unusable`
   */
  async prepare(options: StartRunOptions): Promise<PreparedRun> {
    this.#requireHome();
    const document = options.document ?? 0;
    const fullWorkflow = requireValidWorkflow(options.source, document);
    const name = requireValidName(options.name ?? fullWorkflow.name);
    const part =
      options.part && (await readPartialRun(this.#store, { workflow: fullWorkflow, name }, options.part));
    const workflow = part?.workflow ?? fullWorkflow;
    const { text, baseText, file, isUnsaved } = options.source;
    const at = this.#clock.now();
    const params = addMissing(await this.resolveParams(options), part?.explicitParams ?? []);
    const run = {
      at,
      name,
      dagRunId: requireValidRunId(options.dagRunId ?? formatUuidV7(at, randomBytes(10))),
      spec: { text, base: baseText, file, document },
      trigger: options.trigger,
      startedBy: options.startedBy,
      params: maskParams(params, options.inherited),
      onlySteps: part?.names,
      isUnsaved,
      defaultWorkingDir: options.defaultWorkingDir ?? this.#defaultWorkingDir,
      parent: options.parent,
      root: options.root,
      queue: workflow.queue,
      maxActiveRuns: options.parent === undefined ? (options.maxActiveRuns ?? workflow.maxActiveRuns) : -1,
      singleton: options.singleton,
      fireTime: options.fireTime,
      tags: workflow.tags,
      trace: beginTrace(options.trace ?? options.inherited?.trace, options.links),
    };
    return { run, params, workflow };
  }

  /**
   * Checks that workers are available if the steps of a workflow need them.
   * @throws `no_worker` when the installation never had anything set up for workers
   */
  async requireWorkers(
    { workerSelector }: Pick<Workflow, 'workerSelector'>,
    inherited?: Pick<Inheritance, 'workerSelector'>,
  ): Promise<void> {
    const selector = joinSelectors(inherited?.workerSelector, workerSelector);
    if (selector !== undefined) await this.#remote.requireSetUp(selector);
  }

  /**
   * Resolves when the run is final, whichever host drives it. Rejects with `not_found`, or with the reason why this
   * host released it.
   */
  async waitForEnd(run: RunRef): Promise<RunDetail> {
    await this.waitForOutcome(run);
    return (await this.#store.getDetail(run)) ?? missingRun(run);
  }

  /** The same as `waitForEnd`, without reading the steps. */
  async waitForOutcome(run: RunRef): Promise<RunRecord> {
    const driver = this.#active.find(run);
    if (driver !== undefined) await driver.ended;
    const failure = this.#active.getFailure(run);
    if (failure !== undefined) throw failure;
    return (await this.#finished(run)) ?? missingRun(run);
  }

  async #finished(run: RunRef): Promise<RunRecord | undefined> {
    let onEnd = (): void => {};
    const dispose = this.#hub.subscribe(({ dag, dagRunId, event }) => {
      if (event.type === 'run.finished' && dag === run.name && dagRunId === run.dagRunId) onEnd();
    });
    try {
      await this.#hub.ready();
      for (;;) {
        const next = Promise.withResolvers<void>();
        onEnd = next.resolve;
        // The event may belong to an earlier end of a run that was retried.
        const record = await this.#store.findRun(run);
        if (record === undefined || isFinal(record.status)) return record;
        await next.promise;
      }
    } finally {
      dispose();
    }
  }

  /**
   * Resolves the parameters that the requested run would have.
   * @throws `bad_request` and `invalid_spec`
   */
  async resolveParams(options: StartRunOptions): Promise<readonly Parameter[]> {
    if (options.paramsAreResolved) return options.params;
    const workflow = requireValidWorkflow(options.source, options.document ?? 0);
    const { environment } = this.#system;
    return resolveRunParams(workflow, {
      explicitParams: options.params,
      system: {
        ...this.#system,
        environment: { ...environment, ...options.inherited?.variables },
        signal: options.signal,
      },
      clock: this.#clock,
      file: options.source.file,
      defaultWorkingDir: options.defaultWorkingDir ?? this.#defaultWorkingDir,
    });
  }
}

/** Returns the parameters, and additional ones with other names. */
function addMissing(params: readonly Parameter[], more: readonly Parameter[]): readonly Parameter[] {
  const known = new Set(params.map(({ name }) => name));
  return [...params, ...more.filter(({ name }) => !known.has(name))];
}

/**
 * Returns a workflow of the file that can be run.
 * @throws `invalid_spec`
 */
export function requireValidWorkflow(source: LoadedFile, document: number): Workflow {
  const errors = source.diagnostics.filter(({ severity }) => severity === 'error');
  const workflow = source.workflows[document];
  if (errors.length === 0 && workflow !== undefined) return workflow;
  const first = errors[0] === undefined ? '' : `: ${formatDiagnostic(errors[0])}`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new AppError('invalid_spec', `${formatInvalid(source, errors[0])}${first}${more}`, {
    details: { diagnostics: errors },
  });
}

/**
 * Describes the first error. Errors of the base configuration come after those of the workflow, and name another file.
 */
function formatInvalid({ file }: LoadedFile, first: Diagnostic | undefined): string {
  if (first === undefined || first.file === (file ?? ''))
    return `${file ?? 'The spec'} is not a valid workflow`;
  return 'The base configuration is invalid, so no workflow can start';
}

/**
 * Returns the name if it is a valid run name.
 * @throws `bad_request`
 */
export function requireValidName(name: string): string {
  if (new RegExp(dagNamePattern).test(name)) return name;
  throw new AppError(
    'bad_request',
    `Invalid workflow name "${name}". Use at most 40 letters, digits, "_", "." and "-"; "." and ".." alone are not allowed.`,
  );
}

function missingRun({ name, dagRunId }: RunRef): never {
  throw new AppError('not_found', `Run ${dagRunId} of ${name} not found.`);
}

function requireValidRunId(id: string): string {
  if (id === latestRunId)
    throw new AppError('bad_request', `"${id}" is reserved for the latest run. Choose another run ID.`, {
      details: { field: 'dagRunId' },
    });
  if (new RegExp(runIdPattern).test(id)) return id;
  throw new AppError('bad_request', `Invalid run ID "${id}". Use at most 64 letters, digits, "-" and "_".`);
}
