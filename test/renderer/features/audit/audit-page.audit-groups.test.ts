import { expect, test } from 'vitest';
import type { Operation } from '../../../../core/contract/operation.ts';
import { operations } from '../../../../core/contract/operations.ts';
import { auditGroups, formatEntry } from '../../../../renderer/features/audit/audit-page.tsx';

const auditedOperations = Object.entries<Operation>(operations)
  .filter(([, { audit }]) => audit !== undefined)
  .map(([name]) => name);

test('the audit trail can be filtered by each kind of target', () => {
  const recorded = new Set(Array.from(auditedOperations, (name) => name.split('.')[0]));
  expect(new Set(Object.keys(auditGroups))).toEqual(recorded);
});

test('every audited operation has a label', () => {
  const words = Array.from(auditedOperations, formatEntry);
  expect(words.filter((text) => !/^[A-Z][A-Za-z -]+$/.test(text))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});
