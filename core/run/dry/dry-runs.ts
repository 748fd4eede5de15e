import type { Clock } from '../../base/clock.ts';
import type { DryFindingView, DryRunView } from '../../contract/runs/dry.ts';
import { joinSelectors } from '../../model/workflow/worker-selector.ts';
import { Masker } from '../../secrets/masker.ts';
import type { WorkflowFinder } from '../sub-runs/find-sub-workflow.ts';
import { checkedName, checkedWorkflow, type RunWish } from '../run-service.ts';
import type { SystemFacts } from '../values/value-sources.ts';
import { describeMissingWorker, type Workers } from '../workers.ts';
import { FindingList } from './finding-list.ts';
import { linkOf, PlanBook } from './plan-book.ts';

/** Input of a dry run. */
export interface DryWish extends Pick<RunWish, 'source' | 'params' | 'name' | 'defaultWorkingDir'> {
  /** Run commands in backticks, because their output is part of values. */
  readonly runSubstitutions?: boolean;
}

/** Reports what a run would do and with which values. Writes nothing, and runs commands only on request. */
export class DryRuns {
  readonly #finder: WorkflowFinder;
  readonly #clock: Clock;
  readonly #environment: SystemFacts['environment'];
  readonly #passed: SystemFacts['passed'];
  readonly #keychain: SystemFacts['keychain'];
  readonly #home: string;
  readonly #workers: Workers;
  readonly #logs: string;
  readonly #defaultWorkingDir: string | undefined;

  constructor(parts: {
    finder: WorkflowFinder;
    clock: Clock;
    environment: SystemFacts['environment'];
    passed?: SystemFacts['passed'];
    keychain?: SystemFacts['keychain'];
    /** Absolute path. */
    home: string;
    workers: Workers;
    /** Where the logs of runs go when their workflow names no directory. Absolute path. */
    logs: string;
    /** Working directory of runs that name none. Absolute path. */
    defaultWorkingDir: string | undefined;
  }) {
    this.#finder = parts.finder;
    this.#clock = parts.clock;
    this.#environment = parts.environment;
    this.#passed = parts.passed;
    this.#keychain = parts.keychain;
    this.#home = parts.home;
    this.#workers = parts.workers;
    this.#logs = parts.logs;
    this.#defaultWorkingDir = parts.defaultWorkingDir;
  }

  /**
   * Resolves a workflow and its sub-workflows. Problems become findings.
   * @throws `invalid_spec` for a workflow with errors, `bad_request` for an invalid name
   */
  async plan(wish: DryWish): Promise<DryRunView> {
    const { source, params, defaultWorkingDir = this.#defaultWorkingDir, runSubstitutions = false } = wish;
    const workflow = checkedWorkflow(source, 0);
    const name = checkedName(wish.name ?? workflow.name);
    const findings = new FindingList();
    const masked = new Set<string>();
    const book = new PlanBook(this.#finder, {
      findings,
      clock: this.#clock,
      environment: this.#environment,
      passed: this.#passed,
      keychain: this.#keychain,
      home: this.#home,
      logs: this.#logs,
      runSubstitutions,
      masked,
      workers: this.#workers,
    });
    const selector = joinSelectors(workflow.workerSelector);
    if (selector !== undefined && !(await this.#workers.isSetUp())) {
      const place = { plan: 0, workflow: name, field: 'workerSelector' };
      findings.addAt(place, 'error', describeMissingWorker(selector));
    }
    const handed = { given: params, inherited: undefined, defaultWorkingDir };
    await book.plan({
      source,
      workflow,
      name,
      ...handed,
      isSubRun: false,
      chain: [linkOf({ source, document: 0 }, handed, workflow.preconditions.length > 0)],
    });
    const masker = new Masker(masked);
    const hide = (finding: DryFindingView): DryFindingView => {
      return { ...finding, message: masker.mask(finding.message) };
    };
    const list = findings.list().map(hide);
    return {
      name,
      runnable: list.every(({ severity }) => severity !== 'error'),
      ranSubstitutions: runSubstitutions,
      plans: book.list(),
      findings: list,
    };
  }
}
