import { isMap, stringify, type Node, isSeq } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import { applyChanges } from '../text-change.ts';
import { readFields, getNodeText, type Field, getKeyText } from '../step-fields.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { isBlockCollection, getEntries, getEntryEnd, isFlow, type Collection } from '../yaml/entries.ts';
import { plainValue } from '../yaml/read-value.ts';
import { removeValue } from '../yaml/remove-value.ts';
import { keyText, valueText } from './names.ts';
import type { OpenWorkflow } from './open-workflow.ts';
import { getColumn, readEntryLines, findLineStart, type EntryRange } from './entry-lines.ts';

/** The source of a step to be inserted into a list or map of steps. */
export interface StepSource {
  /** Empty for a step without a name; in a map of steps, the key. */
  readonly name: string;
  /** Comment lines above it, without indentation; may be empty. */
  readonly comments: string;
  /** YAML of the step without indentation: for a list item with its name, for a map entry without. */
  readonly value: string;
  readonly form: 'item' | 'entry';
}

interface ReadStep {
  readonly editable: EditableText;
  readonly node: Node | null;
  readonly nameField: Field | undefined;
}

function read({ value }: StepSource): ReadStep {
  const editable = readEditable(value);
  const document = editable.documents[0];
  const node: Node | null = document?.contents ?? null;
  const nameField = isMap(node) ? readFields(node, 'step', document!).get('name') : undefined;
  return { editable, node, nameField };
}

/** Whether YAML is in block style. */
export const isBlock = (value: string): boolean =>
  isBlockCollection(readEditable(value).documents[0]?.contents);

/** Converts a step to a list item. */
export function asItem(source: StepSource): StepSource {
  if (source.form === 'item' || source.name === '') return { ...source, form: 'item' };
  return { ...source, form: 'item', value: withName(source.value, source.name) };
}

/** Adds the name as the first field; a string becomes a command. */
export function withName(value: string, name: string): string {
  const { node } = read({ value, name, comments: '', form: 'item' });
  if (isMap(node) && isBlockCollection(node)) return `name: ${valueText(name)}\n${value}`;
  if (isMap(node)) {
    const first = `name: ${valueText(name, true)}${node.items.length > 0 ? ', ' : ''}`;
    return value.replace(/\{[ \t]*/, (brace) => brace + first);
  }
  return `name: ${valueText(name)}\ncommand: ${value.replaceAll('\n', '\n  ')}`;
}

/** Converts a step to a map entry whose key is the name. */
export function asEntry(source: StepSource): StepSource {
  if (source.form === 'entry') return source;
  const { editable, nameField } = read(source);
  const name = source.name === '' ? (getNodeText(nameField?.value) ?? '') : source.name;
  if (nameField === undefined) return { ...source, name, form: 'entry' };
  const removed = removeValue(editable, { document: 0, path: [nameField.key] });
  const value = removed.ok ? applyChanges(source.value, removed.changes) : source.value;
  return { ...source, name, form: 'entry', value: value.replace(/\n+$/, '') };
}

/** Returns a step on one line, for a list or map in flow style; undefined if comments would be lost. */
export function asFlow(source: StepSource): string | undefined {
  const { editable, node } = read(source);
  if (source.comments !== '' || /(^|\s)#/m.test(withoutStrings(source.value))) return undefined;
  const plain = node === null ? null : plainValue(editable.documents[0]!, node);
  const value = flowText(plain);
  return source.form === 'entry' ? `${keyText(source.name)}: ${value}` : value;
}

/** Removes strings, so that a `#` in them is not taken for a comment. */
function withoutStrings(value: string): string {
  return value.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, '');
}

/** Returns a value on one line. */
export function flowText(value: JsonValue): string {
  if (typeof value === 'string') return valueText(value, true);
  return stringify(value, {
    collectionStyle: 'flow',
    lineWidth: 0,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  }).trimEnd();
}

/** The list or map that contains a step, and its index there. */
export interface StepEntry {
  readonly collection: Collection;
  readonly position: number;
}

/** Returns undefined for a step that an anchor supplies. */
export function getEntry({ container, fields, drafts }: OpenWorkflow, step: number): StepEntry | undefined {
  const { item, isGrouped, path } = drafts[step]!;
  if ((!isMap(container) && !isSeq(container)) || fields.get('steps')?.written !== container)
    return undefined;
  if (!isGrouped) return { collection: container, position: item };
  const group = container.items[item];
  return isSeq(group) ? { collection: group as Collection, position: Number(path.at(-1)) } : undefined;
}

/** Returns the source of an entry of a list or map of steps without indentation, with its comments. */
export function getEntrySource(text: string, { collection, position }: StepEntry): StepSource {
  const entry = getEntries(collection)[position]!;
  const name = entry.key === undefined ? '' : getKeyText(entry.key);
  const form = entry.key === undefined ? 'item' : 'entry';
  if (isFlow(collection)) {
    const from = entry.key === undefined ? entry.from : entry.mark;
    return { name, form, comments: '', value: text.slice(from, getEntryEnd(text, entry)).trim() };
  }
  const range = readEntryLines(text, collection).at(position)!;
  return { name, form, comments: getComments(text, range), value: getValue(text, range) };
}

function getComments(text: string, { from, entry, isInline }: EntryRange): string {
  if (isInline) return '';
  const lines = text.slice(from, findLineStart(text, entry.from)).replaceAll('\r', '');
  return lines.replaceAll(/^[ \t]+/gm, '');
}

/** Returns the text after `-` or the key, with the indentation of its first line removed from the others. */
function getValue(text: string, { entry, to }: EntryRange): string {
  const rest = text.slice(entry.mark, to).replaceAll('\r', '');
  const start = entry.mark + Math.max(text.slice(entry.mark, to).search(/\S/), 0);
  const onNextLine = text.slice(entry.mark, start).includes('\n');
  const value = rest.trimStart();
  // An anchor or tag may be on the line before its map.
  const isBlockValue = isBlockCollection(entry.value);
  const first = isBlockValue && !onNextLine ? entry.value.range![0] : start;
  const column = isBlockValue ? getColumn(text, first) : minIndent(value);
  return value
    .replaceAll(new RegExp(`\\n {1,${Math.max(column, 1)}}`, 'g'), column === 0 ? '$&' : '\n')
    .replace(/\n$/, '');
}

/** Returns the smallest indentation of the lines after the first. */
function minIndent(value: string): number {
  const [, ...lines] = value.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length === 0 ? 0 : Math.min(...filled.map((line) => line.search(/\S/)));
}
