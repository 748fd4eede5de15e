import { isScalar, isSeq, type Scalar, type YAMLSeq } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import type { NodePath } from '../../outline.ts';
import type { TextChange } from '../../text-change.ts';
import type { AuthoredDependency } from '../../outline/wiring.ts';
import { endOfEntry, entriesOf, isFlow } from '../../yaml/entries/entries.ts';
import { RawYaml } from '../../yaml/values/raw-yaml.ts';
import { removeValue } from '../../yaml/values/remove-value.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { valueText } from '../names/name-text.ts';
import { nodePathIn, type OpenWorkflow } from '../open-workflow.ts';
import { readEntryLines } from '../places/entry-lines.ts';
import { withLineEndsOf } from '../places/insert-steps.ts';
import { removeEntries } from '../places/remove-entries.ts';
import { replaceScalar } from '../references/rename-changes.ts';
import { sortChanges, noEdit } from '../sequence.ts';

/** A change of `depends` of a step. */
export interface DependsChange {
  /** Indexes of the steps to remove. */
  readonly drop?: ReadonlySet<number>;
  /** Entries to remove, whatever they refer to. */
  readonly dropWritten?: ReadonlySet<AuthoredDependency>;
  /** Names to append, or to replace a removed one. */
  readonly add?: readonly string[];
}

/** Which entries of `depends` stay and which are removed. */
interface Plan {
  readonly kept: readonly AuthoredDependency[];
  readonly dropped: readonly AuthoredDependency[];
  readonly added: readonly string[];
}

/**
 * Changes `depends` of one step, which must be a map, in the existing style. Removes the field if nothing is left: in
 * a chain as well, where `[]` would cut the step off from the previous one.
 */
export function changeDepends(workflow: OpenWorkflow, position: number, change: DependsChange): EditResult {
  const plan = planChange(workflow, position, change);
  if (plan.dropped.length === 0 && plan.added.length === 0) return noEdit;
  const { editable } = workflow;
  const draft = workflow.drafts[position]!;
  const field = draft.fields.get('depends');
  const address = nodePathIn(workflow, [...draft.path, field?.key ?? 'depends']);
  const isOwn = field !== undefined && !field.isMerged && field.written === field.value;
  if (plan.kept.length + plan.added.length === 0)
    return field?.isMerged === true ? setValue(editable, address, []) : removeValue(editable, address);
  if (isOwn && isSeq(field.value) && plan.kept.length > 0) return changeList(workflow, field.value, plan);
  if (isOwn && isScalar(field.value) && plan.dropped.length === 1 && plan.added.length === 1)
    return { ok: true, changes: [replaceScalar(editable.text, field.value, plan.added[0]!, false)] };
  return writeDepends(workflow, address, plan);
}

function planChange(
  { written, references, names }: OpenWorkflow,
  position: number,
  { drop = new Set(), dropWritten = new Set(), add = [] }: DependsChange,
): Plan {
  const list = written[position] ?? [];
  const isDropped = (entry: AuthoredDependency): boolean => {
    const target = references.get(entry.reference);
    return dropWritten.has(entry) || (target !== undefined && drop.has(target));
  };
  const kept = list.filter((entry) => !isDropped(entry));
  const known = new Set(kept.map(({ reference }) => names[references.get(reference) ?? -1] ?? reference));
  return {
    kept,
    dropped: list.filter(isDropped),
    added: [...new Set(add)].filter((name) => !known.has(name)),
  };
}

function changeList(workflow: OpenWorkflow, list: YAMLSeq, { dropped, added }: Plan): EditResult {
  const { text } = workflow.editable;
  const changes: TextChange[] = [];
  const rest = [...added];
  const [only] = dropped;
  const item = only?.index === undefined ? undefined : list.items[only.index];
  if (dropped.length === 1 && rest.length > 0 && item === only?.node) {
    changes.push(replaceScalar(text, item as Scalar, rest.shift()!, false));
  } else if (dropped.length > 0) {
    changes.push(...removeEntries(workflow, list, new Set(dropped.map(({ index }) => index!))));
  }
  if (rest.length > 0) changes.push(appendNames(text, list, dropped, rest));
  return { ok: true, changes: sortChanges(changes) };
}

/** Appends names after the last remaining entry, so that the two changes do not overlap. */
function appendNames(
  text: string,
  list: YAMLSeq,
  dropped: readonly AuthoredDependency[],
  names: readonly string[],
): TextChange {
  const removed = new Set(names.length === 0 ? [] : dropped.map(({ index }) => index));
  const entries = entriesOf(list);
  const last = entries.findLastIndex((_, index) => !removed.has(index));
  if (isFlow(list)) {
    const at = endOfEntry(text, entries[last]!);
    return { from: at, to: at, insert: names.map((name) => `, ${valueText(name, true)}`).join('') };
  }
  const lines = readEntryLines(text, list);
  const at = lines.at(last)!.to;
  const written = names.map((name) => `${' '.repeat(lines.column)}- ${valueText(name)}\n`).join('');
  const isOpen = text[at - 1] !== '\n';
  return { from: at, to: at, insert: withLineEndsOf(text, isOpen ? `\n${written.trimEnd()}` : written) };
}

/** Writes one name as a string, several as a list in the style of the other steps. */
function writeDepends(workflow: OpenWorkflow, address: NodePath, { kept, added }: Plan): EditResult {
  const texts = [...kept.map(({ reference }) => reference), ...added];
  const [only] = texts;
  if (texts.length === 1) return setValue(workflow.editable, address, new RawYaml(valueText(only!)));
  return setValue(workflow.editable, address, new RawYaml(namesYaml(workflow, texts)));
}

/** Returns a list of names as YAML. */
export function namesYaml(workflow: OpenWorkflow, names: readonly string[]): string {
  return prefersBlockStyle(workflow)
    ? names.map((name) => `- ${valueText(name)}`).join('\n')
    : `[${names.map((name) => valueText(name, true)).join(', ')}]`;
}

/** Whether all lists of names in this workflow are in block style. */
function prefersBlockStyle({ drafts }: OpenWorkflow): boolean {
  const lists = drafts.map(({ fields }) => fields.get('depends')?.value).filter((value) => isSeq(value));
  const filled = lists.filter((list) => list.items.length > 0);
  return filled.length > 0 && filled.every((list) => !isFlow(list));
}
