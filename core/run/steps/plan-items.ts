import type { JsonObject, JsonValue } from '../../base/json.ts';
import { expandWithHome } from '../../process/environment.ts';
import { toParamsObject } from '../../executors/dag.ts';
import type { StepContext } from '../../executors/executor.ts';
import type { Parallel, ParallelItem, Step, StepAction } from '../../model/step.ts';
import type { Parameter } from '../../model/workflow.ts';
import { parseParamText } from '../../spec/params.ts';
import { splitWords } from '../../spec/split-words.ts';
import { isJsonObject } from '../../spec/expand.ts';
import { parseJsonContainer, stringifyJson } from '../values/outputs.ts';
import type { CompletedItem } from './items-attempt.ts';

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
  toResult(done: CompletedItem | undefined): JsonValue;
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
    toResult: (done) => ({
      item: text,
      ...toItemResult(done),
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
    toResult: (done) => done?.output ?? toDagResult(dag, params, done),
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

const toDagResult = (
  name: string,
  params: readonly Parameter[],
  done: CompletedItem | undefined,
): JsonObject => ({
  name,
  ...toParamsObject(params),
  outputs: {},
  ...toItemResult(done),
});

/** Describes the end of an item. An item that was not started because the step was stopped counts as aborted. */
function toItemResult(done: CompletedItem | undefined): JsonObject {
  if (done === undefined) return { status: 'aborted' };
  const { exitCode, error } = done.end;
  return {
    status: done.status,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Most items of one `parallel`. */
const maxItems = 1000;

/**
 * Splits the value of a `parallel` expression into items by its format, checked in this order: a JSON list; a JSON
 * object, or one per line; lines; words of which one is quoted; the most frequent of tab, pipe, semicolon and comma;
 * white space. Items are trimmed, and empty items are dropped.
 */
export function splitItems(value: string): ParallelItem[] {
  const text = value.trim();
  if (text === '') return [];
  const items = splitJson(text);
  if (items !== undefined) return items;
  if (/[\r\n]/.test(text)) return splitAt(text, /[\r\n]+/);
  if (quotedWord.test(text)) return splitWords(text);
  const separator = findSeparator(text);
  return separator === undefined ? text.split(/\s+/) : splitAt(text, separator);
}

/** Returns the problem with the number of items, or undefined. */
export function checkItems(items: readonly ParallelItem[]): string | undefined {
  if (items.length === 0)
    return 'parallel has no items. Add at least one item, or skip the step with a precondition';
  if (items.length <= maxItems) return undefined;
  const numbers = `${items.length.toLocaleString('en-US')} items, the limit is ${maxItems.toLocaleString('en-US')}`;
  return `parallel has too many items: ${numbers}. Combine items, or use several steps`;
}

/** Returns an item as the value of `ITEM`: a string as it is, an object as compact JSON. */
export function itemText(item: ParallelItem): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}

/**
 * Returns the parameters that an item passes to a sub-workflow when the step names none: an object gives named
 * parameters, a string is read like `params` in string form.
 */
export function itemParams(item: ParallelItem): Parameter[] {
  if (typeof item === 'string') return parseParamText(item);
  return Object.entries(item).map(([name, value]) => ({ name, value }));
}

/** A quoted word: apostrophes within words are not quotes. */
const quotedWord = /(?<!\S)(?:"(?:\\.|[^"\\])*"|'[^']*')(?!\S)/s;

/** Returns undefined when the string is neither a JSON list nor consists of JSON objects. */
function splitJson(text: string): ParallelItem[] | undefined {
  const container = parseJsonContainer(text);
  if (Array.isArray(container)) return readItems(container);
  if (isJsonObject(container)) return readItems([container]);
  if (!text.startsWith('{')) return undefined;
  const objects: unknown[] = [];
  for (const line of splitAt(text, /[\r\n]+/)) {
    const object = parseJsonContainer(line);
    if (!isJsonObject(object)) return undefined;
    objects.push(object);
  }
  return readItems(objects);
}

/** Returns undefined when a value is nested too deep to be written. */
function readItems(values: readonly unknown[]): ParallelItem[] | undefined {
  try {
    return values.map((value) => (isJsonObject(value) ? readRecord(value) : stringifyJson(value)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readRecord(object: Readonly<Record<string, unknown>>): Record<string, string> {
  // Own properties for any key; assignment would not create one for `__proto__`.
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, stringifyJson(value)]));
}

function splitAt(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the most frequent separator; of equally frequent ones, the one that is less likely to be part of an item. */
function findSeparator(text: string): string | undefined {
  let [best, max] = [undefined as string | undefined, 0];
  for (const separator of ['\t', '|', ';', ',']) {
    const count = text.split(separator).length - 1;
    if (count > max) [best, max] = [separator, count];
  }
  return best;
}
