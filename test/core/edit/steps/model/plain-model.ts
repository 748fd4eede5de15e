import { expect } from 'vitest';
import { buildOutline } from '../../../../../core/edit/build-outline.ts';
import { openWorkflow } from '../../../../../core/edit/steps/open-workflow.ts';
import { readEditable } from '../../../../../core/edit/yaml/editable-text.ts';
import type { Diagnostic } from '../../../../../core/model/diagnostic.ts';
import type { Step } from '../../../../../core/model/step.ts';
import type { Workflow } from '../../../../../core/model/workflow.ts';
import { loadSpec } from '../../../../../core/spec/load.ts';
import type { Prediction } from './operations.ts';

/** What the engine reads of a step, without its position, name and wiring. */
export type StepFacts = Omit<Step, 'at' | 'name' | 'depends'>;

export interface ModelStep {
  facts: StepFacts;
  /** Of a new step or handler: only what it runs is compared, since the workflow's defaults apply to it. */
  runs?: string;
  /** A copy may get another id, in the references to it as well. */
  isCopy?: boolean;
  /** Undefined where the engine names it by its position. */
  name: string | undefined;
  /** The value of `depends`; undefined when it is empty. */
  depends: ModelStep[] | undefined;
}

/** Steps at one position of a list: one, or those of a nested list. */
export interface Item {
  members: ModelStep[];
  isGroup: boolean;
}

/** A workflow as plain data, changed by assignments. */
export interface Model {
  type: 'chain' | 'graph';
  items: Item[];
  handlers: Record<string, Pick<ModelStep, 'facts' | 'runs'>>;
  fields: Record<string, unknown>;
}

const load = (text: string): { readonly workflows: readonly Workflow[]; readonly errors: Diagnostic[] } => {
  const { workflows, diagnostics } = loadSpec({ text, file: 'any.yaml' });
  return { workflows, errors: diagnostics.filter(({ severity }) => severity === 'error') };
};

const factsOf = ({ at: _at, name: _name, depends: _depends, ...facts }: Step): StepFacts => facts;

function handlersOf({ handlers }: Workflow): Record<string, { facts: StepFacts }> {
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, handler]) => [kind, { facts: factsOf(handler) }]),
  );
}

function getFields({
  steps: _steps,
  handlers: _handlers,
  type: _type,
  ...fields
}: Workflow): Model['fields'] {
  return fields;
}

/** Indices of the documents with workflows; the first is the main one. */
export const listDocuments = (text: string): readonly number[] =>
  buildOutline(readEditable(text)).documents.map(({ index }) => index);

/** @param document its index; the main one when undefined */
function pickWorkflow(workflows: readonly Workflow[], text: string, document?: number): Workflow | undefined {
  return workflows[Math.max(listDocuments(text).indexOf(document ?? -1), 0)];
}

/** Undefined for text that is not a valid workflow with steps. */
export function readModel(text: string, document?: number): Model | undefined {
  const main = pickWorkflow(load(text).workflows, text, document);
  const open = openWorkflow(readEditable(text), document);
  if (main === undefined || 'reason' in open) return undefined;
  const steps = main.steps.map((step, stepIndex): ModelStep => {
    const written = open.drafts[stepIndex]!.name;
    return { facts: factsOf(step), name: written === '' ? undefined : written, depends: undefined };
  });
  const items = new Map<number, Item>();
  open.drafts.forEach(({ item, isGrouped }, stepIndex) => {
    const step = steps[stepIndex]!;
    step.depends = open.written[stepIndex]?.map(({ reference }) => steps[open.references.get(reference)!]!);
    const known = items.get(item) ?? { members: [], isGroup: isGrouped };
    known.members.push(step);
    items.set(item, known);
  });
  const all = [...items.values()];
  return { type: main.type, items: all, handlers: handlersOf(main), fields: getFields(main) };
}

export const stepsOf = ({ items }: Model): ModelStep[] => items.flatMap(({ members }) => members);

/** What each step depends on: in a chain also the step before it, unless it says `[]`. */
export function getDependencies({ type, items }: Model): Map<ModelStep, Set<ModelStep>> {
  const waits = new Map<ModelStep, Set<ModelStep>>();
  items.forEach(({ members }, index) => {
    const before = type === 'chain' ? (items[index - 1]?.members ?? []) : [];
    for (const step of members)
      waits.set(step, new Set(step.depends?.length === 0 ? [] : [...(step.depends ?? []), ...before]));
  });
  return waits;
}

/** All transitive dependencies of a step. */
export function transitiveDependencies(model: Model, from: ModelStep): Set<ModelStep> {
  const waits = getDependencies(model);
  const found = new Set(waits.get(from));
  for (const step of found) for (const next of waits.get(step) ?? []) found.add(next);
  return found;
}

