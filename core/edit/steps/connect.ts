import { isScalar, isSeq, type Scalar, type YAMLSeq } from 'yaml';
import { type EditResult, type NodeRef, type TextChange, reject } from '../text-change.ts';
import { getNodeText, type AuthoredDependency } from '../step-fields.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import type { NodePath } from '../outline.ts';
import { getEntryEnd, getEntries, isFlow } from '../yaml/entries.ts';
import { RawYaml } from '../yaml/read-value.ts';
import { removeValue } from '../yaml/remove-value.ts';
import { setValue } from '../yaml/set-value.ts';
import { expandText, materializeNames } from './expand-text.ts';
import {
  findStepIndex,
  openWorkflow,
  getStepGraph,
  type OpenWorkflow,
  nodePathIn,
  composeEdits,
  noEdit,
  sortChanges,
} from './open-workflow.ts';
import { valueText } from './names.ts';
import { readEntryLines, removeEntries } from './entry-lines.ts';
import { matchLineEndings } from './insert-steps.ts';
import { replaceScalar } from './references.ts';
import { checkConnection, formatMissingStep, rejectInChain } from './check-connection.ts';

/**
 * Adds a dependency between two steps of a graph. Writes the name of an unnamed source.
 * @param document document index; default: that of the referenced steps
 */
export function connect(
  editable: EditableText,
  source: NodeRef,
  target: NodeRef,
  document = source.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const error = checkConnection(getStepGraph(workflow), source, target);
  if (error !== undefined) return error;
  const [from, to] = [findStepIndex(workflow, source)!, findStepIndex(workflow, target)!];
  return composeEdits(editable, document, [
    (current) => materializeNames(current, [from]),
    (current) => expandToMap(current, to),
    (current) => changeDepends(current, to, { add: [current.names[from]!] }),
  ]);
}

/**
 * Removes a dependency between two steps. In a chain, only written dependencies can be removed.
 * @param document document index; default: that of the referenced steps
 */
export function disconnect(
  editable: EditableText,
  source: NodeRef,
  target: NodeRef,
  document = source.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const [from, to] = [findStepIndex(workflow, source), findStepIndex(workflow, target)];
  if (from === undefined) return reject(formatMissingStep(source));
  if (to === undefined) return reject(formatMissingStep(target));
  const isWritten = (workflow.written[to] ?? []).some(
    ({ reference }) => workflow.references.get(reference) === from,
  );
  if (!workflow.waitsFor[to]!.includes(from))
    return reject(`"${target.name}" does not depend on "${source.name}".`);
  if (!isWritten || staysImplied(workflow, from, to)) return rejectInChain();
  return changeDepends(workflow, to, { drop: new Set([from]) });
}

/** Whether the dependency remains because a chain implies it for the previous item. */
function staysImplied({ type, drafts }: OpenWorkflow, from: number, to: number): boolean {
  return type === 'chain' && drafts[from]!.item === drafts[to]!.item - 1;
}

/** Converts a step that is a string to a map, so that it can have fields. */
export function expandToMap(workflow: OpenWorkflow, position: number): EditResult {
  const draft = workflow.drafts[position]!;
  const isText = draft.fields.size === 0 && (getNodeText(draft.node) !== undefined || draft.node === null);
  return isText || draft.written !== draft.node ? expandText(workflow, draft) : noEdit;
}

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
  readonly remaining: readonly AuthoredDependency[];
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
  const isLocal = field !== undefined && !field.isMerged && field.written === field.value;
  if (plan.remaining.length + plan.added.length === 0)
    return field?.isMerged === true ? setValue(editable, address, []) : removeValue(editable, address);
  if (isLocal && isSeq(field.value) && plan.remaining.length > 0)
    return changeList(workflow, field.value, plan);
  if (isLocal && isScalar(field.value) && plan.dropped.length === 1 && plan.added.length === 1)
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
  const remaining = list.filter((entry) => !isDropped(entry));
  const known = new Set(
    remaining.map(({ reference }) => names[references.get(reference) ?? -1] ?? reference),
  );
  return {
    remaining,
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
  const entries = getEntries(list);
  const last = entries.findLastIndex((_, index) => !removed.has(index));
  if (isFlow(list)) {
    const at = getEntryEnd(text, entries[last]!);
    return { from: at, to: at, insert: names.map((name) => `, ${valueText(name, true)}`).join('') };
  }
  const lines = readEntryLines(text, list);
  const at = lines.at(last)!.to;
  const written = names.map((name) => `${' '.repeat(lines.column)}- ${valueText(name)}\n`).join('');
  const isOpen = text[at - 1] !== '\n';
  return { from: at, to: at, insert: matchLineEndings(text, isOpen ? `\n${written.trimEnd()}` : written) };
}

/** Writes one name as a string, several as a list in the style of the other steps. */
function writeDepends(workflow: OpenWorkflow, address: NodePath, { remaining, added }: Plan): EditResult {
  const texts = [...remaining.map(({ reference }) => reference), ...added];
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
