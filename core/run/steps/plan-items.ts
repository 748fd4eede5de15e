import type { JsonObject, JsonValue } from '../../base/json.ts';
import { expandWithHome } from '../../process/environment.ts';
import { describeParams } from '../../executors/dag.ts';
import type { StepContext } from '../../executors/executor.ts';
import type { Parallel, ParallelItem, Step, StepAction } from '../../model/workflow/step.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';
import { checkItems, itemParams, itemText, splitItems } from '../values/parallel-items.ts';
import type { CompletedItem } from './completed-item.ts';

/** An item that will be run. */
export interface PlannedItem {
  /** Starts at 1. */
  readonly number: number;
  /** The value of `ITEM`. */
  readonly text: string;
  /** For a sub-workflow: its name, and the parameters of its run. */
  readonly subRun?: { readonly dag: string; readonly params: readonly Parameter[] };
  /** Whether an earlier result with the same number and text is valid for this item. */
  isSame(done: CompletedItem): boolean;
  /** Returns the executor's context with the values of the item. */
  adapt(context: StepContext): StepContext;
  /** Returns the item's part of the step's result. */
  describe(done: CompletedItem | undefined): JsonValue;
}

/** A step with `parallel`. */
export type ParallelStep = Step & { readonly parallel: Parallel };

/** Expands a string; with an item, `${ITEM}` and `${ITEM.key}` refer to it. */
export type ItemExpander = (text: string, item?: string) => Promise<string>;

/**
 * Returns the items of a step with expanded values. Items of a sub-workflow with equal parameters share one run.
 * Rejects when there are no items or too many, and when a value cannot be expanded.
 */
export async function planItems(step: ParallelStep, expand: ItemExpander): Promise<PlannedItem[]> {
  const items = await listItems(step.parallel, expand);
  const problem = checkItems(items);
  if (problem !== undefined) throw new Error(problem);
  const { action } = step;
  if (action.kind !== 'dag') return items.map((item, index) => planCommand(index + 1, itemText(item)));
  const planned = new Map<string, PlannedItem>();
  for (const item of items) {
    const params = await listParams(action, item, expand);
    const dag = (await expand(action.dag, itemText(item))).trim();
    const key = JSON.stringify([dag, params.map(({ name, value }) => [name, value])]);
    const plannedItem = { number: planned.size + 1, item, action: { ...action, dag, params } };
    if (!planned.has(key)) planned.set(key, planDag(step, plannedItem));
  }
  return [...planned.values()];
}

async function listItems({ items }: Parallel, expand: ItemExpander): Promise<ParallelItem[]> {
  if (typeof items === 'string') return splitItems(await expand(items));
  const expanded: ParallelItem[] = [];
  for (const item of items) expanded.push(await expandItem(item, expand));
  return expanded;
}

async function expandItem(item: ParallelItem, expand: ItemExpander): Promise<ParallelItem> {
  if (typeof item === 'string') return expandWithHome(item, expand);
  const entries: [string, string][] = [];
  for (const [key, value] of Object.entries(item)) entries.push([key, await expandWithHome(value, expand)]);
  return Object.fromEntries(entries);
}

function planCommand(number: number, text: string): PlannedItem {
  return {
    number,
    text,
    isSame: () => true,
    adapt: (context) => context,
    describe: (done) => ({
      item: text,
      ...describeEnd(done),
      ...(done?.output === undefined ? {} : { output: done.output }),
    }),
  };
}

type DagAction = Extract<StepAction, { kind: 'dag' }>;

/** Returns the step's own parameters with the item inserted, or the parameters of the item itself. */
async function listParams(action: DagAction, item: ParallelItem, expand: ItemExpander): Promise<Parameter[]> {
  if (action.params.length === 0) return itemParams(item);
  const text = itemText(item);
  const params: Parameter[] = [];
  for (const { name, value } of action.params) {
    params.push({ name, value: await expandWithHome(value, (part) => expand(part, text)) });
  }
  return params;
}

function planDag(
  step: Step,
  { number, item, action }: { number: number; item: ParallelItem; action: DagAction },
): PlannedItem {
  const plannedItem: Step = { ...step, action };
  const { dag, params } = action;
  return {
    number,
    text: itemText(item),
    subRun: { dag, params },
    isSame: ({ output }) => haveSameParams(output, params),
    adapt: (context) => ({ ...context, step: plannedItem }),
    describe: (done) => done?.output ?? describeDag(dag, params, done),
  };
}

/**
 * Whether the run of an earlier attempt had the same parameters. It may have additional ones, from defaults. Outputs
 * written by version 0.1.0 have the object in `params`.
 */
function haveSameParams(output: JsonValue | undefined, params: readonly Parameter[]): boolean {
  const previousParams = isObject(output) ? (output['paramsMap'] ?? output['params']) : undefined;
  return isObject(previousParams) && params.every(({ name, value }) => previousParams[name] === value);
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const describeDag = (
  name: string,
  params: readonly Parameter[],
  done: CompletedItem | undefined,
): JsonObject => ({
  name,
  ...describeParams(params),
  outputs: {},
  ...describeEnd(done),
});

/** Describes the end of an item. An item that was not started because the step was stopped counts as aborted. */
function describeEnd(done: CompletedItem | undefined): JsonObject {
  if (done === undefined) return { status: 'aborted' };
  const { exitCode, error } = done.end;
  return {
    status: done.status,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(error === undefined ? {} : { error }),
  };
}
