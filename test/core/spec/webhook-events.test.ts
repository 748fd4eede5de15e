import { expect, test } from 'vitest';
import { webhookEventNames } from '../../../core/model/webhook.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { webhookEvents } from '../../../core/webhooks/catalog.ts';

const loadOn = (on: string) =>
  loadSpec({ file: 'a.yaml', text: `on: ${on}\nsteps: [echo a]\n` }).diagnostics.map(
    ({ severity, message }) => `${severity}: ${message}`,
  );

const load = (event: string) => loadOn(`{ webhook: { event: ${event} } }`);

test.each([
  ['pushs', 'Unknown event "pushs" (not in the catalog). Did you mean "push"?'],
  ['[push, Issues]', 'Unknown event "Issues" (not in the catalog). Did you mean "issues"?'],
  ['issues.opened', 'Unknown event "issues.opened". Use "event: issues" and "actions: opened".'],
  ['"*"', '"*" is not an event name. Remove "event" to match all events.'],
  ['" "', 'The event name is empty. Remove "event" to match all events.'],
])('warns of an event %s, which would silently start nothing', (event, message) => {
  expect(load(event)).toEqual([`warning: ${message}`]);
});

test.each(['push', '[the service, public, dependabot_alert]', 'invoice.paid', 'order-shipped'])(
  'reports nothing about %s',
  (event) => {
    expect(load(event)).toEqual([]);
  },
);

test('uses the names of the catalog', () => {
  expect(webhookEventNames).toEqual(webhookEvents.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
});

test.each([
  ['push', '"on" must be a map, but is the string "push". Write "webhook: { event: push }" below it.'],
  ['[push]', '"on" must be a map, but is a list. Write "webhook: { event: push }" below it.'],
  ['{ push: { branches: [main] } }', 'Unknown field "push". Write it as "webhook: { event: push }".'],
  [
    '{ webhook: issues }',
    '"webhook" must be a map or a list, but is the string "issues". Write "event: issues" below it.',
  ],
  [
    '{ webhook: [fork] }',
    'Item 1 of "webhook" must be a map, but is the string "fork". Write "event: fork" below it.',
  ],
])('rejects on: %s, a foreign event name, with the name used here', (on, message) => {
  expect(loadOn(on)).toEqual([`error: ${message}`]);
});
