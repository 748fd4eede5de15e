import path from 'node:path';
import { AppError } from '../base/errors.ts';
import type { SubRunPort } from '../executors/executor.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import { failPoint } from '../base/fail-point.ts';
import type { NodeId } from '../model/run-event.ts';
import type { RunRef, StepStatus } from '../model/run.ts';
import type { Parameter } from '../model/workflow.ts';
import type { RunStore } from '../store/types/runs.ts';
import type { LoadedFile, RunService, StartRunOptions } from './run-service.ts';
import type { ActiveRuns } from './active-runs.ts';
import { type RunInput, findNode, maskParams } from './run-input.ts';
import type { Inheritance } from './values/open-scope.ts';
import type { Reruns } from './recovery/reruns.ts';
import type { PriorStart, SubRunCaller } from './steps/step-context.ts';
import type { RunRecovery } from './recovery/run-recovery.ts';

/** Finds workflow files for steps that run other workflows. */
export interface WorkflowFinder {
  /** Finds a workflow by name in the workflow folder. */
  findByName(name: string): Promise<{ readonly spec: LoadedFile } | undefined>;
  /**
   * Reads a file by absolute path.
   * @throws `not_found`
   */
  read(file: string): Promise<LoadedFile>;
}

/** A workflow that a step names. */
export interface WorkflowMatch {
  readonly source: LoadedFile;
  /** Index of the document in the file. */
  readonly document: number;
}

const extension = /\.ya?ml$/;

/**
 * Finds the workflow that a step's `run` names. Workflows of the same file come first, then those of the workflow
 * folder, then paths (relative to the file's folder), with or without the file extension.
 * @throws `not_found`
 */
export async function findSubWorkflow(
  finder: WorkflowFinder,
  parent: LoadedFile,
  dag: string,
): Promise<WorkflowMatch> {
  const document = parent.workflows.findIndex((workflow) => workflow.name === dag);
  if (document >= 0) return { source: { ...parent, diagnostics: [] }, document };
  const file = path.resolve(parent.file === undefined ? process.cwd() : path.dirname(parent.file), dag);
  const source =
    (await finder.findByName(dag))?.spec ??
    (await readFirst(finder, extension.test(dag) ? [file] : [file, `${file}.yaml`, `${file}.yml`])) ??
    (await finder.findByName(dag.replace(extension, '')))?.spec;
  if (source !== undefined) return { source, document: 0 };
  throw new AppError(
    'not_found',
    `Workflow "${dag}" not found in this file or the workflow folder, and there is no file ${file}.`,
  );
}

async function readFirst(finder: WorkflowFinder, files: readonly string[]): Promise<LoadedFile | undefined> {
  for (const file of files)
    try {
      return await finder.read(file);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    }
  return undefined;
}

/** How deep runs may start sub-runs, so that a recursive workflow ends with an error and not with a full disk. */
export const maxNestingDepth = 32;

/** Final statuses after which a sub-run is retried instead of replaced. */
const unfinished: ReadonlySet<StepStatus> = new Set(['failed', 'aborted', 'partially_succeeded']);

/** Errors of a retry after which a new sub-run may succeed. */
const finalErrors: ReadonlySet<string> = new Set<ErrorCode>([
  'nothing_to_retry',
  'invalid_spec',
  'not_found',
  'still_running',
  'stale_owner',
]);

const childKey = (name: string, params: readonly Parameter[]): string => JSON.stringify([name, params]);

/** The step that starts a run, and the values it passes. */
interface Caller {
  readonly parent: RunInput;
  readonly node: NodeId;
  readonly inherited: Inheritance;
  /** Aborted when it has to end. */
  readonly signal: AbortSignal;
  /** As of {@link SubRunCaller}. */
  readonly folder: string | undefined;
  /** Set when its attempt had started on another host. */
  readonly since?: PriorStart | undefined;
}

/** Lets the steps of a run start runs of other workflows. */
export class SubRuns {
  readonly #service: RunService;
  readonly #active: ActiveRuns;
  readonly #finder: WorkflowFinder;
  readonly #store: RunStore;
  readonly #reruns: Reruns;
  readonly #recovery: Pick<RunRecovery, 'resumeChild'>;
  readonly #depths = new Map<string, number>();
  /** The newest run that each node has started, by parameters. */
  readonly #children = new WeakMap<RunInput, Map<string, Promise<Map<string, RunRef>>>>();

  constructor(options: {
    service: RunService;
    active: ActiveRuns;
    finder: WorkflowFinder;
    store: RunStore;
    reruns: Reruns;
    runRecovery: Pick<RunRecovery, 'resumeChild'>;
  }) {
    this.#service = options.service;
    this.#active = options.active;
    this.#finder = options.finder;
    this.#store = options.store;
    this.#reruns = options.reruns;
    this.#recovery = options.runRecovery;
  }

