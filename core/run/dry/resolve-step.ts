import { getErrorMessage } from '../../base/errors.ts';
import type {
  DryActionView,
  DryConditionView,
  DryStepView,
  DryValueView,
  DryItemView,
} from '../../contract/dry.ts';
import type { Parameter } from '../../model/workflow.ts';
import {
  type HandlerName,
  isHostsAction,
  joinSelectors,
  type WorkerSelector,
} from '../../model/workflow-rules.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { RetryPolicy, Step, Condition, StepAction } from '../../model/step.ts';
import { expandWithHome } from '../../process/environment.ts';
import { type ParallelStep, planItems, type PlannedItem } from '../steps/plan-items.ts';
import { resolveRetryPolicy } from '../values/conditions.ts';
import { specialStepVariables, type Outputs } from '../values/run-scope.ts';
import { resolveFolder } from '../values/files.ts';
import type { Inheritance } from '../values/open-scope.ts';
import { checkWorker, type DryRunContext, type DryTask } from './dry-task.ts';
import {
  formatStepRules,
  type RetrySummary,
  resolveLocalAction,
  type ActionContext,
} from './resolve-action.ts';
import { hasUnknown, markUnknown } from './findings.ts';

/** A step or handler, and its position. */
export interface PlannedStep {
  readonly step: Step;
  readonly wave?: number;
  readonly handler?: HandlerName;
  /** The outputs of other steps that it would see. */
  readonly outputs: Outputs;
}

type SubRunContext = Omit<SubWorkflowContext, 'step' | 'environment' | 'folder'>;

/** Resolves one step. Errors that would stop it become findings; the rest of the step is resolved anyway. */
export function resolveStep(plannedStep: PlannedStep, run: SubRunContext): Promise<DryStepView> {
  const { findings } = run;
  return findings.at({ step: plannedStep.step.name }, () => resolvePlanned(plannedStep, run));
}

async function resolvePlanned(plannedStep: PlannedStep, run: SubRunContext): Promise<DryStepView> {
  const { step, wave, handler } = plannedStep;
  const { scope, views, findings } = run;
  const environment = await findings.at({ field: 'env' }, () => openEnvironment(plannedStep, run));
  const selector = getSelector(step, run);
  await checkWorker(step.workerSelector && selector, run.dryRun);
  const folder = await findings.at({ field: 'dir' }, async () =>
    selector === undefined
      ? scope.stepFolder(step, environment)
      : ((await scope.remoteFolder(step, environment)) ?? scope.workingDir),
  );
  environment['PWD'] = folder;
  const context: SubWorkflowContext = { ...run, step, environment, folder };
  const resolveCopy = (template: string | undefined): Promise<DryValueView> | undefined =>
    template === undefined
      ? undefined
      : scope.expand(template, environment).then((file) => views.value(resolveFolder(file, folder)));
  const parallel = isParallel(step)
    ? await findings.at({ field: 'parallel' }, () => resolveItems(step, context))
    : undefined;
  const { action, variables } = await findings.at({ field: step.action.kind }, () =>
    resolveAction(step, context),
  );
  const view: Omit<DryStepView, 'unresolved'> = {
    name: step.name,
    wave,
    handler,
    depends: [...step.depends],
    action,
    variables,
    dir: views.folder(folder, scope.workingDir),
    env: [...new Set(step.env.map(({ name }) => name))].map((name) => views.named(name, environment[name]!)),
    conditions: await resolveConditions(step.preconditions, context),
    parallel,
    output: step.output,
    stdout: await resolveCopy(step.stdout),
    stderr: await resolveCopy(step.stderr),
    rules: formatStepRules(step, await resolveRetry(step.retry, context), selector).map((rule) =>
      views.plain(rule),
    ),
  };
  return { ...view, unresolved: [...new Set(collectUnresolved(view))] };
}

/** Returns the worker labels of a step. A step that runs a sub-workflow passes them on instead. */
const getSelector = (step: Step, { task }: SubRunContext): WorkerSelector | undefined =>
  isHostsAction(step.action)
    ? undefined
    : joinSelectors(task.inherited?.workerSelector, task.workflow.workerSelector, step.workerSelector);

const isParallel = (step: Step): step is ParallelStep => step.parallel !== undefined;

function openEnvironment(
  { step, handler, outputs }: PlannedStep,
  { scope }: SubRunContext,
): Promise<Record<string, string>> {
  const node: NodeId = { section: handler === undefined ? 'step' : 'handler', name: step.name };
  const specials = specialStepVariables(node, '', scope.workingDir);
  const later = ['DAG_RUN_LOG_FILE', ...(step.parallel === undefined ? [] : ['ITEM'])];
  if (handler === undefined) later.push('DAG_RUN_STEP_STDOUT_FILE', 'DAG_RUN_STEP_STDERR_FILE');
  else if (handler === 'init') specials['DAG_RUN_STATUS'] = 'running';
  else later.push('DAG_RUN_STATUS');
  for (const name of later) specials[name] = markUnknown(`\${${name}}`);
  return scope.stepEnvironment(step.env, outputs, specials);
}

