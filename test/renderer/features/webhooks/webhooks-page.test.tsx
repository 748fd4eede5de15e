import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { DesktopBridge } from '../../../../core/contract/transport.ts';
import type { HookView } from '../../../../core/contract/webhook-views.ts';
import type { ReceiverView } from '../../../../core/contract/receivers.ts';
import { webhookEvents } from '../../../../core/webhooks/catalog.ts';
import { WebhooksPage } from '../../../../renderer/features/webhooks/webhooks-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';

const at = '2026-01-01T00:00:00.000Z';
const webhook: HookView = {
  id: 1,
  kind: 'app',
  owner: 'helper',
  targetId: 7,
  url: 'https://example.com/hook',
  format: 'json',
  hasSecret: true,
  verifyTls: true,
  active: true,
  events: ['push'],
  options: { permissions: { Contents: 'read' }, waits: [5] },
  lastResponse: { code: null, status: 'unused', message: null },
  createdAt: at,
  updatedAt: at,
};
const receiver: ReceiverView = {
  id: 'r1',
  name: 'forge',
  url: 'http://127.0.0.1:8080/webhooks/r1',
  path: '/webhooks/r1',
  isServed: true,
  scheme: 'platform',
  methods: ['POST'],
  secrets: [{}],
  allowSha1: false,
  maxBodyBytes: 1000,
  dedupeSec: 60,
  keepDays: 30,
  active: true,
  workflows: [],
  createdAt: at,
  updatedAt: at,
};

function open(desktop?: DesktopBridge, path?: string): FakeBridge {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'manager'),
    'webhooks.catalog': () => ({ events: [...webhookEvents] }),
    'webhooks.list': () => ({ hooks: [webhook] }),
    'webhooks.get': () => ({ ...webhook, messages: {} }),
    'webhooks.deliveries': () => ({ deliveries: [] }),
    'webhooks.update': () => webhook,
    'receivers.list': () => ({ receivers: [receiver] }),
    'receivers.deliveries': () => ({ deliveries: [] }),
    'receivers.rotate': () => receiver,
    'receivers.sendSample': () => ({
      url: receiver.url,
      event: 'push',
      status: 202,
      body: '{}',
      delivery: {
        id: '7',
        receivedAt: at,
        method: 'POST',
        status: 'accepted',
        verified: true,
        bytes: 2,
        runs: [{ name: 'deploy', dagRunId: 'one' }],
        decisions: [
          { workflow: 'other', trigger: 0, outcome: 'passed_over', reason: 'The event is not star.' },
        ],
      },
    }),
  });
  renderWith(desktop === undefined ? bridge : Object.assign(bridge, { desktop }), <WebhooksPage />, {
    ...(path !== undefined && { path }),
  });
  return bridge;
}

