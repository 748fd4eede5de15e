import { isAlias, isMap, isSeq, type YAMLSeq } from 'yaml';
import { type EditResult, type NodeRef, type TextChange, reject } from '../text-change.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { setValue } from '../yaml/set-value.ts';
import { removeHandler } from './set-step-field.ts';
import { findReferencedUnnamed, materializeNames } from './expand-text.ts';
import {
  nodePathIn,
  findStepIndex,
  openWorkflow,
  type OpenWorkflow,
  composeEdits,
  sortChanges,
  mergeEdits,
} from './open-workflow.ts';
import { removeEntries } from './entry-lines.ts';
import { changeDepends, expandToMap } from './connect.ts';
import { formatMissingStep } from './check-connection.ts';

export interface RemoveOptions {
  /** Steps that depend on a removed step get its dependencies instead; otherwise they lose this dependency. */
  readonly reconnect?: boolean;
  /** Document index; default: that of the steps. */
  readonly document?: number;
}

/**
 * Removes steps and handlers and removes them from `depends`; other references to them stay and cause diagnostics. A
 * chain closes the gap of a removed step, but a step whose dependencies a removed step had cut stays cut.
 */
export function removeSteps(
  editable: EditableText,
  refs: readonly NodeRef[],
  { reconnect = false, document = refs[0]?.document }: RemoveOptions = {},
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const steps = refs.filter(({ section }) => section === 'step');
  const missing = steps.find((ref) => findStepIndex(workflow, ref) === undefined);
  if (missing !== undefined) return reject(formatMissingStep(missing));
  const removed = new Set(steps.map((ref) => findStepIndex(workflow, ref)!));
  const handlers = refs.filter(({ section }) => section === 'handler');
  const rewiring = removed.size === 0 ? [] : planRewiring(workflow, removed, reconnect);
  const pinned = [
    ...[...findReferencedUnnamed(workflow)].filter(
      (position) => position > Math.min(...removed) && !removed.has(position),
    ),
    ...rewiring.flatMap(({ add }) => add),
  ];
  return composeEdits(editable, document, [
    (current) => materializeNames(current, pinned),
    (current) =>
      mergeEdits(
        ...rewiring.filter(({ isCut }) => isCut).map(({ position }) => expandToMap(current, position)),
      ),
    (current) => mergeEdits(...rewiring.map((each) => rewire(current, each, removed))),
    (current) => withoutSelection(dropEntries(current, removed)),
    ...handlers.map(
      ({ name }) =>
        (current: OpenWorkflow) =>
          removeHandler(current.editable, name, document),
    ),
  ]);
}

const withoutSelection = (result: EditResult): EditResult => (result.ok ? { ...result, select: [] } : result);

/** How a remaining step is rewired. */
interface Rewiring {
  readonly position: number;
  /** Indexes of its new dependencies. */
  readonly add: readonly number[];
  /** The step has no dependencies, although a chain would imply some. */
  readonly isCut: boolean;
}

function planRewiring(workflow: OpenWorkflow, removed: ReadonlySet<number>, reconnect: boolean): Rewiring[] {
  const { waitsFor, type } = workflow;
  return waitsFor.flatMap((depends, position): Rewiring[] => {
    if (removed.has(position) || !depends.some((each) => removed.has(each))) return [];
    const before = dependenciesAfterRemoval(workflow, position, removed);
    const isCut = type === 'chain' && before.size === 0 && hasItemBefore(workflow, position, removed);
    const implied = impliedAfterRemoval(workflow, position, removed);
    const add =
      reconnect && !isCut ? [...before].filter((each) => !depends.includes(each) && !implied.has(each)) : [];
    return [{ position, add, isCut }];
  });
}

/** Returns the dependencies of a step with each removed step replaced by its own dependencies. */
function dependenciesAfterRemoval(
  { waitsFor }: OpenWorkflow,
  position: number,
  removed: ReadonlySet<number>,
): Set<number> {
  const found = new Set<number>();
  const seen = new Set<number>();
  const open = [...waitsFor[position]!].reverse();
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (removed.has(each)) open.push(...[...waitsFor[each]!].reverse());
    else found.add(each);
  }
  return found;
}

const hasItemBefore = ({ drafts }: OpenWorkflow, position: number, removed: ReadonlySet<number>): boolean =>
  drafts.some(({ item }, index) => item < drafts[position]!.item && !removed.has(index));

/** Returns the dependencies that a chain implies after the removal: the steps of the previous item. */
function impliedAfterRemoval(
  { drafts, type }: OpenWorkflow,
  position: number,
  removed: ReadonlySet<number>,
): ReadonlySet<number> {
  if (type === 'graph') return new Set();
  const before = drafts.flatMap(({ item }, index) =>
    item < drafts[position]!.item && !removed.has(index) ? [{ item, index }] : [],
  );
  const last = before.at(-1)?.item;
  return new Set(before.filter(({ item }) => item === last).map(({ index }) => index));
}

function rewire(
  workflow: OpenWorkflow,
  { position, add, isCut }: Rewiring,
  removed: ReadonlySet<number>,
): EditResult {
  const draft = workflow.drafts[position]!;
  if (!isCut)
    return changeDepends(workflow, position, {
      drop: removed,
      add: add.map((each) => workflow.names[each]!),
    });
  const key = draft.fields.get('depends')?.key ?? 'depends';
  return setValue(workflow.editable, nodePathIn(workflow, [...draft.path, key]), []);
}

/** Removes the entries of steps from the list or map, and groups that become empty. */
export function dropEntries(workflow: OpenWorkflow, removed: ReadonlySet<number>): EditResult {
  const { container, drafts, fields, editable } = workflow;
  const field = fields.get('steps');
  if (removed.size === 0) return { ok: true, changes: [] };
  if ((!isMap(container) && !isSeq(container)) || field?.written !== container)
    return reject(
      'These steps come from a YAML anchor. Replace the alias with its steps in the source first.',
    );
  const items = new Map<number, Set<number>>();
  for (const position of removed) {
    const { item, path } = drafts[position]!;
    items.set(item, (items.get(item) ?? new Set()).add(Number(path.at(-1))));
  }
  const isWholeGroup = (item: number): boolean => {
    const members = container.items[item];
    return !isSeq(members) || items.get(item)!.size === members.items.length;
  };
  const whole = new Set([...items.keys()].filter(isWholeGroup));
  const partly = [...items].filter(([item]) => !whole.has(item));
  if (partly.some(([item]) => isAlias(container.items[item])))
    return reject(
      'This group comes from a YAML anchor. Replace the alias with its content in the source first.',
    );
  if (whole.size === container.items.length) return setValue(editable, nodePathIn(workflow, [field.key]), []);
  const changes: TextChange[] = [...removeEntries(workflow, container, whole)];
  for (const [item, members] of partly)
    changes.push(...removeEntries(workflow, container.items[item] as YAMLSeq, members));
  return { ok: true, changes: sortChanges(changes) };
}
