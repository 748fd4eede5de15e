import { expect, test } from 'vitest';
import { auditedOperations } from '../../../core/api/audit/audited-operations.ts';
import { auditGroups, formatEntry } from '../../../renderer/features/audit/audit-page.tsx';

test('the audit trail can be filtered by each kind of target', () => {
  const recorded = new Set(Array.from(auditedOperations, (name) => name.split('.')[0]));
  expect(new Set(Object.keys(auditGroups))).toEqual(recorded);
});

test('every audited operation has a label', () => {
  const words = Array.from(auditedOperations, formatEntry);
  expect(words.filter((text) => !/^[A-Z][A-Za-z -]+$/.test(text))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});
