import { expect, test } from 'vitest';
import { auditedOperations } from '../../../core/audit/audited-operations.ts';
import { auditGroups } from '../../../renderer/features/audit/audit-groups.ts';

test('the audit trail can be narrowed to each kind of thing that is in it', () => {
  const recorded = new Set(Array.from(auditedOperations, (name) => name.split('.')[0]));
  expect(new Set(Object.keys(auditGroups))).toEqual(recorded);
});