test('names the role that may not see webhooks, and offers no useless action', async () => {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('vie', 'viewer'),
    'webhooks.list': () => {
      const message = 'vie has the role viewer and may not see the webhooks: that takes the role operator.';
      throw new AppError('forbidden', message, { details: { role: 'viewer', requiredRole: 'operator' } });
    },
  });
  renderWith(bridge, <WebhooksPage />);
  expect(await screen.findByText('You do not have permission to view the webhooks')).toBeTruthy();
  expect(screen.getByText(/that takes the role operator/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('the form of an app has scopes and repositories; fields it does not show are retained', async () => {
  const bridge = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Edit…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
  // The required scopes of its events, and its own.
  const access = within(await dialog.findByRole('list', { name: 'Permissions' }));
  await waitFor(() => expect(access.getAllByRole('listitem')).toHaveLength(1));
  fireEvent.click(within(access.getByRole('radiogroup', { name: 'Contents' })).getByText('Write'));
  fireEvent.click(dialog.getByRole('button', { name: 'Add installation' }));
  const installation = within(dialog.getByRole('group', { name: 'Installation 1' }));
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(save).toHaveProperty('disabled', true);
  fireEvent.change(installation.getByLabelText('Account of installation 1'), { target: { value: 'octo ' } });
  fireEvent.change(installation.getByLabelText(/^Repositories/), {
    target: { value: 'octo/hello, octo/other' },
  });
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Also send X-GitHub-* headers' }));
  fireEvent.click(save);
  await waitFor(() => expect(bridge.callsOf('webhooks.update')).toHaveLength(1));
  expect(bridge.callsOf('webhooks.update')[0]).toMatchObject({
    hookId: 1,
    options: {
      githubHeaders: true,
      permissions: { Contents: 'write' },
      installations: [{ id: 1, account: 'octo', repositories: ['octo/hello', 'octo/other'] }],
      waits: [5],
    },
  });
});

test('invalid fields of a webhook show errors, and keep the input', async () => {
  const bridge = open();
  const field = 'options.installations.0.account';
  bridge.answers['webhooks.update'] = () => {
    throw new AppError('bad_request', `${field}: use 100 characters at most`, { details: { field } });
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Edit…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
  const rate = dialog.getByLabelText<HTMLInputElement>('Rate limit (per second)');
  fireEvent.change(rate, { target: { value: '-5' } });
  expect(rate.value).toBe('-5');
  expect(dialog.getByText(/^Enter a number such as 2 or 0\.5/)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Add installation' }));
  const account = dialog.getByLabelText<HTMLInputElement>('Account of installation 1');
  const name = 'x'.repeat(10_000);
  fireEvent.change(account, { target: { value: name } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(bridge.callsOf('webhooks.update')).toEqual([]);
  fireEvent.change(rate, { target: { value: '0.5' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Use 100 characters at most')).toBeTruthy();
  expect(account.value).toBe(name);
  expect(account.getAttribute('aria-invalid')).toBe('true');
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('a concurrent change to a webhook is reported, and the input is kept', async () => {
  const bridge = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Edit…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
  const address = dialog.getByLabelText<HTMLInputElement>('URL');
  fireEvent.change(address, { target: { value: 'https://example.com/mine' } });
  const changed = { ...webhook, url: 'https://example.com/theirs', updatedAt: '2026-01-02T00:00:00.000Z' };
  bridge.answers['webhooks.list'] = () => ({ hooks: [changed] });
  bridge.answers['webhooks.get'] = () => ({ ...changed, messages: {} });
  bridge.push('system.changes', { topic: 'webhooks' });
  bridge.push('system.changes', { topic: 'webhooks' });
  expect(await dialog.findByText(/^Another user has changed this webhook/)).toBeTruthy();
  expect(address.value).toBe('https://example.com/mine');
});

test('refetches on events of the engine, without polling', async () => {
  const bridge = open();
  await screen.findByText('No deliveries yet');
  const asked = bridge.callsOf('webhooks.deliveries').length;
  bridge.push('system.changes', { topic: 'webhooks' });
  bridge.push('system.changes', { topic: 'webhooks' });
  await waitFor(() => expect(bridge.callsOf('webhooks.deliveries').length).toBeGreaterThan(asked));
});

test('a webhook deleted by another user is not requested again', async () => {
  const bridge = open();
  await screen.findByText('No deliveries yet');
  const asked = () => bridge.callsOf('webhooks.get').length + bridge.callsOf('webhooks.deliveries').length;
  const before = asked();
  bridge.answers['webhooks.list'] = () => ({ hooks: [] });
  bridge.push('system.changes', { topic: 'webhooks' });
  await screen.findByText('No webhooks yet');
  expect(asked()).toBe(before);
});

test.each([
  ['/webhooks?hook=9', 'Webhook "9" not found.'],
  ['/webhooks?view=received&receiver=r9', 'Receiver "r9" not found.'],
])('a link to a missing one says so: %s', async (path, words) => {
  open(undefined, path);
  expect(await screen.findByText(words)).toBeTruthy();
});

test('a link to a deleted delivery says so, without test and redeliver buttons', async () => {
  const bridge = open(undefined, '/webhooks?hook=1&delivery=5');
  bridge.answers['webhooks.delivery'] = () => {
    throw new AppError('not_found', 'there is none');
  };
  const dialog = within(await screen.findByRole('dialog', { name: 'Delivery 5' }));
  expect(await dialog.findByText('Delivery not found')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(dialog.getByRole('button', { name: 'Redeliver' })).toHaveProperty('disabled', true);
});

test('a signed sample is sent to a receiver, and shows what it started', async () => {
  const bridge = open(undefined, '/webhooks?view=received&receiver=r1');
  fireEvent.click(await screen.findByRole('button', { name: 'Send a sample…' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByLabelText('Event'), { target: { value: ' push ' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
  expect((await within(dialog).findByRole('status')).textContent).toBe('Accepted (202).');
  expect(within(dialog).getByRole('link', { name: 'deploy' }).getAttribute('href')).toContain('deploy/one');
  expect(within(dialog).getByText('other: The event is not star.')).toBeDefined();
  expect(bridge.callsOf('receivers.sendSample')).toEqual([{ receiverId: 'r1', event: 'push' }]);
});

test('a receiver gets a new secret; in the app it says what makes its URL reachable', async () => {
  const calls: unknown[] = [];
  const service = {
    installed: false,
    running: false,
    manager: 'systemd',
    name: 'stepwright',
    outdated: false,
  };
  const bridge = open({
    call: (name: string, input: unknown) => {
      calls.push([name, input]);
      return Promise.resolve(
        name === 'service.change' ? { ...service, installed: true, running: true } : service,
      );
    },
    follow: () => () => undefined,
    noteFiles: () => undefined,
  } as unknown as DesktopBridge);
  fireEvent.click(await screen.findByRole('tab', { name: 'Received' }));
  expect(await screen.findByText(/The desktop app does not listen on a port/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Run as a service' }));
  await waitFor(() => expect(screen.queryByText(/The desktop app does not listen on a port/)).toBeNull());
  expect(calls).toContainEqual(['service.change', { action: 'install' }]);

  // The copied value is shown next to it.
  expect(screen.getByRole('button', { name: 'Copy URL' }).parentElement?.textContent).toBe(receiver.url);
  fireEvent.click(screen.getByRole('button', { name: 'More actions' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Change secret…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change secret of forge' }));
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('New secret')));
  fireEvent.change(dialog.getByLabelText('New secret'), { target: { value: 'between us' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Change secret' }));
  await waitFor(() =>
    expect(bridge.callsOf('receivers.rotate')).toEqual([
      { receiverId: 'r1', secret: 'between us', overlapSec: 86_400 },
    ]),
  );
});

test('a new webhook without a ping does not show one', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'New webhook…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  expect(dialog.getByRole('button', { name: 'Create and ping' })).toBeTruthy();
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Enabled' }));
  expect(dialog.getByRole('button', { name: 'Create' })).toBeTruthy();
});

test('a new webhook needs a URL only; its scope is an advanced option', async () => {
  const bridge = open();
  bridge.answers['webhooks.create'] = () => webhook;
  fireEvent.click(await screen.findByRole('button', { name: 'New webhook…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  const advanced = dialog.getByText('Advanced').closest('details')!;
  expect(advanced.open).toBe(false);
  expect(advanced.contains(dialog.getByLabelText('Scope name'))).toBe(true);
  expect(advanced.contains(dialog.getByLabelText('URL'))).toBe(false);
  fireEvent.change(dialog.getByLabelText('URL'), { target: { value: 'https://example.com/hook' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create and ping' }));
  await waitFor(() => expect(bridge.callsOf('webhooks.create')).toHaveLength(1));
  expect(bridge.callsOf('webhooks.create')[0]).toMatchObject({
    kind: 'repository',
    owner: 'local/workflows',
    events: ['*'],
  });
});

test('a rejected advanced option is shown', async () => {
  const bridge = open();
  bridge.answers['webhooks.create'] = () => {
    throw new AppError('bad_request', 'owner is wrong', { details: { field: 'owner' } });
  };
  fireEvent.click(await screen.findByRole('button', { name: 'New webhook…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  fireEvent.change(dialog.getByLabelText('URL'), { target: { value: 'https://example.com/hook' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create and ping' }));
  await waitFor(() => expect(dialog.getByText('Advanced').closest('details')!.open).toBe(true));
});

test('the methods of a new receiver are chosen; GET only with a scheme that does not verify the body', async () => {
  const bridge = open(undefined, '/webhooks?tab=received');
  bridge.answers['receivers.create'] = () => receiver;
  fireEvent.click(await screen.findByRole('tab', { name: 'Received' }));
  fireEvent.click(await screen.findByRole('button', { name: 'New receiver…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New receiver' }));
  const methods = within(dialog.getByRole('group', { name: 'Allowed methods' }));
  const get = methods.getByRole('checkbox', { name: 'GET' });
  expect(get).toHaveProperty('disabled', true);
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'probe' } });
  fireEvent.click(dialog.getByRole('button', { name: /Authentication/ }));
  fireEvent.click(await screen.findByRole('option', { name: 'Header' }));
  fireEvent.change(dialog.getByLabelText('Secret'), { target: { value: 'X-Key: 1' } });
  await waitFor(() => expect(get).toHaveProperty('disabled', false));
  fireEvent.click(get);
  fireEvent.click(methods.getByRole('checkbox', { name: 'POST' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Create receiver' }));
  await waitFor(() =>
    expect(bridge.callsOf('receivers.create')).toMatchObject([{ scheme: 'header', methods: ['GET'] }]),
  );
});
