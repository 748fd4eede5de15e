import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { ChannelView, NotificationView, RuleView } from '../../../../core/contract/notifications.ts';
import { NotificationsPage } from '../../../../renderer/features/notifications/notifications-page.tsx';
import { FailureTargets, NotifyBanner } from '../../../../renderer/features/notifications/notify-banner.tsx';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const at = '2026-01-01T00:00:00.000Z';
const channel: ChannelView = {
  id: 1,
  name: 'ops-slack',
  kind: 'slack',
  address: 'https://hooks.slack.com/…',
  allowPrivate: false,
  verifyTls: true,
  active: true,
  rules: ['failures'],
  createdAt: at,
  updatedAt: at,
};
const rule: RuleView = {
  id: 1,
  name: 'failures',
  enabled: true,
  workflows: { tags: ['nightly'] },
  events: ['failed', 'recovered'],
  channels: ['ops-slack'],
  after: 2,
  once: false,
  quiet: '22:00-07:00',
  createdAt: at,
  updatedAt: at,
};
const notification: NotificationView = {
  id: 9,
  channelId: 1,
  channel: 'ops-slack',
  state: 'dead',
  event: 'failed',
  title: 'etl failed',
  text: 'step "load" failed',
  workflow: 'etl',
  runId: 'r1',
  rule: 'failures',
  createdAt: at,
  attempts: 8,
  redelivery: false,
  reason: 'Delivery failed after 8 attempts.',
  lastAttempt: {
    at,
    status: 'invalid HTTP response: 403 Forbidden',
    statusCode: 403,
    durationMs: 5,
    body: 'no',
  },
};

const rejected = {
  delivered: false,
  status: 'invalid HTTP response: 403 Forbidden',
  statusCode: 403,
  durationMs: 12,
  body: 'invalid_token',
};

function makeBridge(more: ConstructorParameters<typeof FakeBridge>[0] = {}): FakeBridge {
  return new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'manager'),
    'channels.list': () => ({ channels: [channel] }),
    'channels.create': ({ name, kind }) => ({ ...channel, name, kind }),
    'channels.update': () => channel,
    'channels.test': () => rejected,
    'rules.list': () => ({ rules: [rule] }),
    'rules.create': () => rule,
    'rules.update': () => rule,
    'notifications.list': () => ({ notifications: [notification] }),
    'notifications.resend': () => ({ messageId: 10 }),
    ...more,
  });
}

const inputsOf = (bridge: FakeBridge, operation: string): unknown[] =>
  bridge.calls.filter(({ name }) => name === operation).map(({ input }) => input);

const press = (name: string | RegExp): boolean => fireEvent.click(screen.getByRole('button', { name }));

describe('the banner of a failed run', () => {
  test('sets up a channel and a rule in three actions, and shows the response to a test', async () => {
    const bridge = makeBridge({
      'channels.list': () => ({ channels: [] }),
      'notifications.coverage': () => ({ rules: [], mail: false }),
    });
    renderWith(bridge, <NotifyBanner workflow="etl" />);
    await screen.findByText('No one is notified when etl fails.');
    press('Set up…');
    const url = 'https://hooks.slack.com/services/T0/B0/XXXX';
    fireEvent.change(await screen.findByLabelText(/^Webhook URL(?! from)/), { target: { value: url } });
    press('Save and send a test');
    await screen.findByText('invalid_token');
    expect(inputsOf(bridge, 'channels.create')).toEqual([
      { kind: 'slack', name: 'slack', allowPrivate: false, url },
    ]);
    expect(inputsOf(bridge, 'rules.create')).toEqual([{ name: 'Failures to slack', channels: ['slack'] }]);
    expect(inputsOf(bridge, 'channels.test')).toEqual([{ channelId: 1 }]);
  });

  test.each([
    { rules: [{ name: 'all', channels: ['ops-slack'] }], mail: false },
    { rules: [], mail: true },
  ])('is not shown if someone is notified: %j', async (coverage) => {
    const bridge = makeBridge({ 'notifications.coverage': () => coverage });
    renderWith(bridge, <NotifyBanner workflow="etl" />);
    await waitFor(() => expect(inputsOf(bridge, 'notifications.coverage')).toHaveLength(1));
    expect(screen.queryByText('No one is notified when etl fails.')).toBeNull();
  });
});

