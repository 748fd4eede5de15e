import type { ParallelItem } from '../../model/workflow/step.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';
import { parseParamText } from '../../spec/params.ts';
import { splitWords } from '../../spec/split-words.ts';
import { isJsonObject } from '../../spec/expand/exact-json.ts';
import { parseJsonContainer, textOfJson } from './json-text.ts';

/** Most items of one `parallel`. */
const maxItems = 1000;

/**
 * Splits the value of a `parallel` expression into its items by what it looks like, in this order: a JSON
 * list; a JSON object, or one on each line; lines; words of which one is in quotes; the one of tab, pipe, semicolon
 * and comma that occurs most often; white space. What surrounds an item is trimmed, and what is empty then is no item.
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

/** Says what is wrong with the number of items, or undefined when there is nothing. */
export function checkItems(items: readonly ParallelItem[]): string | undefined {
  if (items.length === 0)
    return 'parallel has no items. Add at least one item, or skip the step with a precondition';
  if (items.length <= maxItems) return undefined;
  const numbers = `${items.length.toLocaleString('en-US')} items, the limit is ${maxItems.toLocaleString('en-US')}`;
  return `parallel has too many items: ${numbers}. Combine items, or use several steps`;
}

/** An item as the text of `ITEM`: a text as it is, keys and values as compact JSON. */
export function itemText(item: ParallelItem): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}

/**
 * What an item gives a sub-workflow for which the step names no parameters: keys and values are named parameters, a
 * text is read like the text form of `params`.
 */
export function itemParams(item: ParallelItem): Parameter[] {
  if (typeof item === 'string') return parseParamText(item);
  return Object.entries(item).map(([name, value]) => ({ name, value }));
}

/** A quotation that is a word: apostrophes within words quote nothing. */
const quotedWord = /(?<!\S)(?:"(?:\\.|[^"\\])*"|'[^']*')(?!\S)/s;

/** Undefined when the text is neither a JSON list nor made of JSON objects. */
function splitJson(text: string): ParallelItem[] | undefined {
  const whole = parseJsonContainer(text);
  if (Array.isArray(whole)) return readItems(whole);
  if (isJsonObject(whole)) return readItems([whole]);
  if (!text.startsWith('{')) return undefined;
  const objects: unknown[] = [];
  for (const line of splitAt(text, /[\r\n]+/)) {
    const object = parseJsonContainer(line);
    if (!isJsonObject(object)) return undefined;
    objects.push(object);
  }
  return readItems(objects);
}

/** Undefined when a value is nested too deep to be written. */
function readItems(values: readonly unknown[]): ParallelItem[] | undefined {
  try {
    return values.map((value) => (isJsonObject(value) ? readRecord(value) : textOfJson(value)));
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function readRecord(object: Readonly<Record<string, unknown>>): Record<string, string> {
  // Own properties whatever the keys are called, which assignment would not give for `__proto__`.
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, textOfJson(value)]));
}

function splitAt(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Of those that occur equally often, the one that is less likely to be part of an item. */
function findSeparator(text: string): string | undefined {
  let [best, most] = [undefined as string | undefined, 0];
  for (const separator of ['\t', '|', ';', ',']) {
    const count = text.split(separator).length - 1;
    if (count > most) [best, most] = [separator, count];
  }
  return best;
}
