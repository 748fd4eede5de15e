import { AppError } from '../../base/errors.ts';
import type { DryPlanView, DryFindingView, DryRunView } from '../../contract/dry.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { joinSelectors } from '../../model/workflow-rules.ts';
import type { Clock } from '../../base/clock.ts';
import { Masker } from '../../process/secrets/masker.ts';
import { maxNestingDepth, findSubWorkflow, type WorkflowMatch, type WorkflowFinder } from '../sub-runs.ts';
import { requireValidName, requireValidWorkflow, type StartRunOptions } from '../run-service.ts';
import type { SystemContext } from '../values/resolve-values.ts';
import { formatMissingWorker, type Workers } from '../run-input.ts';
import { checkWorker, type ChainLink, type DryRunContext, type DryTask, type SubTask } from './dry-task.ts';
import { FindingList, hasUnknown } from './findings.ts';
import { resolvePlan } from './resolve-plan.ts';

/** Most plans of one dry run. Sub-workflows that call two others each would otherwise grow exponentially. */
const maxPlans = 500;

/** Identifies a future run of a workflow by its inputs. */
function createChainLink(
  { source, document }: WorkflowMatch,
  {
    explicitParams,
    inherited,
    defaultWorkingDir,
  }: Pick<DryTask, 'explicitParams' | 'inherited' | 'defaultWorkingDir'>,
  isConditional: boolean,
): ChainLink {
  const workflow = source.workflows[document];
  const identity = JSON.stringify([source.file ?? '', document]);
  const params = JSON.stringify(explicitParams);
  const { variables = {}, workerSelector = {} } = inherited ?? {};
  const key = JSON.stringify([identity, params, variables, workerSelector, defaultWorkingDir]);
  return { name: workflow?.name ?? '', identity, params, key, isConditional };
}

/** The plans of a workflow and its sub-workflows, without duplicates. */
class DryPlanCache {
  readonly #finder: WorkflowFinder;
  readonly #dryRun: DryRunContext;
  readonly #plans: (DryPlanView | undefined)[] = [];
  readonly #indexByKey = new Map<string, number>();

  constructor(finder: WorkflowFinder, dryRun: Omit<DryRunContext, 'planSub'>) {
    this.#finder = finder;
    this.#dryRun = { ...dryRun, planSub: (task) => this.#planSub(task) };
  }

  /** Returns all plans so far, in the order in which they were started. */
  list(): DryPlanView[] {
    return this.#plans.filter((plan) => plan !== undefined);
  }

  /**
   * Resolves a workflow.
   * @returns the index of its plan
   */
  async plan(task: DryTask): Promise<number> {
    const { findings } = this.#dryRun;
    const index = this.#plans.length;
    this.#plans.push(undefined);
    this.#indexByKey.set(task.chain.at(-1)!.key, index);
    const { workflow, step } = findings.location;
    const path = [workflow, step, task.name].filter((name) => name !== undefined && name !== '').join(' > ');
    const location = { plan: index, workflow: path, step: undefined, field: undefined };
    this.#plans[index] = await findings.at(location, () => resolvePlan(task, this.#dryRun));
    return index;
  }

  async #planSub(subTask: SubTask): Promise<number | undefined> {
    const { parent, step, dag, params } = subTask;
    const { findings } = this.#dryRun;
    if (hasUnknown(dag)) return undefined;
    const inheritedSelector = joinSelectors(
      parent.inherited?.workerSelector,
      parent.workflow.workerSelector,
      step.workerSelector,
    );
    const inheritance = { ...subTask.inheritance, workerSelector: inheritedSelector };
    const match = await this.#find(subTask);
    const workflow = match?.source.workflows[match.document];
    await checkWorker(joinSelectors(inheritedSelector, workflow?.workerSelector), this.#dryRun);
    if (match === undefined || workflow === undefined || params.some(({ value }) => hasUnknown(value)))
      return undefined;
    const isConditional = step.preconditions.length > 0 || workflow.preconditions.length > 0;
    const defaultWorkingDir = subTask.folder ?? parent.defaultWorkingDir;
    const planInput = { explicitParams: params, inherited: inheritance, defaultWorkingDir };
    const link = createChainLink(match, planInput, isConditional);
    if (this.#isRecursive(parent.chain, link)) return undefined;
    const known = this.#indexByKey.get(link.key);
    if (known !== undefined) return known;
    if (this.#plans.length >= maxPlans) {
      findings.add('info', `"${dag}" was not checked: the limit of ${maxPlans} plans is reached.`);
      return undefined;
    }
    const { source } = match;
    return this.plan({
      source,
      workflow,
      name: workflow.name,
      ...planInput,
      isSubRun: true,
      chain: [...parent.chain, link],
    });
  }

  /** Returns undefined, with a finding, when the workflow does not exist or cannot be run. */
  async #find({ parent, dag }: SubTask): Promise<WorkflowMatch | undefined> {
    const { findings } = this.#dryRun;
    try {
      const match = await findSubWorkflow(this.#finder, parent.source, dag);
      const problem = match.source.diagnostics.find(({ severity }) => severity === 'error');
      if (problem === undefined) return match;
      findings.add('error', `Sub-workflow "${dag}" is invalid: ${formatDiagnostic(problem)}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      findings.add('error', `Cannot load sub-workflow "${dag}": ${error.message}`);
    }
    return undefined;
  }

  /** Whether a workflow calls itself or is nested too deep. It is not planned again then. */
  #isRecursive(chain: readonly ChainLink[], link: ChainLink): boolean {
    const { findings } = this.#dryRun;
    const previousIndex = chain.findLastIndex(({ identity }) => identity === link.identity);
    if (previousIndex < 0) {
      if (chain.length <= maxNestingDepth) return false;
      findings.add('error', `Workflows are nested more than ${maxNestingDepth} levels deep.`);
      return true;
    }
    reportCycle([...chain.slice(previousIndex), link], findings);
    return true;
  }
}

/** Reports a cycle: as an error if it never ends (same parameters and no condition on the way). */
function reportCycle(cycle: readonly ChainLink[], findings: FindingList): void {
  const names = cycle.map(({ name }) => name).join(' > ');
  const isEndless =
    cycle[0]!.params === cycle.at(-1)!.params && cycle.slice(1).every((link) => !link.isConditional);
  const end = `Runs fail at ${maxNestingDepth} nested levels`;
  findings.add(
    isEndless ? 'error' : 'warning',
    `The workflow runs itself: ${names}. ${isEndless ? `${end}.` : `${end}, unless a condition ends the recursion.`}`,
  );
}

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

  constructor(options: {
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
    this.#finder = options.finder;
    this.#clock = options.clock;
    this.#environment = options.environment;
    this.#passed = options.passed;
    this.#secretSources = options.secretSources;
    this.#home = options.home;
    this.#workers = options.workers;
    this.#logs = options.logs;
    this.#defaultWorkingDir = options.defaultWorkingDir;
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
