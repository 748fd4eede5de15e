import type { ParallelItem } from '../../model/workflow/step.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';
import { parseParamText } from '../../spec/params.ts';
import { splitWords } from '../../spec/split-words.ts';
import { isJsonObject } from '../../spec/expand/exact-json.ts';
import { parseJsonContainer, textOfJson } from './json-text.ts';

/** Most items of one `parallel`. */
const maxItems = 1000;

/**
 * Splits the value of a `parallel` expression into items by its format, checked in this order: a JSON list; a JSON
 * object, or one per line; lines; words of which one is quoted; the most frequent of tab, pipe, semicolon and comma;
 * white space. Items are trimmed, and empty items are dropped.
 */
export function splitItems(value: string): ParallelItem[] {
  const text = value.trim();
  if (text === '') return [];
  const items = splitJson(text);
  if (items !== undefined) return items;
  if (/[\r\n]/.test(text)) return splitAt(text, /[\r\n]+/);
  if (quotedWord.test(text)) return splitWords(text);
  const separator = findSeparator(text);
  return separator === undefined ? text.split(/\s+/) : splitAt(text, separator);
}

/** Returns the problem with the number of items, or undefined. */
export function checkItems(items: readonly ParallelItem[]): string | undefined {
  if (items.length === 0)
    return 'parallel has no items. Add at least one item, or skip the step with a precondition';
  if (items.length <= maxItems) return undefined;
  const numbers = `${items.length.toLocaleString('en-US')} items, the limit is ${maxItems.toLocaleString('en-US')}`;
  return `parallel has too many items: ${numbers}. Combine items, or use several steps`;
}

/** Returns an item as the value of `ITEM`: a string as it is, an object as compact JSON. */
export function itemText(item: ParallelItem): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}

/**
 * Returns the parameters that an item passes to a sub-workflow when the step names none: an object gives named
 * parameters, a string is read like `params` in string form.
 */
export function itemParams(item: ParallelItem): Parameter[] {
  if (typeof item === 'string') return parseParamText(item);
  return Object.entries(item).map(([name, value]) => ({ name, value }));
}

/** A quoted word: apostrophes within words are not quotes. */
const quotedWord = /(?<!\S)(?:"(?:\\.|[^"\\])*"|'[^']*')(?!\S)/s;

/** Returns undefined when the string is neither a JSON list nor consists of JSON objects. */
function splitJson(text: string): ParallelItem[] | undefined {
  const container = parseJsonContainer(text);
  if (Array.isArray(container)) return readItems(container);
  if (isJsonObject(container)) return readItems([container]);
  if (!text.startsWith('{')) return undefined;
  const objects: unknown[] = [];
  for (const line of splitAt(text, /[\r\n]+/)) {
    const object = parseJsonContainer(line);
    if (!isJsonObject(object)) return undefined;
    objects.push(object);
  }
  return readItems(objects);
}

/** Returns undefined when a value is nested too deep to be written. */
function readItems(values: readonly unknown[]): ParallelItem[] | undefined {
  try {
    return values.map((value) => (isJsonObject(value) ? readRecord(value) : textOfJson(value)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readRecord(object: Readonly<Record<string, unknown>>): Record<string, string> {
  // Own properties for any key; assignment would not create one for `__proto__`.
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, textOfJson(value)]));
}

function splitAt(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the most frequent separator; of equally frequent ones, the one that is less likely to be part of an item. */
function findSeparator(text: string): string | undefined {
  let [best, max] = [undefined as string | undefined, 0];
  for (const separator of ['\t', '|', ';', ',']) {
    const count = text.split(separator).length - 1;
    if (count > max) [best, max] = [separator, count];
  }
  return best;
}
