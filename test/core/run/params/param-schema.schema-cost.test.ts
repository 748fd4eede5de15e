import { expect, test } from 'vitest';
import { estimateSchemaCost } from '../../../../core/run/params/param-schema.ts';

test('bounds the cost of a schema unless it has references or compares all items', () => {
  const plain = { properties: { batch: { type: 'integer', minimum: 1 }, env: { enum: ['dev', 'prod'] } } };
  expect(estimateSchemaCost(plain)).toBeLessThan(100);
  expect(estimateSchemaCost({ properties: { a: { pattern: 'a{500}' } } })).toBeGreaterThan(500);
  expect(estimateSchemaCost({ items: { uniqueItems: true } })).toBe(Infinity);
  expect(estimateSchemaCost({ anyOf: [{ $ref: '#' }] })).toBe(Infinity);
  expect(estimateSchemaCost({ enum: Array.from({ length: 2_000 }, (_, index) => index) })).toBe(Infinity);
});
