import { isMap, stringify, type Node } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import { applyChanges } from '../../text-change.ts';
import { readFields, textOfNode, type Field } from '../../outline/fields.ts';
import { readEditable, type EditableText } from '../../yaml/editable-text.ts';
import { isBlockCollection } from '../../yaml/entries/entries.ts';
import { plainValue } from '../../yaml/values/plain-value.ts';
import { removeValue } from '../../yaml/values/remove-value.ts';
import { keyText, valueText } from '../names/name-text.ts';

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
  const name = source.name === '' ? (textOfNode(nameField?.value) ?? '') : source.name;
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
