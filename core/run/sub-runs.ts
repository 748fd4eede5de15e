import path from 'node:path';
import type { SubRunPort } from '../executors/executor.ts';
import { AppError } from '../base/errors.ts';
import type { NodeId } from '../model/run-event.ts';
import type { Parameter } from '../model/workflow.ts';
import type { ActiveRuns } from './active-runs.ts';
import type { DrivenRun, Inheritance } from './run-driver.ts';
import type { LoadedFile, RunService, RunWish } from './run-service.ts';

/** Finds workflow files for steps that run other workflows. */
export interface WorkflowFinder {
  /** By name in the workflow folder. */
  findByName(name: string): LoadedFile | undefined;
  /** By absolute path. Throws `not_found`. */
  read(file: string): LoadedFile;
}

/** How deep runs may start runs, so that a workflow that calls itself ends with an error, not with a full disk. */
const deepest = 32;

/** The step that starts a run, and what it hands on. */
interface Caller {
  readonly parent: DrivenRun;
  readonly node: NodeId;
  readonly inherited: Inheritance;
}

/** Lets the steps of a run start runs of other workflows. */
export class SubRuns {
  readonly #service: RunService;
  readonly #active: ActiveRuns;
  readonly #finder: WorkflowFinder;
  readonly #depths = new Map<string, number>();

  constructor(service: RunService, active: ActiveRuns, finder: WorkflowFinder) {
    this.#service = service;
    this.#active = active;
    this.#finder = finder;
  }

  /** What the step `node` of `parent` may use; `inherited` reaches the runs it starts. */
  portFor(parent: DrivenRun, node: NodeId, inherited: Inheritance): SubRunPort {
    return { start: (dag, params) => this.#start({ parent, node, inherited }, dag, params) };
  }

  async #start({ parent, node, inherited }: Caller, dag: string, params: readonly Parameter[]) {
    const depth = (this.#depths.get(parent.record.dagRunId) ?? 0) + 1;
    if (depth > deepest)
      throw new AppError(
        'bad_request',
        `Workflows are nested more than ${deepest} deep; does "${dag}" call itself?`,
      );
    const { name, dagRunId, root, defaultWorkingDir } = parent.record;
    const ref = await this.#service.start({
      ...this.#find(parent, dag),
      trigger: 'parent',
      params,
      defaultWorkingDir,
      parent: { name, dagRunId, step: node.name },
      root: root ?? { name, dagRunId },
      inherited,
    });
    this.#depths.set(ref.dagRunId, depth);
    const ended = this.#service.waitForEnd(ref).finally(() => this.#depths.delete(ref.dagRunId));
    return {
      ref,
      ended,
      stop: (): void => this.#active.find(ref)?.stop(`its parent run ${dagRunId}`),
      kill: (): void => this.#active.find(ref)?.forceStop(),
    };
  }

  /** Workflows of the same file come first, then those of the workflow folder, then paths (against the file's folder). */
  #find(parent: DrivenRun, dag: string): Pick<RunWish, 'source' | 'document'> {
    const document = parent.siblings.findIndex((workflow) => workflow.name === dag);
    if (document >= 0) {
      const source = {
        text: parent.specText,
        baseText: parent.baseText,
        file: parent.specFile,
        workflows: parent.siblings,
        diagnostics: [],
      };
      return { source, document };
    }
    const named = this.#finder.findByName(dag);
    if (named !== undefined) return { source: named };
    const base = parent.specFile === undefined ? process.cwd() : path.dirname(parent.specFile);
    return { source: this.#finder.read(path.resolve(base, dag)) };
  }
}
