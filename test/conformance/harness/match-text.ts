import type { Fragments } from './expectation-format.ts';
import type { Places } from './case-result.ts';

/** Whether `actual` is the expected text, the line end after its last line aside, or matches it after `re:`. */
export function isText(actual: string, expected: string, places: Places): boolean {
  if (expected.startsWith('re:')) return matches(dropLineEnd(actual), expected);
  return dropLineEnd(actual) === dropLineEnd(fillIn(expected, places));
}

/** Those of the expected fragments that `actual` neither holds nor matches. */
export function missingFragments(actual: string, expected: Fragments, places?: Places): string[] {
  return [expected].flat().filter((fragment) => {
    if (fragment.startsWith('re:')) return !matches(actual, fragment);
    return !actual.includes(places === undefined ? fragment : fillIn(fragment, places));
  });
}

/** Whether a value of JSON is the expected one; texts by {@link isText}, maps as far as they are written. */
export function isValue(actual: unknown, expected: unknown, places: Places): boolean {
  if (typeof expected === 'string') return typeof actual === 'string' && isText(actual, expected, places);
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  return Object.entries(expected).every(([key, value]) =>
    isValue((actual as Record<string, unknown>)[key], value, places),
  );
}

/** Puts the places of this run where `<folder>`, `<home>`, `<user>` and `<runId>` are written. */
export const fillIn = (text: string, places: Places): string =>
  text.replaceAll(/<(folder|home|user|runId)>/g, (_, place: keyof Places) => places[place]);

const matches = (actual: string, expected: string): boolean => new RegExp(expected.slice(3)).test(actual);

const dropLineEnd = (text: string): string => text.replace(/\n$/, '');
