import { isEqual } from '../../base/json.ts';
import { isFulfilled } from '../../model/run.ts';
import type { Step } from '../../model/step.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { findUpstream } from './graph.ts';

/** The workflow that a run executed, or that its file has now, with the values of its parameters. */
export interface WorkflowVersion {
  readonly workflow: Workflow;
  readonly params: readonly Parameter[];
}

/** How the steps of the current file differ from those of the run. */
export interface StepChanges {
  /** Why a step has to run although it may have succeeded, as a phrase; by name. */
  readonly changed: ReadonlyMap<string, string>;
  /** Steps that the run did not have, and the name of the removed step that each replaces, if any. */
  readonly added: ReadonlyMap<string, string | undefined>;
  /** Names of the run's steps that the file no longer has, and the name of the new step that replaces each, if any. */
  readonly removed: ReadonlyMap<string, string | undefined>;
}

/** Fields that do not influence the result of a step that has succeeded. */
const ignoredFields: readonly (keyof Step)[] = [
  'at',
  'description',
  'retry',
  'timeoutSec',
  'signalOnStop',
  'mailOnError',
  'workerSelector',
  'onPartition',
];

/** Settings of a workflow that influence all steps, and their names in messages. */
const commonFields = {
  dotenv: 'dotenv',
  secretFiles: 'secretFiles',
  shell: 'shell',
  workingDir: 'workingDir',
  registryAuths: 'registryAuths',
  maxOutputSize: 'maxOutputSize',
} as const satisfies Partial<Record<keyof Workflow, string>>;

/**
 * Compares the steps of a run with those of the current file. A step counts as changed when its own text or
 * dependencies differ, when it names a variable or parameter whose value differs, when a setting of the workflow that
 * all steps share differs, or when its sub-workflow differs. Variables that a program reads without being named in the
 * step are not noticed.
 * @param subWorkflows names of the steps whose sub-workflow differs
 */
export function compareSteps(
  before: WorkflowVersion,
  now: WorkflowVersion,
  subWorkflows: ReadonlySet<string>,
): StepChanges {
  const oldSteps = new Map(before.workflow.steps.map((step) => [step.name, step]));
  const newNames = new Set(now.workflow.steps.map(({ name }) => name));
  const values = findChangedValues(before, now);
  const setting = Object.entries(commonFields).find(
    ([field]) => !isEqual(before.workflow[field as keyof Workflow], now.workflow[field as keyof Workflow]),
  )?.[1];
  const changed = new Map<string, string>();
  for (const step of now.workflow.steps) {
    const old = oldSteps.get(step.name);
    const reason = old && (setting === undefined ? explainChange(old, step, values) : `${setting} changed`);
    if (reason !== undefined) changed.set(step.name, reason);
    else if (old !== undefined && subWorkflows.has(step.name)) changed.set(step.name, 'sub-workflow changed');
  }
  const removed = before.workflow.steps.filter(({ name }) => !newNames.has(name));
  const added = now.workflow.steps.filter(({ name }) => !oldSteps.has(name));
  return { changed, ...matchRenames(removed, added) };
}

function explainChange(old: Step, step: Step, values: ReadonlySet<string>): string | undefined {
  if (!isEqual(withoutDetails(old), withoutDetails(step))) return 'text changed';
  if (!isEqual(old.depends.toSorted(), step.depends.toSorted())) return 'dependencies changed';
  const text = toPlainText(withoutDetails(step));
  // A sub-workflow inherits all variables.
  const name = [...values].find((value) => step.action.kind === 'dag' || mentions(text, value));
  return name === undefined ? undefined : `value of ${name} changed`;
}

const withoutDetails = (step: Step): object =>
  Object.fromEntries(
    Object.entries(step).filter(
      ([field, value]) =>
        field !== 'depends' && value !== undefined && !(ignoredFields as readonly string[]).includes(field),
    ),
  );

