import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasMoreValues } from '../../../../core/base/text/json-size.ts';

/** By reading it. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Array.isArray(value) ? value : Object.entries(value).flat();
  return 1 + inner.reduce((sum: number, one) => sum + countValues(one), 0);
}

test('values and keys are counted as reading would, whatever the strings hold', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      const count = countValues(value);
      expect(hasMoreValues(text, count)).toBe(false);
      expect(hasMoreValues(text, count - 1)).toBe(text.length > count - 1);
    }),
    { seed: 20, numRuns: 300 },
  );
});

test.each([
  [`[${'1,'.repeat(98)}1]`, 100, false],
  [`[${'1,'.repeat(99)}1]`, 100, true],
  ['{"a":{"b":[]}}', 5, false],
  ['{"a":{"b":[]}}', 4, true],
  [JSON.stringify([',,,,"\\,,,\\"', ',,,,']), 3, false],
  ['"open ,,,,,,,', 1, false],
  ['{{{{{{{{', 4, true],
])('%s has more than %d values: %s', (text, most, more) => {
  expect(hasMoreValues(text, most)).toBe(more);
});
