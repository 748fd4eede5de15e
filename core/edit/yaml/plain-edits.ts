import type { AuthoredPath } from '../outline.ts';
import { createObject } from './values/plain-value.ts';
import { RawYaml, type Content, type ContentMap } from './values/raw-yaml.ts';

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
