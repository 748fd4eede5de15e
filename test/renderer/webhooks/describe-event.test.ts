import { expect, test } from 'vitest';
import { findEvent } from '../../../core/webhooks/catalog/catalog.ts';
import { describeRules } from '../../../renderer/features/webhooks/events/describe-event.ts';

test.each([
  ['check_run', 'Webhooks of repository, organization: only created and completed.'],
  ['check_suite', 'Webhooks of repository, organization: only completed.'],
])('of %s it is said which actions some webhooks get only', (name, sentence) => {
  expect(describeRules(findEvent(name)!)).toContain(sentence);
});

test('of an event whose webhooks get all actions nothing of that is said', () => {
  expect(describeRules(findEvent('issues')!)).toEqual([]);
});