describe('the page', () => {
  test('sends a test and shows the response of the service', async () => {
    renderWith(makeBridge(), <NotificationsPage />);
    fireEvent.click(await screen.findByRole('button', { name: 'Send a test to ops-slack' }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText('invalid_token');
    expect(within(dialog).getByText('invalid HTTP response: 403 Forbidden')).toBeDefined();
  });

  test('keeps the secret of a channel that is edited', async () => {
    const bridge = makeBridge();
    renderWith(bridge, <NotificationsPage />);
    fireEvent.click(await screen.findByRole('button', { name: 'Edit ops-slack' }));
    fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'renamed' } });
    press('Save');
    await waitFor(() =>
      expect(inputsOf(bridge, 'channels.update')).toEqual([
        { channelId: 1, name: 'renamed', allowPrivate: false },
      ]),
    );
  });

  test('takes the address of a channel from a stored secret, and back', async () => {
    const stored = { ...channel, secrets: { url: 'slack-url' }, address: 'secret slack-url' };
    const secret = (name: string) => ({ name, provider: 'store', changedAt: at, usedBy: [], channels: [] });
    const bridge = makeBridge({
      'channels.list': () => ({ channels: [stored] }),
      'secrets.list': () => ({
        secrets: [secret('slack-url'), secret('teams-url'), { ...secret('unset'), changedAt: undefined }],
        store: { state: 'open', places: [], isWeak: false },
      }),
    });
    renderWith(bridge, <NotificationsPage />);
    fireEvent.click(await screen.findByRole('button', { name: 'Edit ops-slack' }));
    fireEvent.click(await screen.findByRole('button', { name: /^slack-url Webhook URL/ }));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      'slack-url',
      'teams-url',
    ]);
    fireEvent.click(screen.getByRole('option', { name: 'teams-url' }));
    press('Save');
    await waitFor(() => expect(inputsOf(bridge, 'channels.update')).toHaveLength(1));
    fireEvent.click(await screen.findByRole('button', { name: 'Edit ops-slack' }));
    fireEvent.click(await screen.findByLabelText('Webhook URL from a stored secret'));
    const url = 'https://hooks.slack.com/services/T0/B0/XXXX';
    fireEvent.change(await screen.findByLabelText(/^Webhook URL(?! from)/), { target: { value: url } });
    press('Save');
    await waitFor(() => expect(inputsOf(bridge, 'channels.update')).toHaveLength(2));
    const rest = { channelId: 1, name: 'ops-slack', allowPrivate: false };
    expect(inputsOf(bridge, 'channels.update')).toEqual([
      { ...rest, secrets: { url: 'teams-url' } },
      { ...rest, url, secrets: { url: '' } },
    ]);
  });

  test('changes a rule', async () => {
    const bridge = makeBridge();
    renderWith(bridge, <NotificationsPage />, { path: '/?view=rules' });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit failures' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByLabelText('Late'));
    fireEvent.change(within(dialog).getByLabelText(/^Tags/), { target: { value: 'nightly, daily' } });
    press('Save');
    await waitFor(() =>
      expect(inputsOf(bridge, 'rules.update')).toEqual([
        {
          ruleId: 1,
          name: 'failures',
          workflows: { tags: ['nightly', 'daily'] },
          events: ['failed', 'recovered', 'late'],
          channels: ['ops-slack'],
          after: 2,
          once: false,
          quiet: '22:00-07:00',
          digestSec: 0,
        },
      ]),
    );
  });

  test('sends a notification again', async () => {
    const bridge = makeBridge();
    renderWith(bridge, <NotificationsPage />, { path: '/?view=sent' });
    fireEvent.click(await screen.findByRole('button', { name: 'Send etl failed again' }));
    await waitFor(() => expect(inputsOf(bridge, 'notifications.resend')).toEqual([{ messageId: 9 }]));
  });
});

test('a workflow shows which channels are notified of its failures', async () => {
  const rules = [
    { name: 'all', channels: ['ops-slack'] },
    { name: 'nightly', channels: ['ops-slack', 'on-call'] },
  ];
  renderWith(
    makeBridge({ 'notifications.coverage': () => ({ rules, mail: false }) }),
    <FailureTargets workflow="etl" />,
  );
  const shown = await screen.findByText('Failures go to ops-slack, on-call');
  expect(shown.title).toBe('all: ops-slack\nnightly: ops-slack, on-call');
});
