import type { DryActionView, DryItemView, DryStepView } from '../../../contract/runs/dry.ts';
import type { StepAction } from '../../../model/workflow/step.ts';
import { expandWithHome } from '../../../process/environment.ts';
import type { Parameter } from '../../../model/workflow/workflow.ts';
import { planItems, type ParallelStep, type PlannedItem } from '../../steps/plan-items.ts';
import type { Inheritance } from '../../values/open-scope.ts';
import type { DryParts, DryTask } from '../dry-task.ts';
import type { ActionSurroundings } from './resolve-action.ts';
import { hasUnknown } from '../unknown-text.ts';

/** Context for resolving a step with sub-workflows or items. */
export interface SubSurroundings extends ActionSurroundings {
  readonly task: DryTask;
  readonly parts: DryParts;
  readonly inheritance: Inheritance;
  /** Directory of the step. Absolute path. */
  readonly folder: string;
}

type DagAction = Extract<StepAction, { kind: 'dag' }>;

/** Resolves the workflow that a step would run once. */
export async function resolveDag(action: DagAction, around: SubSurroundings): Promise<DryActionView> {
  const expand = (text: string): Promise<string> => around.scope.expand(text, around.environment);
  const dag = (await expand(action.dag)).trim();
  const params: Parameter[] = [];
  for (const { name, value } of action.params)
    params.push({ name, value: await expandWithHome(value, expand) });
  return {
    kind: 'dag',
    dag: around.views.plain(dag),
    params: params.map(({ name, value }) => around.views.named(name, value)),
    plan: await planDag(dag, params, around),
  };
}

const planDag = (dag: string, params: readonly Parameter[], around: SubSurroundings) =>
  around.parts.planSub({
    parent: around.task,
    step: around.step,
    dag,
    params,
    folder: around.scope.folderForSubRuns(around.step, around.folder),
    inheritance: around.inheritance,
  });

/** Resolves the items of a step with `parallel`, as far as they are known. */
export async function resolveItems(
  step: ParallelStep,
  around: SubSurroundings,
): Promise<NonNullable<DryStepView['parallel']>> {
  const { environment, views, findings, scope } = around;
  const { items: written, maxConcurrent } = step.parallel;
  const value = typeof written === 'string' ? await scope.expand(written, environment) : undefined;
  const expression = value === undefined ? undefined : views.value(value);
  if (value !== undefined && hasUnknown(value)) return { maxConcurrent, expression };
  const expand = async (text: string, item?: string): Promise<string> => {
    // Expanding an expression a second time may give another value.
    if (text === written) return value!;
    return scope.expand(text, item === undefined ? environment : { ...environment, ITEM: item });
  };
  try {
    const planned = await planItems(step, expand);
    const items: DryItemView[] = [];
    for (const item of planned) items.push(await showItem(item, around));
    return { maxConcurrent, expression, items };
  } catch (thrown) {
    findings.fault(thrown);
    return { maxConcurrent, expression };
  }
}

async function showItem({ text, subRun }: PlannedItem, around: SubSurroundings): Promise<DryItemView> {
  const { views } = around;
  if (subRun === undefined) return views.value(text);
  const { dag, params } = subRun;
  return {
    ...views.value(text),
    params: params.map(({ name, value }) => views.named(name, value)),
    plan: await planDag(dag, params, around),
  };
}
