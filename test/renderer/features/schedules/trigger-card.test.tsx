import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { engineStart } from '../../../../core/model/workflow-rules.ts';
import { TriggerCard } from '../../../../renderer/features/schedules/trigger-card.tsx';
import { describeTriggers, type TriggeredWorkflow } from '../../../../renderer/format/labels.ts';
import { placeTrigger, triggerSize } from '../../../../renderer/graph/graph-geometry.ts';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const none = { start: [], stop: [], restart: [] };
const webhook = { events: [], actions: [], params: [], singleton: false };

test.each<[TriggeredWorkflow, readonly string[]]>([
  [{ schedule: none }, ['Manual runs only']],
  [
    { schedule: { ...none, start: ['0 6 * * 1-5'] }, timezone: 'Europe/Berlin' },
    ['Every weekday at 06:00, Europe/Berlin'],
  ],
  [
    {
      schedule: { ...none, start: ['CRON_TZ=Asia/Tokyo 0 6 * * *', engineStart] },
      timezone: 'Europe/Berlin',
    },
    ['Every day at 06:00, Asia/Tokyo', 'At engine start'],
  ],
  [{ schedule: none, webhooks: [{ ...webhook, receiver: 'gh' }] }, ['When webhook gh arrives']],
  [{ schedule: none, webhooks: [{ ...webhook, events: ['push'] }] }, ['When a webhook sends push']],
])('describes what starts a workflow', (workflow, words) => {
  expect(describeTriggers(workflow).map((trigger) => trigger.words)).toEqual(words);
});

function show(isStopped: boolean) {
  const active = { instanceId: 'a', host: 'h', pid: 1, port: 0, startedAt: '2026-01-01T00:00:00.000Z' };
  const bridge = new FakeBridge({
    'services.scheduler': () => ({
      notes: [],
      schedulers: isStopped ? [] : [{ ...active, status: 'active' }],
    }),
    'services.startScheduler': () => ({ wasActive: false }),
    'auth.me': () => makeCurrentUser('ada', 'admin'),
  });
  let opened = 0;
  renderWith(
    bridge,
    <TriggerCard
      triggers={[
        { kind: 'schedule', words: 'Every day at 06:00' },
        { kind: 'webhook', words: 'When webhook gh arrives' },
      ]}
      next={Date.now() + 3_600_000}
      zoom="near"
      onOpen={() => (opened += 1)}
    />,
  );
  return { bridge, count: () => opened };
}

test('the card is a button that names all triggers and the next time', async () => {
  const { count } = show(false);
  const card = await screen.findByRole('button', {
    name: /^Trigger: Every day at 06:00; When webhook gh arrives\. Next: /,
  });
  fireEvent.click(card);
  expect(count()).toBe(1);
});

test('without a scheduler, the card shows no next time but offers to start one', async () => {
  const { bridge } = show(true);
  const start = await screen.findByRole('button', { name: 'Start scheduler' });
  expect(screen.getByRole('button', { name: /Scheduler not running$/ })).toBeTruthy();
  expect(screen.queryByText(/^Next:/)).toBeNull();
  await waitFor(() => {
    fireEvent.click(start);
    expect(bridge.callsOf('services.startScheduler').length).toBeGreaterThan(0);
  });
});

test('the card is before the first steps, with lines to those without dependencies', () => {
  const steps = ['a', 'b', 'c'].map((id) => ({ id }) as never);
  const edges = [{ id: 'a\nc', source: 'a', target: 'c' }];
  const positions = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 0, y: 68 }],
    ['c', { x: 252, y: 34 }],
  ]);
  const { box, targets } = placeTrigger({ steps, edges }, positions, 'RIGHT');
  expect(targets).toEqual(['a', 'b']);
  expect(box.x + triggerSize.width).toBeLessThan(0);
  expect(box.y + triggerSize.height / 2).toBe(60);
});
