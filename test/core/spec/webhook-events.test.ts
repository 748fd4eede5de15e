import { expect, test } from 'vitest';
import { webhookEventNames } from '../../../core/model/workflow/webhook-event-names.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { webhookEvents } from '../../../core/webhooks/catalog/catalog.ts';

const load = (event: string) =>
  loadSpec({
    file: 'a.yaml',
    text: `on:\n  webhook:\n    event: ${event}\nsteps: [echo a]\n`,
  }).diagnostics.map(({ severity, message }) => `${severity}: ${message}`);

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