/** All texts of a value. The escapes of JSON are removed: `\n` before a name would look like a part of it. */
const toPlainText = (value: object): string =>
  JSON.stringify(value).replaceAll(/\\(?:(["\\/])|u[0-9a-f]{4}|.)/g, (_escape, char?: string) => char ?? ' ');

/** The work of a step without its name. */
const identity = (step: Step): string =>
  JSON.stringify({ ...withoutDetails(step), name: undefined, id: undefined });

/** Pairs removed steps with added ones that do the same: first those with the same dependencies, then the others. */
function matchRenames(
  removed: readonly Step[],
  added: readonly Step[],
): Pick<StepChanges, 'added' | 'removed'> {
  const renames = new Map<string, string>();
  const origins = new Map<string, string>();
  const place = (step: Step): string => identity(step) + JSON.stringify(step.depends);
  for (const toKey of [place, identity]) {
    const open = Map.groupBy(
      added.filter(({ name }) => !origins.has(name)),
      toKey,
    );
    for (const step of removed.filter(({ name }) => !renames.has(name))) {
      const match = open.get(toKey(step))?.shift();
      if (match === undefined) continue;
      renames.set(step.name, match.name);
      origins.set(match.name, step.name);
    }
  }
  return {
    removed: new Map(removed.map(({ name }) => [name, renames.get(name)])),
    added: new Map(added.map(({ name }) => [name, origins.get(name)])),
  };
}

/** Returns the names of the variables, parameters and secrets whose values differ, directly or through others. */
function findChangedValues(before: WorkflowVersion, now: WorkflowVersion): Set<string> {
  const changed = new Set<string>();
  const compare = (old: ReadonlyMap<string, unknown>, current: ReadonlyMap<string, unknown>): void => {
    for (const name of new Set([...old.keys(), ...current.keys()]))
      if (!isEqual(old.get(name), current.get(name))) changed.add(name);
  };
  compare(byName(before.params), byName(now.params));
  compare(byName(before.workflow.env), byName(now.workflow.env));
  compare(byName(before.workflow.secrets ?? []), byName(now.workflow.secrets ?? []));
  for (const name of findReordered(before.workflow.env, now.workflow.env)) changed.add(name);
  // A set visits the entries that are added while it is iterated.
  for (const name of changed)
    for (const entry of now.workflow.env) if (mentions(entry.value, name)) changed.add(entry.name);
  return changed;
}

/** Returns the variables that refer to one that used to be defined after them, or no longer is defined before them. */
function findReordered(before: Workflow['env'], now: Workflow['env']): string[] {
  const oldPlaces = new Map(before.map(({ name }, index) => [name, index]));
  return now
    .filter(({ name, value }, index) =>
      now.some((other, place) => {
        const isMoved = oldPlaces.get(other.name)! < oldPlaces.get(name)! !== place < index;
        return other.name !== name && isMoved && mentions(value, other.name);
      }),
    )
    .map(({ name }) => name);
}

/** A name that is defined several times counts with all its values. */
const byName = <Entry extends { readonly name: string }>(entries: readonly Entry[]): Map<string, Entry[]> =>
  Map.groupBy(entries, ({ name }) => name);

/** Whether a text refers to a variable. A positional parameter is also part of `$@`, `$*` and `$#`. */
function mentions(text: string, name: string): boolean {
  if (/^\d+$/.test(name)) return new RegExp(`\\$\\{?(${name}\\b|[@*#])`).test(text);
  const escaped = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  return new RegExp(`(?<!\\w)${escaped}(?!\\w)`).test(text);
}

/**
 * Returns the steps to keep whose masked output a step that runs may read: the stored value lacks the secret.
 * @param masked names of the steps with a masked output
 */
export function findMaskedSources(
  steps: readonly Step[],
  rerunSteps: ReadonlySet<string>,
  masked: ReadonlySet<string>,
): string[] {
  if (masked.size === 0) return [];
  const upstream = findUpstream(steps, rerunSteps);
  return [...masked].filter((name) => upstream.has(name) && !rerunSteps.has(name));
}

/** Names of the removed steps whose results would be lost, and of the steps that replace them. */
export function listLostResults(
  { removed }: StepChanges,
  states: ReadonlyMap<string, Parameters<typeof isFulfilled>[0]>,
): { readonly name: string; readonly renamedTo?: string }[] {
  return [...removed].flatMap(([name, renamedTo]) => {
    const status = states.get(name);
    if (status === undefined || !isFulfilled(status) || status === 'skipped') return [];
    return [renamedTo === undefined ? { name } : { name, renamedTo }];
  });
}
