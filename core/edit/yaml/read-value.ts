import { isAlias, type Node, isMap, isScalar, isSeq, type Document, type YAMLMap } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import type { NodePath, TextRange, AuthoredPath } from '../outline.ts';
import type { EditableText } from './editable-text.ts';
import { getNodeEnd, endsWithKeepChomping, isBlockCollection, type Entry } from './entries.ts';
import { getColumn } from './text-edits.ts';
import { walk, getAnchors, isMergeKey } from './walk.ts';

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
  const range = { from, to: getNodeEnd(editable.text, written) };
  return { value, range, source: getSource(editable.text, range, written, last) };
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
function getSource(text: string, { from, to }: TextRange, node: Node, entry: Entry | undefined): string {
  const column = getColumn(text, isBlockCollection(node) || entry === undefined ? from : entry.from);
  // The last line break is part of a block scalar that keeps it.
  const last = endsWithKeepChomping(node) ? '\n' : '';
  const [first, ...rest] = (text.slice(from, to) + last).split('\n');
  return [first!, ...rest.map((line) => line.replace(new RegExp(`^ {0,${column}}`), ''))].join('\n');
}

/** Values of anchors, shared by all aliases; without a value while it is being read. */
type AnchorValues = Map<unknown, { value?: JsonValue }>;

/**
 * Returns the value of a node as the engine reads it: aliases resolved, merged keys before own keys. Repeated values
 * are the same object, so that aliases cannot exhaust the memory; treat it as read-only.
 */
export function plainValue(
  document: Document.Parsed,
  node: unknown,
  seen: AnchorValues = new Map(),
): JsonValue {
  if (isAlias(node)) {
    const target = getAnchors(document).getTarget(node)?.node;
    if (target === undefined) return null;
    const known = seen.get(target);
    if (known !== undefined) return known.value ?? null;
    const entry: { value?: JsonValue } = {};
    seen.set(target, entry);
    return (entry.value = plainValue(document, target, seen));
  }
  if (isMap(node)) return plainMap(document, node, seen);
  if (isSeq(node)) return node.items.map((item) => plainValue(document, item, seen));
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : (source ?? '');
}

function plainMap(document: Document.Parsed, map: YAMLMap, seen: AnchorValues): JsonValue {
  const explicitValues = new Map<string, JsonValue>();
  const merged = new Map<string, JsonValue>();
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue;
    const plain = plainValue(document, value, seen);
    if (isMergeKey(key)) mergeInto(merged, plain);
    else if (!explicitValues.has(String(key.value))) explicitValues.set(String(key.value), plain);
  }
  const inherited = [...merged].filter(([key]) => !explicitValues.has(key));
  return createObject([...inherited, ...explicitValues]);
}

function mergeInto(merged: Map<string, JsonValue>, source: JsonValue): void {
  for (const map of Array.isArray(source) ? source : [source]) {
    if (map === null || typeof map !== 'object' || Array.isArray(map)) continue;
    for (const [key, value] of Object.entries(map)) if (!merged.has(key)) merged.set(key, value);
  }
}

/** Creates an object in which every key is an own property, including `__proto__`. */
export function createObject<Value>(entries: Iterable<readonly [string, Value]>): { [key: string]: Value } {
  const object: { [key: string]: Value } = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/**
 * YAML source to insert as a value with its comments and quotes, for example a step from the clipboard. Its
 * indentation is removed and replaced by that of its destination. This is a class, because a map `{ yaml: … }` is a
 * valid value.
 */
export class RawYaml {
  readonly yaml: string;

  constructor(yaml: string) {
    this.yaml = yaml;
  }
}

/** A value to write: plain data in which any part may be YAML source. */
export type Content = null | boolean | number | string | RawYaml | readonly Content[] | ContentMap;

/** A map to write, in this order. */
export interface ContentMap {
  readonly [key: string]: Content;
}

/** An edit of plain data; returns undefined if the value does not support it. */
export type PlainEdit = (value: Content) => Content | undefined;

/** Applies an edit at the end of a path, on copies of the containing values. Creates missing lists and maps. */
export function editAtPath(value: Content, path: AuthoredPath, edit: PlainEdit): Content | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return edit(value);
  if (value === null) {
    const inner = editAtPath(null, rest, edit);
    if (inner === undefined || (typeof part === 'number' && part !== 0)) return undefined;
    return typeof part === 'number' ? [inner] : createObject([[part, inner]]);
  }
  if (isList(value)) {
    if (typeof part !== 'number' || part > value.length) return undefined;
    const inner = editAtPath(value[part] ?? null, rest, edit);
    return inner === undefined ? undefined : [...value.slice(0, part), inner, ...value.slice(part + 1)];
  }
  if (!isContentMap(value)) return undefined;
  const key = String(part);
  const inner = editAtPath(Object.hasOwn(value, key) ? value[key]! : null, rest, edit);
  if (inner === undefined) return undefined;
  const others = Object.entries(value);
  return Object.hasOwn(value, key)
    ? createObject(others.map(([name, each]) => [name, name === key ? inner : each]))
    : createObject([...others, [key, inner]]);
}

/** Removes a key or an item. */
export function withoutKey(part: string | number): PlainEdit {
  return (value) => {
    if (isList(value)) return value.filter((_, index) => index !== part);
    if (!isContentMap(value)) return undefined;
    return createObject(Object.entries(value).filter(([key]) => key !== String(part)));
  };
}

export function withItem(index: number, item: Content): PlainEdit {
  return (value) => {
    const list = value ?? [];
    return isList(list) && index <= list.length ? list.toSpliced(index, 0, item) : undefined;
  };
}

/** @param to index of the item afterwards */
export function withMove(from: number, to: number): PlainEdit {
  return (value) => {
    if (!isList(value) || from >= value.length || to >= value.length) return undefined;
    return value.toSpliced(from, 1).toSpliced(to, 0, value[from]!);
  };
}

export function withName(key: string, name: string): PlainEdit {
  return (value) => {
    if (!isContentMap(value)) return undefined;
    return createObject(Object.entries(value).map(([each, inner]) => [each === key ? name : each, inner]));
  };
}

export function isList(value: Content): value is readonly Content[] {
  return Array.isArray(value);
}

export function isContentMap(value: Content): value is ContentMap {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof RawYaml);
}
