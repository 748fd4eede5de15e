import type { DryActionView, DryItemView, DryStepView } from '../../../contract/runs/dry.ts';
import type { StepAction } from '../../../model/workflow/step.ts';
import { expandWithHome } from '../../../process/environment.ts';
import type { Parameter } from '../../../model/workflow/workflow.ts';
import { planItems, type ParallelStep, type PlannedItem } from '../../steps/plan-items.ts';
import type { Inheritance } from '../../values/open-scope.ts';
import type { DryDeps, DryTask } from '../dry-task.ts';
import type { ActionContext } from './resolve-action.ts';
import { hasUnknown } from '../unknown-text.ts';

/** Context for resolving a step with sub-workflows or items. */
export interface SubWorkflowContext extends ActionContext {
  readonly task: DryTask;
  readonly dryDeps: DryDeps;
  readonly inheritance: Inheritance;
  /** Directory of the step. Absolute path. */
  readonly folder: string;
}

type DagAction = Extract<StepAction, { kind: 'dag' }>;

/** Resolves the workflow that a step would run once. */
export async function resolveDag(action: DagAction, context: SubWorkflowContext): Promise<DryActionView> {
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
  context.dryDeps.planSub({
    parent: context.task,
    step: context.step,
    dag,
    params,
    folder: context.scope.folderForSubRuns(context.step, context.folder),
    inheritance: context.inheritance,
  });

/** Resolves the items of a step with `parallel`, as far as they are known. */
export async function resolveItems(
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
