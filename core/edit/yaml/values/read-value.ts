import { isAlias, type Node } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import type { NodePath, TextRange } from '../../outline.ts';
import type { EditableText } from '../editable-text.ts';
import { endOfNode, endsWithKeptBlanks, isBlockCollection, type Entry } from '../entries/entries.ts';
import { columnOf } from '../lines.ts';
import { plainValue } from './plain-value.ts';
import { walk } from '../walk.ts';

/** The value at an address. */
export interface ReadValue {
  /** Value as the engine reads it, with aliases and merge keys resolved. */
  readonly value: JsonValue;
  /** Its position. For a value from an alias or `<<`, that of the alias; for an empty value, where it would be. */
  readonly range: TextRange;
  /** Its source for {@link RawYaml}: with its comments, without its own anchor and indentation. */
  readonly source: string;
}

/** @returns undefined if there is no value at the address or the text is not valid YAML */
export function readValue(editable: EditableText, address: NodePath): ReadValue | undefined {
  const way = walk(editable, address);
  if ('reason' in way || way.end === 'missing' || way.end === 'no-container') return undefined;
  const { document, node } = way;
  const last = way.entries.at(-1);
  const written = way.merge ?? node;
  const value = descend(plainValue(document, node), way.rest);
  if (value === undefined) return undefined;
  if (written === null) {
    const at = last?.open ?? document.range[1];
    return { value, range: { from: at, to: at }, source: '' };
  }
  const from =
    way.rest.length > 0 || isAlias(written) ? written.range![0] : (last?.tag?.from ?? written.range![0]);
  const range = { from, to: endOfNode(editable.text, written) };
  return { value, range, source: sourceOf(editable.text, range, written, last) };
}

function descend(value: JsonValue, path: NodePath['path']): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const part of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined;
    at = (at as { [key: string]: JsonValue })[part];
  }
  return at;
}

/** Returns the text of a range, with the indentation of its first line, or of its key, removed from the others. */
function sourceOf(text: string, { from, to }: TextRange, node: Node, entry: Entry | undefined): string {
  const column = columnOf(text, isBlockCollection(node) || entry === undefined ? from : entry.from);
  // The last line break is part of a block scalar that keeps it.
  const last = endsWithKeptBlanks(node) ? '\n' : '';
  const [first, ...rest] = (text.slice(from, to) + last).split('\n');
  return [first!, ...rest.map((line) => line.replace(new RegExp(`^ {0,${column}}`), ''))].join('\n');
}