/** References to steps compare equal whatever their ids are. */
const withoutIds = ({
  id: _id,
  ...facts
}: {
  readonly id?: unknown;
  readonly [field: string]: unknown;
}): unknown => JSON.parse(JSON.stringify(facts).replaceAll(/\$(\{?)[A-Za-z][\w-]*\./g, '$$$1ID.'));

/** Compares text with the intended result. */
export function checkModel(text: string, model: Model, { isLoose, document }: CheckOptions): void {
  const { workflows, errors } = load(text);
  const steps = stepsOf(model);
  if (steps.length === 0) {
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('has no steps')]);
    return;
  }
  expect(errors).toEqual([]);
  const main = pickWorkflow(workflows, text, document)!;
  const waits = getDependencies(model);
  const indexes = new Map(main.steps.map(({ name }, stepIndex) => [name, stepIndex]));
  const inOrder = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b);
  const wanted = steps.map((step, stepIndex) => ({
    name: step.name ?? main.steps[stepIndex]?.name,
    waitsFor: inOrder([...waits.get(step)!].map((each) => steps.indexOf(each))),
    facts: wantedFacts(step, main.steps[stepIndex], isLoose),
  }));
  const found = main.steps.map((step, stepIndex) => ({
    name: step.name,
    waitsFor: inOrder(step.depends.map((name) => indexes.get(name)!)),
    facts: isLoose || steps[stepIndex]?.isCopy === true ? withoutIds(factsOf(step)) : factsOf(step),
  }));
  expect(found).toEqual(wanted);
  expect(main.type).toBe(model.type);
  const handlers = handlersOf(main);
  expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(model.handlers).toSorted());
  for (const [kind, { facts, runs }] of Object.entries(model.handlers)) {
    if (runs !== undefined) expect(JSON.stringify(handlers[kind]!.facts.action)).toContain(runs);
    else if (isLoose) expect(withoutIds(handlers[kind]!.facts)).toEqual(withoutIds(facts));
    else expect(handlers[kind]!.facts).toEqual(facts);
  }
  const fields = isLoose ? withoutIds(getFields(main)) : getFields(main);
  expect(fields).toEqual(isLoose ? withoutIds(model.fields) : model.fields);
}

interface CheckOptions {
  /** Whether an id has changed, and references with it. */
  readonly isLoose: boolean;
  readonly document: number | undefined;
}

function wantedFacts(step: ModelStep, found: Step | undefined, isLoose: boolean): unknown {
  if (step.runs === undefined) return isLoose || step.isCopy ? withoutIds(step.facts) : step.facts;
  const isThere = found !== undefined && JSON.stringify(found.action).includes(step.runs);
  const facts = isThere ? factsOf(found) : { runs: step.runs };
  return isLoose || step.isCopy ? withoutIds(facts) : facts;
}

/** Removes steps; their dependents drop them, or inherit their dependencies. */
export function removeFromModel(model: Model, removed: readonly ModelStep[], reconnect: boolean): void {
  const waits = getDependencies(model);
  const before = new Map(stepsOf(model).map((step) => [step, behind(waits, step, removed)]));
  const isFirst = (step: ModelStep): boolean =>
    !model.items
      .slice(
        0,
        model.items.findIndex(({ members }) => members.includes(step)),
      )
      .some(({ members }) => members.some((each) => !removed.includes(each)));
  for (const step of stepsOf(model)) {
    if (removed.includes(step) || !removed.some((each) => waits.get(step)!.has(each))) continue;
    const left = (step.depends ?? []).filter((each) => !removed.includes(each));
    const added = reconnect ? [...before.get(step)!].filter((each) => !left.includes(each)) : [];
    const isCut = model.type === 'chain' && before.get(step)!.size === 0 && !isFirst(step);
    step.depends = isCut ? [] : left.length + added.length === 0 ? undefined : [...left, ...added];
  }
  for (const item of model.items) item.members = item.members.filter((step) => !removed.includes(step));
  model.items = model.items.filter(({ members }) => members.length > 0);
}

/** The dependencies of a step when each removed one is replaced by its own dependencies. */
function behind(
  waits: ReadonlyMap<ModelStep, ReadonlySet<ModelStep>>,
  step: ModelStep,
  removed: readonly ModelStep[],
): Set<ModelStep> {
  const seen = new Set(waits.get(step));
  for (const each of seen) if (removed.includes(each)) for (const next of waits.get(each)!) seen.add(next);
  return new Set([...seen].filter((each) => !removed.includes(each)));
}

/** @param offset 1 for behind the neighbor, 0 for before it */
export function moveInModel(model: Model, step: ModelStep, neighbour: ModelStep, offset: 0 | 1): Prediction {
  if (step === neighbour) return 'done';
  for (const item of model.items) item.members = item.members.filter((each) => each !== step);
  const stepIndex = model.items.findIndex(({ members }) => members.includes(neighbour));
  const { members, isGroup } = model.items[stepIndex]!;
  if (isGroup) members.splice(members.indexOf(neighbour) + offset, 0, step);
  else model.items.splice(stepIndex + offset, 0, { members: [step], isGroup: false });
  model.items = model.items.filter((item) => item.members.length > 0);
  return hasCycle(model) ? 'refused' : 'done';
}

export function hasCycle(model: Model): boolean {
  const waits = getDependencies(model);
  const ended = new Set<ModelStep>();
  for (let size = -1; size !== ended.size;) {
    size = ended.size;
    for (const [step, before] of waits) if ([...before].every((each) => ended.has(each))) ended.add(step);
  }
  return ended.size < waits.size;
}
