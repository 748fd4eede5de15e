import { isMap, stringify, type Node } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import { applyChanges } from '../../text-change.ts';
import { readFields, textOfNode, type Field } from '../../outline/fields.ts';
import { readEditable, type EditableText } from '../../yaml/editable-text.ts';
import { isBlockCollection } from '../../yaml/entries/entries.ts';
import { plainValue } from '../../yaml/values/plain-value.ts';
import { removeValue } from '../../yaml/values/remove-value.ts';
import { keyText, valueText } from '../names/name-text.ts';

/** A step on its way into a list or map of steps. */
export interface StepSource {
  /** Empty for a step without one; in a map of steps the key. */
  readonly name: string;
  /** Lines above it, flush left; empty for none. */
  readonly comments: string;
  /** YAML of the step, flush left: of a list item with its name in it, of an entry of a map without. */
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

/** Whether its YAML is written over lines by indentation. */
export const isBlock = (value: string): boolean =>
  isBlockCollection(readEditable(value).documents[0]?.contents);

/** As the item of a list. */
export function asItem(source: StepSource): StepSource {
  if (source.form === 'item' || source.name === '') return { ...source, form: 'item' };
  return { ...source, form: 'item', value: withName(source.value, source.name) };
}

/** A step with its name as the first field; a text becomes a command. */
export function withName(value: string, name: string): string {
  const { node } = read({ value, name, comments: '', form: 'item' });
  if (isMap(node) && isBlockCollection(node)) return `name: ${valueText(name)}\n${value}`;
  if (isMap(node)) {
    const first = `name: ${valueText(name, true)}${node.items.length > 0 ? ', ' : ''}`;
    return value.replace(/\{[ \t]*/, (brace) => brace + first);
  }
  return `name: ${valueText(name)}\ncommand: ${value.replaceAll('\n', '\n  ')}`;
}

/** As the entry of a map, whose key is the name. */
export function asEntry(source: StepSource): StepSource {
  if (source.form === 'entry') return source;
  const { editable, nameField } = read(source);
  const name = source.name === '' ? (textOfNode(nameField?.value) ?? '') : source.name;
  if (nameField === undefined) return { ...source, name, form: 'entry' };
  const removed = removeValue(editable, { document: 0, path: [nameField.key] });
  const value = removed.ok ? applyChanges(source.value, removed.changes) : source.value;
  return { ...source, name, form: 'entry', value: value.replace(/\n+$/, '') };
}

/** On one line, for a list or map in brackets; undefined when comments would be lost. */
export function asFlow(source: StepSource): string | undefined {
  const { editable, node } = read(source);
  if (source.comments !== '' || /(^|\s)#/m.test(withoutTexts(source.value))) return undefined;
  const plain = node === null ? null : plainValue(editable.documents[0]!, node);
  const value = flowText(plain);
  return source.form === 'entry' ? `${keyText(source.name)}: ${value}` : value;
}

/** Comments are looked for where no text in quotes can hold their sign. */
function withoutTexts(value: string): string {
  return value.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, '');
}

/** A value on one line. */
export function flowText(value: JsonValue): string {
  if (typeof value === 'string') return valueText(value, true);
  return stringify(value, {
    collectionStyle: 'flow',
    lineWidth: 0,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  }).trimEnd();
}
