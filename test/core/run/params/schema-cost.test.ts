import { expect, test } from 'vitest';
import { costOfSchema } from '../../../../core/run/params/schema-cost.ts';

test('bounds the cost of a schema unless it has references or compares all items', () => {
  const plain = { properties: { batch: { type: 'integer', minimum: 1 }, env: { enum: ['dev', 'prod'] } } };
  expect(costOfSchema(plain)).toBeLessThan(100);
  expect(costOfSchema({ properties: { a: { pattern: 'a{500}' } } })).toBeGreaterThan(500);
  expect(costOfSchema({ items: { uniqueItems: true } })).toBe(Infinity);
  expect(costOfSchema({ anyOf: [{ $ref: '#' }] })).toBe(Infinity);
  expect(costOfSchema({ enum: Array.from({ length: 2_000 }, (_, index) => index) })).toBe(Infinity);
});