async function resolveAction(
  step: Step,
  context: SubWorkflowContext,
): Promise<Pick<DryStepView, 'action' | 'variables'>> {
  const { action } = step;
  if (action.kind !== 'dag') return resolveLocalAction(action, context);
  const single: DryActionView = { kind: 'dag', dag: action.dag, params: [] };
  return { action: step.parallel === undefined ? await resolveDag(action, context) : single, variables: [] };
}

/** Returns conditions as written, with their expressions expanded; nothing is evaluated. */
export function resolveConditions(
  conditions: readonly Condition[],
  {
    scope,
    environment,
    views,
    findings,
  }: Pick<SubWorkflowContext, 'scope' | 'environment' | 'views' | 'findings'>,
): Promise<DryConditionView[]> {
  return findings.at({ field: 'preconditions' }, async () => {
    const view: DryConditionView[] = [];
    for (const condition of conditions) {
      const { kind, negate } = condition;
      if (condition.kind === 'command') {
        view.push({ kind, written: views.plain(condition.command), negate });
      } else {
        const value = views.value(await scope.expand(condition.condition, environment));
        const expected = views.plain(condition.expected);
        view.push({ kind, written: views.plain(condition.condition), value, expected, negate });
      }
    }
    return view;
  });
}

async function resolveRetry(
  policy: RetryPolicy | undefined,
  { scope, environment, findings }: SubWorkflowContext,
): Promise<RetrySummary | undefined> {
  if (policy === undefined) return undefined;
  const limit = await scope.expand(String(policy.limit), environment);
  const intervalSec = await scope.expand(String(policy.intervalSec), environment);
  const isWritten = typeof policy.limit === 'number' && typeof policy.intervalSec === 'number';
  if (!isWritten && !hasUnknown(limit + intervalSec)) {
    try {
      await resolveRetryPolicy({ ...policy, limit, intervalSec }, (text) => Promise.resolve(text));
    } catch (error) {
      await findings.at({ field: 'retryPolicy' }, () =>
        findings.add('warning', `${getErrorMessage(error)}, so failures are not retried`),
      );
    }
  }
  return { ...policy, limit, intervalSec };
}

/** Collects all `unresolved` fields in a value. */
function collectUnresolved(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'unresolved' ? (child as string[]) : collectUnresolved(child),
  );
}

/** Context for resolving a step with sub-workflows or items. */
interface SubWorkflowContext extends ActionContext {
  readonly task: DryTask;
  readonly dryRun: DryRunContext;
  readonly inheritance: Inheritance;
  /** Directory of the step. Absolute path. */
  readonly folder: string;
}

type DagAction = Extract<StepAction, { kind: 'dag' }>;

/** Resolves the workflow that a step would run once. */
async function resolveDag(action: DagAction, context: SubWorkflowContext): Promise<DryActionView> {
  const expand = (text: string): Promise<string> => context.scope.expand(text, context.environment);
  const dag = (await expand(action.dag)).trim();
  const params: Parameter[] = [];
  for (const { name, value } of action.params)
    params.push({ name, value: await expandWithHome(value, expand) });
  return {
    kind: 'dag',
    dag: context.views.plain(dag),
    params: params.map(({ name, value }) => context.views.named(name, value)),
    plan: await planDag(dag, params, context),
  };
}

const planDag = (dag: string, params: readonly Parameter[], context: SubWorkflowContext) =>
  context.dryRun.planSub({
    parent: context.task,
    step: context.step,
    dag,
    params,
    folder: context.scope.folderForSubRuns(context.step, context.folder),
    inheritance: context.inheritance,
  });

/** Resolves the items of a step with `parallel`, as far as they are known. */
async function resolveItems(
  step: ParallelStep,
  context: SubWorkflowContext,
): Promise<NonNullable<DryStepView['parallel']>> {
  const { environment, views, findings, scope } = context;
  const { items: template, maxConcurrent } = step.parallel;
  const value = typeof template === 'string' ? await scope.expand(template, environment) : undefined;
  const expression = value === undefined ? undefined : views.value(value);
  if (value !== undefined && hasUnknown(value)) return { maxConcurrent, expression };
  const expand = async (text: string, item?: string): Promise<string> => {
    // Expanding an expression a second time may give another value.
    if (text === template) return value!;
    return scope.expand(text, item === undefined ? environment : { ...environment, ITEM: item });
  };
  try {
    const planned = await planItems(step, expand);
    const items: DryItemView[] = [];
    for (const item of planned) items.push(await showItem(item, context));
    return { maxConcurrent, expression, items };
  } catch (error) {
    findings.addError(error);
    return { maxConcurrent, expression };
  }
}

async function showItem({ text, subRun }: PlannedItem, context: SubWorkflowContext): Promise<DryItemView> {
  const { views } = context;
  if (subRun === undefined) return views.value(text);
  const { dag, params } = subRun;
  return {
    ...views.value(text),
    params: params.map(({ name, value }) => views.named(name, value)),
    plan: await planDag(dag, params, context),
  };
}
