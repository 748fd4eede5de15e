import { findNearest } from '../../../base/text/nearest.ts';
import type { Workflow } from '../../../model/workflow/workflow.ts';
import type { StepDraft } from '../../normalize/step-draft.ts';
import { MAX_DEPENDENCIES } from '../../limits.ts';
import type { Report } from '../../source/report.ts';
import { fieldOf } from '../../source/source-node.ts';

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
    if (room < 0) report.error(draft.source, describeTooMany());
    return depends;
  });
}

function describeTooMany(): string {
  const limit = MAX_DEPENDENCIES.toLocaleString('en-US');
  return `The steps have more than ${limit} dependencies. Put a single step between large groups.`;
}

/** Finds a step by its name or id. */
interface Resolver {
  find(reference: string): string | undefined;
  suggest(reference: string): string | undefined;
}

function createResolver(drafts: readonly StepDraft[], names: readonly string[]): Resolver {
  const known = new Map<string, string>();
  drafts.forEach(({ authored }, index) => authored.id !== undefined && known.set(authored.id, names[index]!));
  for (const name of names) known.set(name, name);
  drafts.forEach((draft, index) => {
    const alias = daguNameOf(draft, index);
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
function daguNameOf({ name, authored: { type } }: StepDraft, index: number): string | undefined {
  const written = typeof type === 'object' ? type.type : type;
  return name !== '' || written === undefined || written === '' ? undefined : `${written}_${index + 1}`;
}

/** Returns undefined if `depends` is absent, and an empty list for `[]`. */
function readDepends(draft: StepDraft, { find, suggest }: Resolver, report: Report): string[] | undefined {
  const { depends } = draft.authored;
  if (depends === undefined) return undefined;
  const source = fieldOf(draft.source, 'depends');
  const found = [depends].flat().map((reference, index) => {
    const name = find(reference);
    if (name !== undefined) return name;
    const near = report.full ? undefined : suggest(reference);
    const hint = near === undefined ? 'Use the name of a step in this workflow.' : `Did you mean "${near}"?`;
    report.error(fieldOf(source, index), `Unknown step "${reference.slice(0, 80)}" in "depends". ${hint}`);
    return undefined;
  });
  return [...new Set(found.filter((name) => name !== undefined))];
}
