import { dagNamePattern } from '../../base/ids.ts';
import type { StepAction } from '../../model/step.ts';
import { findNearest } from '../../base/text.ts';
import type { Workflow } from '../../model/workflow.ts';
import { type Report, findField, getField } from '../source.ts';
import type { StepDraft } from './step-draft.ts';
import { MAX_DEPENDENCIES } from '../limits.ts';
import { findCycle } from '../plan/graph.ts';

/** Ids that references such as `${env.X}` would confuse with something else. */
export const reservedIds: ReadonlySet<string> = new Set([
  'env',
  'params',
  'args',
  'stdout',
  'stderr',
  'output',
  'outputs',
]);

/** Whether a string can be the name of a step, which lists, logs and terminals display on one line. */
export const isSingleLine = (name: string): boolean => name.trim() !== '' && !/\p{Cc}/u.test(name);

const prefixes: Readonly<Record<Exclude<StepAction['kind'], 'executor'>, string>> = {
  command: 'cmd',
  argv: 'cmd',
  script: 'script',
  dag: 'dag',
};

/**
 * Returns the default name of a workflow: its file name without the extension, else `dag`.
 * @returns the name, or an error message if the file name is not a valid workflow name
 */
export function nameFromFile(file: string): { name: string } | { fault: string } {
  const base = file.split(/[/\\]/).at(-1) ?? '';
  const name = base.replace(/\.ya?ml$/i, '');
  if (name === '' || name === '-') return { name: 'dag' };
  if (new RegExp(dagNamePattern).test(name)) return { name };
  const fault =
    name.length > 40
      ? `has ${name.length} characters (the limit is 40)`
      : /^\.{1,2}$/.test(name)
        ? 'refers to a folder'
        : 'can only contain letters, digits, "_", "." and "-"';
  return {
    fault: `The workflow name comes from the file name, but "${name.slice(0, 60)}" ${fault}. Add "name:", or rename the file.`,
  };
}

/**
 * Names every step: as written, else by type and position, `cmd_1`, `script_2`, `parallel_3`, with the next free
 * number if the name is taken. Reports duplicate names and ids.
 */
export function nameSteps(drafts: readonly StepDraft[], report: Report): string[] {
  const usedNames = new Map<string, StepDraft>();
  for (const draft of drafts) if (draft.name !== '') takeName(draft, usedNames, report);
  checkIds(drafts, usedNames, report);
  return drafts.map((draft, index) => {
    if (draft.name !== '') return draft.name;
    const prefix = choosePrefix(draft);
    let number = index + 1;
    while (usedNames.has(`${prefix}_${number}`)) number += drafts.length;
    usedNames.set(`${prefix}_${number}`, draft);
    return `${prefix}_${number}`;
  });
}

/** The same as in Dagu, so that `depends` can refer to generated names. */
function choosePrefix({ authored, action }: StepDraft): string {
  if (authored.parallel !== undefined) return 'parallel';
  if (action === undefined) return 'step';
  return action.kind === 'executor' ? action.type : prefixes[action.kind];
}

function takeName(draft: StepDraft, usedNames: Map<string, StepDraft>, report: Report): void {
  const { name, source } = draft;
  const at = findField(source, 'name') ?? source;
  if (!isSingleLine(name))
    report.error(at, 'A step name must be a single line of text. Change it, or remove "name".');
  const first = usedNames.get(name);
  if (first === undefined) {
    usedNames.set(name, draft);
    return;
  }
  const { line } = report.lines.locate(getField(first.source, 'name').node.start);
  report.error(at, `Duplicate step name "${name.slice(0, 80)}" (first used in line ${line}). Rename one.`);
}

function checkIds(drafts: readonly StepDraft[], names: ReadonlyMap<string, StepDraft>, report: Report): void {
  const ids = new Map<string, StepDraft>();
  for (const draft of drafts) {
    const { id } = draft.authored;
    if (id === undefined) continue;
    const fault = findIdIssue(id, draft, names, ids, report);
    if (fault !== undefined) report.error(getField(draft.source, 'id'), fault);
    ids.set(id, draft);
  }
}

function findIdIssue(
  id: string,
  draft: StepDraft,
  names: ReadonlyMap<string, StepDraft>,
  ids: ReadonlyMap<string, StepDraft>,
  report: Report,
): string | undefined {
  if (reservedIds.has(id)) return `The id "${id}" is reserved. Choose another id.`;
  const named = names.get(id);
  if (named !== undefined && named !== draft)
    return `The id "${id}" is the name of another step. Choose another id.`;
  const first = ids.get(id);
  if (first === undefined) return undefined;
  const { line } = report.lines.locate(getField(first.source, 'id').node.start);
  return `Duplicate id "${id}" (first used in line ${line}). Change one.`;
}

/**
 * Maximum number of steps that are searched for a similar name, and of unknown names that are looked up; each search
 * takes milliseconds.
 */
