import { expect, test } from 'vitest';
import { findEvent } from '../../../../core/webhooks/catalog.ts';
import { formatRules } from '../../../../renderer/features/webhooks/event-catalog.tsx';

test.each([
  ['check_run', 'For repository and organization webhooks: only created and completed.'],
  ['check_suite', 'For repository and organization webhooks: only completed.'],
])('%s lists the actions that only some webhooks receive', (name, sentence) => {
  expect(formatRules(findEvent(name)!)).toContain(sentence);
});

test('an event whose webhooks receive all actions has no such note', () => {
  expect(formatRules(findEvent('issues')!)).toEqual([]);
});