  /** Returns the port for the step `node` of `parent`; `inherited` is passed to the runs it starts. */
  portFor(
    parent: RunInput,
    node: NodeId,
    inherited: Inheritance,
    { signal, folder, since }: SubRunCaller,
  ): SubRunPort {
    const caller: Caller = { parent, node, inherited, signal, folder, since };
    return { start: (dag, params) => this.#start(caller, dag, params) };
  }

  /**
   * Forgets the runs of a node. A repeating step runs everything again, so it does not resume runs of the previous
   * repetition.
   */
  forget(parent: RunInput, node: NodeId): void {
    this.#getNodes(parent).set(toKey(node), Promise.resolve(new Map()));
  }

  async #start(caller: Caller, dag: string, explicitParams: readonly Parameter[]) {
    const { parent, node, inherited, signal } = caller;
    const depth = (this.#depths.get(parent.record.dagRunId) ?? 0) + 1;
    if (depth > maxNestingDepth)
      throw new AppError(
        'bad_request',
        `Workflows are nested more than ${maxNestingDepth} levels deep. Check whether "${dag}" runs itself.`,
      );
    const { name, dagRunId, root, defaultWorkingDir } = parent.record;
    const match = await this.#find(parent, dag);
    const options: StartRunOptions = {
      ...match,
      trigger: 'parent',
      params: explicitParams,
      defaultWorkingDir: caller.folder ?? defaultWorkingDir,
      parent: { name, dagRunId, step: node.name },
      root: root ?? { name, dagRunId },
      inherited,
      signal,
    };
    const ref = (await this.#continueStarted(caller, options)) ?? (await this.#startFresh(caller, options));
    this.#depths.set(ref.dagRunId, depth);
    const ended = this.#service.waitForEnd(ref).finally(() => this.#depths.delete(ref.dagRunId));
    return {
      ref,
      ended,
      stop: (): void => this.#active.find(ref)?.stop(`its parent run ${dagRunId}`),
      kill: (): void => this.#active.find(ref)?.forceStop(),
    };
  }

  /** Resumes the run that the attempt has started on another host, if any. */
  async #continueStarted(caller: Caller, options: StartRunOptions): Promise<RunRef | undefined> {
    const { parent, node, inherited, since } = caller;
    if (since === undefined) return undefined;
    const resolved = (): Promise<readonly Parameter[]> => this.#service.resolveParams(options);
    const child = since.subRun ?? (await this.#findStarted(parent, node, since, options));
    if (child === undefined) return undefined;
    await this.#recovery.resumeChild(child, { inherited, params: resolved });
    return child;
  }

  /** Finds the newest run that the attempt can have started; with several items, the one with the same parameters. */
  async #findStarted(
    parent: RunInput,
    node: NodeId,
    { at }: PriorStart,
    options: StartRunOptions,
  ): Promise<RunRef | undefined> {
    const stored = await this.#store.listStepSubRuns(parent.record.key, node);
    const possible = stored.filter(({ finishedAt }) => finishedAt === undefined || finishedAt >= at);
    if (
      node.section === 'handler' ||
      findNode(parent.workflow, node)?.parallel === undefined ||
      possible.length === 0
    )
      return possible[0];
    const key = this.#getKey(
      options,
      maskParams(await this.#service.resolveParams(options), options.inherited),
    );
    return possible.find(({ name, params }) => childKey(name, params) === key);
  }

  async #startFresh(caller: Caller, options: StartRunOptions): Promise<RunRef> {
    return this.#continueOrStart(caller, { ...options, params: await this.#service.resolveParams(options) });
  }

  #getKey({ source, document }: StartRunOptions, params: readonly Parameter[]): string {
    return childKey(source.workflows[document ?? 0]?.name ?? '', params);
  }

  /**
   * Retries the run that the step had started if that run did not succeed and has the same parameters (as in Dagu, with
   * the same child ids); otherwise starts a new one.
   */
  async #continueOrStart({ parent, node, inherited }: Caller, options: StartRunOptions): Promise<RunRef> {
    const children = await this.#getChildren(parent, node);
    const key = this.#getKey(options, maskParams(options.params, inherited));
    const child = children.get(key);
    const status = child && (await this.#store.findRun(child))?.status;
    if (child !== undefined && status !== undefined && unfinished.has(status)) {
      const by = `its parent run ${parent.record.dagRunId}`;
      try {
        const { source, document = 0 } = options;
        // A run that resumes with the current file resumes its sub-runs with theirs.
        const version = parent.previousRun?.usesFile === true ? { source, document } : undefined;
        await this.#reruns.retry(child, { version }, { by, inherited, params: options.params });
        return child;
      } catch (error) {
        if (!(error instanceof AppError) || !finalErrors.has(error.code)) throw error;
      }
    }
    const started = await this.#service.start({ ...options, paramsAreResolved: true });
    failPoint('sub_run.created');
    children.set(key, started);
    return started;
  }

  /**
   * Returns the runs that a node has started. They are read from the store once, for steps that had started before this
   * host drove the run.
   */
  #getChildren(parent: RunInput, node: NodeId): Promise<Map<string, RunRef>> {
    const nodes = this.#getNodes(parent);
    const nodeKey = toKey(node);
    const known = nodes.get(nodeKey);
    if (known !== undefined) return known;
    const children = this.#readChildren(parent, node);
    nodes.set(nodeKey, children);
    children.catch(() => nodes.delete(nodeKey));
    return children;
  }

  #getNodes(parent: RunInput): Map<string, Promise<Map<string, RunRef>>> {
    const nodes = this.#children.get(parent) ?? new Map<string, Promise<Map<string, RunRef>>>();
    this.#children.set(parent, nodes);
    return nodes;
  }

  async #readChildren(parent: RunInput, node: NodeId): Promise<Map<string, RunRef>> {
    const stored = await this.#store.listStepSubRuns(parent.record.key, node);
    return new Map(
      stored.toReversed().map(({ name, dagRunId, params }) => [childKey(name, params), { name, dagRunId }]),
    );
  }

  #find(parent: RunInput, dag: string): Promise<WorkflowMatch> {
    const source: LoadedFile = {
      text: parent.specText,
      baseText: parent.baseText,
      file: parent.specFile,
      workflows: parent.siblings,
      diagnostics: [],
    };
    return findSubWorkflow(this.#finder, source, dag);
  }
}

const toKey = ({ section, name }: NodeId): string => `${section}:${name}`;
