import type { Clock } from '../../base/clock.ts';
import type { DryFindingView, DryRunView } from '../../contract/dry.ts';
import { joinSelectors } from '../../model/workflow-rules.ts';
import { Masker } from '../../process/secrets/masker.ts';
import type { WorkflowFinder } from '../sub-workflows.ts';
import { requireValidName, requireValidWorkflow, type StartRunOptions } from '../run-service.ts';
import type { SystemContext } from '../values/resolve-values.ts';
import { formatMissingWorker, type Workers } from '../run-input.ts';
import { FindingList } from './findings.ts';
import { createChainLink, DryPlanCache } from './dry-plan-cache.ts';

/** Input of a dry run. */
export interface DryRunOptions extends Pick<
  StartRunOptions,
  'source' | 'params' | 'name' | 'defaultWorkingDir'
> {
  /** Run commands in backticks, because their output is part of values. */
  readonly runSubstitutions?: boolean;
}

/** Reports what a run would do and with which values. Writes nothing, and runs commands only on request. */
export class DryRuns {
  readonly #finder: WorkflowFinder;
  readonly #clock: Clock;
  readonly #environment: SystemContext['environment'];
  readonly #passed: SystemContext['passed'];
  readonly #secretSources: SystemContext['secretSources'];
  readonly #home: string;
  readonly #workers: Workers;
  readonly #logs: string;
  readonly #defaultWorkingDir: string | undefined;

  constructor(deps: {
    finder: WorkflowFinder;
    clock: Clock;
    environment: SystemContext['environment'];
    passed?: SystemContext['passed'];
    secretSources?: SystemContext['secretSources'];
    /** Absolute path. */
    home: string;
    workers: Workers;
    /** Where the logs of runs go when their workflow names no directory. Absolute path. */
    logs: string;
    /** Working directory of runs that name none. Absolute path. */
    defaultWorkingDir: string | undefined;
  }) {
    this.#finder = deps.finder;
    this.#clock = deps.clock;
    this.#environment = deps.environment;
    this.#passed = deps.passed;
    this.#secretSources = deps.secretSources;
    this.#home = deps.home;
    this.#workers = deps.workers;
    this.#logs = deps.logs;
    this.#defaultWorkingDir = deps.defaultWorkingDir;
  }

  /**
   * Resolves a workflow and its sub-workflows. Problems become findings.
   * @throws `invalid_spec` for a workflow with errors, `bad_request` for an invalid name
   */
  async plan(options: DryRunOptions): Promise<DryRunView> {
    const { source, params, defaultWorkingDir = this.#defaultWorkingDir, runSubstitutions = false } = options;
    const workflow = requireValidWorkflow(source, 0);
    const name = requireValidName(options.name ?? workflow.name);
    const findings = new FindingList();
    const masked = new Set<string>();
    const planCache = new DryPlanCache(this.#finder, {
      findings,
      clock: this.#clock,
      environment: this.#environment,
      passed: this.#passed,
      secretSources: this.#secretSources,
      home: this.#home,
      logs: this.#logs,
      runSubstitutions,
      masked,
      workers: this.#workers,
    });
    const selector = joinSelectors(workflow.workerSelector);
    if (selector !== undefined && !(await this.#workers.isSetUp())) {
      const location = { plan: 0, workflow: name, field: 'workerSelector' };
      findings.addAt(location, 'error', formatMissingWorker(selector));
    }
    const planInput = { explicitParams: params, inherited: undefined, defaultWorkingDir };
    await planCache.plan({
      source,
      workflow,
      name,
      ...planInput,
      isSubRun: false,
      chain: [createChainLink({ source, document: 0 }, planInput, workflow.preconditions.length > 0)],
    });
    const masker = new Masker(masked);
    const maskSecrets = (finding: DryFindingView): DryFindingView => {
      return { ...finding, message: masker.mask(finding.message) };
    };
    const list = findings.list().map(maskSecrets);
    return {
      name,
      runnable: list.every(({ severity }) => severity !== 'error'),
      ranSubstitutions: runSubstitutions,
      plans: planCache.list(),
      findings: list,
    };
  }
}
