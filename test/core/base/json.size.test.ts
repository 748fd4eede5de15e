import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatExceededJsonLimit, findExceededJsonLimit, MAX_OBJECT_KEYS } from '../../../core/base/json.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

/** By parsing it. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Array.isArray(value) ? value : Object.entries(value).flat();
  return 1 + inner.reduce((sum: number, one) => sum + countValues(one), 0);
}

test('counts values and keys as parsing would, whatever the strings contain', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      const count = countValues(value);
      expect(findExceededJsonLimit(text, count)).toBeUndefined();
      expect(findExceededJsonLimit(text, count - 1)).toBe(text.length > count - 1 ? 'values' : undefined);
    }),
    { seed: 20, numRuns: propertyRuns(300) },
  );
});

test.each([
  [`[${'1,'.repeat(98)}1]`, 100, undefined],
  [`[${'1,'.repeat(99)}1]`, 100, 'values'],
  ['{"a":{"b":[]}}', 5, undefined],
  ['{"a":{"b":[]}}', 4, 'values'],
  [JSON.stringify([',,,,"\\,,,\\"', ',,,,']), 3, undefined],
  ['"open ,,,,,,,', 1, undefined],
  ['{{{{{{{{', 4, 'values'],
  ['['.repeat(2_001), 10_000, undefined],
  ['['.repeat(10_001), 10_000, 'levels'],
])('%.40s with %d values at most has more %s', (text, max, more) => {
  expect(findExceededJsonLimit(text, max)).toBe(more);
});

const objectOf = (keys: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key ${index}`, index])));

test.each([
  ['at the maximum of keys', objectOf(MAX_OBJECT_KEYS), undefined],
  [
    'several objects at the maximum of keys',
    `[${objectOf(MAX_OBJECT_KEYS)},${objectOf(MAX_OBJECT_KEYS)}]`,
    undefined,
  ],
  ['one key too many', `{"a": ${objectOf(MAX_OBJECT_KEYS + 1)}}`, 'keys'],
  ['one key too many after a smaller object', `[{"a": {"b": 1}},${objectOf(MAX_OBJECT_KEYS + 1)}]`, 'keys'],
  ['keys within strings', JSON.stringify('"a":1,'.repeat(MAX_OBJECT_KEYS + 1)), undefined],
])('counts keys per object: %s', (_, text, more) => {
  expect(findExceededJsonLimit(text)).toBe(more);
});

test('names the limit when it is exceeded', () => {
  expect(formatExceededJsonLimit('values')).toBe('has more than 200000 values and keys');
  expect(formatExceededJsonLimit('keys')).toBe('has an object with more than 10000 keys');
});