const MAX_HINT_NAMES = 500;
const MAX_HINTS = 20;

/**
 * Resolves dependencies. In a graph, a step depends only on its `depends`. In a chain, it also depends on the previous
 * item, including all members of a group, unless `depends` is `[]`.
 * @param names names of `drafts`, in the same order
 * @returns the dependencies of each draft by name, without duplicates
 */
export function resolveDependencies(
  type: Workflow['type'],
  drafts: readonly StepDraft[],
  names: readonly string[],
  report: Report,
): string[][] {
  const resolve = createResolver(drafts, names);
  let room = MAX_DEPENDENCIES;
  let previous: string[] = [];
  let current: string[] = [];
  let item = -1;
  return drafts.map((draft, index) => {
    if (draft.item !== item) [previous, current, item] = [current, [], draft.item];
    current.push(names[index]!);
    const explicit = readDepends(draft, resolve, report);
    if (room < 0) return [];
    const isCut = type === 'graph' || explicit?.length === 0;
    const depends = isCut ? (explicit ?? []) : [...new Set([...(explicit ?? []), ...previous])];
    room -= depends.length;
    if (room < 0) report.error(draft.source, formatTooMany());
    return depends;
  });
}

function formatTooMany(): string {
  const limit = MAX_DEPENDENCIES.toLocaleString('en-US');
  return `The steps have more than ${limit} dependencies. Put a single step between large groups.`;
}

/** Finds a step by its name or ID. */
interface Resolver {
  find(reference: string): string | undefined;
  suggest(reference: string): string | undefined;
}

function createResolver(drafts: readonly StepDraft[], names: readonly string[]): Resolver {
  const known = new Map<string, string>();
  drafts.forEach(({ authored }, index) => authored.id !== undefined && known.set(authored.id, names[index]!));
  for (const name of names) known.set(name, name);
  drafts.forEach((draft, index) => {
    const alias = getDaguName(draft, index);
    if (alias !== undefined && !known.has(alias)) known.set(alias, names[index]!);
  });
  let hints = 0;
  return {
    find: (reference) => known.get(reference),
    suggest: (reference) => {
      hints += 1;
      return hints > MAX_HINTS ? undefined : findNearest(reference, [...known.keys().take(MAX_HINT_NAMES)]);
    },
  };
}

/** Returns the name that Dagu generates: it uses the type as written, `command_1` where the name is `cmd_1` here. */
function getDaguName({ name, authored: { type } }: StepDraft, index: number): string | undefined {
  const written = typeof type === 'object' ? type.type : type;
  return name !== '' || written === undefined || written === '' ? undefined : `${written}_${index + 1}`;
}

/** Returns undefined if `depends` is absent, and an empty list for `[]`. */
function readDepends(draft: StepDraft, { find, suggest }: Resolver, report: Report): string[] | undefined {
  const { depends } = draft.authored;
  if (depends === undefined) return undefined;
  const source = getField(draft.source, 'depends');
  const found = [depends].flat().map((reference, index) => {
    const name = find(reference);
    if (name !== undefined) return name;
    const near = report.full ? undefined : suggest(reference);
    const hint = near === undefined ? 'Use the name of a step in this workflow.' : `Did you mean "${near}"?`;
    report.error(getField(source, index), `Unknown step "${reference.slice(0, 80)}" in "depends". ${hint}`);
    return undefined;
  });
  return [...new Set(found.filter((name) => name !== undefined))];
}

/** Maximum number of names that a message lists for a cycle. */
const MAX_NAMES_SHOWN = 12;

/**
 * Reports dependency cycles.
 * @param names unique names of `drafts`, in the same order
 * @param depends dependencies of each draft
 */
export function rejectCycles(
  drafts: readonly StepDraft[],
  names: readonly string[],
  depends: readonly (readonly string[])[],
  report: Report,
): void {
  const cycle = findCycle(names.map((name, index) => ({ name, depends: depends[index]! })));
  if (cycle === undefined) return;
  const members = new Set(cycle);
  const involved = drafts.filter((_, index) => members.has(names[index]!));
  // At least one of these dependencies is explicit; a chain alone has no cycle.
  const author = involved.find((draft) => draft.authored.depends !== undefined) ?? involved[0]!;
  const source = findField(author.source, 'depends') ?? author.source;
  report.error(source, formatCycle(cycle));
}

function formatCycle(cycle: readonly string[]): string {
  if (cycle.length === 2) return `Step "${cycle[0]}" depends on itself. Remove it from its "depends".`;
  const shown =
    cycle.length <= MAX_NAMES_SHOWN ? cycle : [...cycle.slice(0, MAX_NAMES_SHOWN - 1), '…', cycle.at(-1)!];
  return `Dependency cycle: ${shown.join(' -> ')}. Remove one of these dependencies.`;
}
