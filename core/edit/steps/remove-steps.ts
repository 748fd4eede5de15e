import { isAlias, isMap, isSeq, type YAMLSeq } from 'yaml';
import type { EditResult, NodeRef } from '../edit-result.ts';
import type { TextChange } from '../text-change.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { setValue } from '../yaml/values/set-value.ts';
import { removeHandler } from './set-handler.ts';
import { findReferred, writeNames } from './names/pin-names.ts';
import {
  addressIn,
  describeMissing,
  indexOfStep,
  openWorkflow,
  refuse,
  type OpenWorkflow,
} from './open-workflow.ts';
import { removeEntries } from './places/remove-entries.ts';
import { editInTurn, inOrder, together } from './sequence.ts';
import { changeDepends } from './wiring/change-depends.ts';
import { expandForFields } from './wiring/connect.ts';

export interface RemoveOptions {
  /** Steps that waited for a removed one wait for what that one waited for; else for one step less. */
  readonly reconnect?: boolean;
  /** Index of the document; that of the steps when absent. */
  readonly document?: number;
}

/**
 * Removes steps and handlers. `depends` no longer names them; other references to them stay and become diagnostics. A
 * chain closes behind a removed step, but a step that was cut off from those before it by a removed one stays cut off.
 */
export function removeSteps(
  editable: EditableText,
  refs: readonly NodeRef[],
  { reconnect = false, document = refs[0]?.document }: RemoveOptions = {},
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const steps = refs.filter(({ section }) => section === 'step');
  const missing = steps.find((ref) => indexOfStep(workflow, ref) === undefined);
  if (missing !== undefined) return refuse(describeMissing(missing));
  const removed = new Set(steps.map((ref) => indexOfStep(workflow, ref)!));
  const handlers = refs.filter(({ section }) => section === 'handler');
  const rewiring = removed.size === 0 ? [] : planRewiring(workflow, removed, reconnect);
  const pinned = [
    ...[...findReferred(workflow)].filter((place) => place > Math.min(...removed) && !removed.has(place)),
    ...rewiring.flatMap(({ add }) => add),
  ];
  return editInTurn(editable, document, [
    (current) => writeNames(current, pinned),
    (current) =>
      together(...rewiring.filter(({ isCut }) => isCut).map(({ place }) => expandForFields(current, place))),
    (current) => together(...rewiring.map((each) => rewire(current, each, removed))),
    (current) => selectNothing(dropEntries(current, removed)),
    ...handlers.map(
      ({ name }) =>
        (current: OpenWorkflow) =>
          removeHandler(current.editable, name, document),
    ),
  ]);
}

const selectNothing = (result: EditResult): EditResult => (result.ok ? { ...result, select: [] } : result);

/** What becomes of a step that stays. */
interface Rewiring {
  readonly place: number;
  /** Steps that it now waits for, by place. */
  readonly add: readonly number[];
  /** It waits for nothing, although a chain would have it wait. */
  readonly isCut: boolean;
}

function planRewiring(workflow: OpenWorkflow, removed: ReadonlySet<number>, reconnect: boolean): Rewiring[] {
  const { waitsFor, type } = workflow;
  return waitsFor.flatMap((depends, place): Rewiring[] => {
    if (removed.has(place) || !depends.some((each) => removed.has(each))) return [];
    const before = expandRemoved(workflow, place, removed);
    const isCut = type === 'chain' && before.size === 0 && hasItemBefore(workflow, place, removed);
    const implied = impliedAfter(workflow, place, removed);
    const add =
      reconnect && !isCut ? [...before].filter((each) => !depends.includes(each) && !implied.has(each)) : [];
    return [{ place, add, isCut }];
  });
}

/** What a step waits for when each removed step gives way to those it waited for itself. */
function expandRemoved({ waitsFor }: OpenWorkflow, place: number, removed: ReadonlySet<number>): Set<number> {
  const found = new Set<number>();
  const seen = new Set<number>();
  const open = [...waitsFor[place]!].reverse();
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (removed.has(each)) open.push(...[...waitsFor[each]!].reverse());
    else found.add(each);
  }
  return found;
}

const hasItemBefore = ({ drafts }: OpenWorkflow, place: number, removed: ReadonlySet<number>): boolean =>
  drafts.some(({ item }, index) => item < drafts[place]!.item && !removed.has(index));

/** Steps of the item before, once the removed ones are gone, which a chain waits for by itself. */
function impliedAfter(
  { drafts, type }: OpenWorkflow,
  place: number,
  removed: ReadonlySet<number>,
): ReadonlySet<number> {
  if (type === 'graph') return new Set();
  const before = drafts.flatMap(({ item }, index) =>
    item < drafts[place]!.item && !removed.has(index) ? [{ item, index }] : [],
  );
  const last = before.at(-1)?.item;
  return new Set(before.filter(({ item }) => item === last).map(({ index }) => index));
}

function rewire(
  workflow: OpenWorkflow,
  { place, add, isCut }: Rewiring,
  removed: ReadonlySet<number>,
): EditResult {
  const draft = workflow.drafts[place]!;
  if (!isCut)
    return changeDepends(workflow, place, { drop: removed, add: add.map((each) => workflow.names[each]!) });
  const key = draft.fields.get('depends')?.key ?? 'depends';
  return setValue(workflow.editable, addressIn(workflow, [...draft.path, key]), []);
}

/** Takes the entries of steps out of the list or map, and groups that have none left. */
export function dropEntries(workflow: OpenWorkflow, removed: ReadonlySet<number>): EditResult {
  const { container, drafts, fields, editable } = workflow;
  const field = fields.get('steps');
  if (removed.size === 0) return { ok: true, changes: [] };
  if ((!isMap(container) && !isSeq(container)) || field?.written !== container)
    return refuse(
      'These steps come from a YAML anchor. Replace the alias with its steps in the source first.',
    );
  const items = new Map<number, Set<number>>();
  for (const place of removed) {
    const { item, path } = drafts[place]!;
    items.set(item, (items.get(item) ?? new Set()).add(Number(path.at(-1))));
  }
  const isWhole = (item: number): boolean => {
    const members = container.items[item];
    return !isSeq(members) || items.get(item)!.size === members.items.length;
  };
  const whole = new Set([...items.keys()].filter(isWhole));
  const partly = [...items].filter(([item]) => !whole.has(item));
  if (partly.some(([item]) => isAlias(container.items[item])))
    return refuse(
      'This group comes from a YAML anchor. Replace the alias with its content in the source first.',
    );
  if (whole.size === container.items.length) return setValue(editable, addressIn(workflow, [field.key]), []);
  const changes: TextChange[] = [...removeEntries(workflow, container, whole)];
  for (const [item, members] of partly)
    changes.push(...removeEntries(workflow, container.items[item] as YAMLSeq, members));
  return { ok: true, changes: inOrder(changes) };
}
