import { expect, test } from 'vitest';
import { webhookEventNames } from '../../../core/model/workflow/webhook-event-names.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { webhookEvents } from '../../../core/webhooks/catalog/catalog.ts';

const loadOn = (on: string) =>
  loadSpec({ file: 'a.yaml', text: `on: ${on}\nsteps: [echo a]\n` }).diagnostics.map(
    ({ severity, message }) => `${severity}: ${message}`,
  );

const load = (event: string) => loadOn(`{ webhook: { event: ${event} } }`);

test.each([
  ['pushs', 'There is no event "pushs" in the catalog. Did you mean "push"? Other senders may have it.'],
  [
    '[push, Issues]',
    'There is no event "Issues" in the catalog. Did you mean "issues"? Other senders may have it.',
  ],
  ['issues.opened', '"issues.opened" is no event. Write "event: issues" and "actions: opened".'],
  ['"*"', '"*" is the name of no event. Leave "event" out for every event.'],
  ['" "', 'The name of an event is empty. Leave "event" out for every event.'],
])('an event %s, which would start nothing without a word, is warned of', (event, message) => {
  expect(load(event)).toEqual([`warning: ${message}`]);
});

test.each(['push', '[the service, public, dependabot_alert]', 'invoice.paid', 'order-shipped'])(
  'nothing is said of %s',
  (event) => {
    expect(load(event)).toEqual([]);
  },
);

test('the names are those of the catalog', () => {
  expect(webhookEventNames).toEqual(webhookEvents.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
});

test.each([
  ['push', '"on" must be a map, but it is the text "push". Write "webhook: { event: push }" below it.'],
  ['[push]', '"on" must be a map, but it is a list. Write "webhook: { event: push }" below it.'],
  ['{ push: { branches: [main] } }', 'Unknown field "push". Write it as "webhook: { event: push }".'],
  [
    '{ webhook: issues }',
    '"webhook" must be a map or a list, but it is the text "issues". Write "event: issues" below it.',
  ],
  [
    '{ webhook: [fork] }',
    'Item 1 of "webhook" must be a map, but it is the text "fork". Write "event: fork" below it.',
  ],
])('on: %s, as events are named elsewhere, is refused with how it is written here', (on, message) => {
  expect(loadOn(on)).toEqual([`error: ${message}`]);
});
