import { expect, test } from 'vitest';
import { formatParam, pickParams } from '../../../renderer/format/values.ts';

const param = (name: string, value: string) => ({ name, value });
const fromWebhook = [
  param('WEBHOOK_RECEIVER', 'forge'),
  param('WEBHOOK_EVENT', 'push'),
  param('WEBHOOK_ACTION', ''),
  param('WEBHOOK_DELIVERY', 'f47b75a8'),
  param('WEBHOOK_PAYLOAD_FILE', '/runs/1/payload.json'),
];

const pick = (params: readonly { name: string; value: string }[], max: number) => {
  const { shown, more } = pickParams(params, max);
  return [shown.map(formatParam).join(' '), more];
};

test('shows a few parameters and counts the others', () => {
  const own = [param('PACE', '2'), param('1', 'first'), param('NOTE', 'two words'), param('LAST', '')];
  expect(pick(own, 3)).toEqual(['PACE=2 first NOTE=two words', 1]);
  expect(pick(own, 4)).toEqual(['PACE=2 first NOTE=two words LAST=', 0]);
  expect(pick([], 3)).toEqual(['', 0]);
});

test('shows parameters of the workflow before those of the webhook, of which the event is shown', () => {
  expect(pick(fromWebhook, 3)).toEqual(['WEBHOOK_EVENT=push', 4]);
  expect(pick([...fromWebhook, param('BRANCH', 'main')], 3)).toEqual(['BRANCH=main WEBHOOK_EVENT=push', 4]);
  expect(pick([...fromWebhook, param('BRANCH', 'main')], 1)).toEqual(['BRANCH=main', 5]);
});
