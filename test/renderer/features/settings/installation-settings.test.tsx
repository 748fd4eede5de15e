import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { ConfigView, MailSettingsView, SettingView } from '../../../../core/contract/config.ts';
import { editableSettings } from '../../../../core/model/editable-settings.ts';
import { InstallationSettings } from '../../../../renderer/features/settings/installation-settings.tsx';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

const file = '/home/flows/config.yaml';

const setting = (key: string, changes: Partial<SettingView> = {}): SettingView => ({
  ...{ key, value: '30', defaultValue: '30', source: 'default' },
  ...{ editable: true, needsRestart: true, restartPending: false },
  ...changes,
});

const config = (changes: Readonly<Record<string, Partial<SettingView>>> = {}): ConfigView => ({
  file,
  settings: [
    ...editableSettings.map((key) => setting(key, changes[key])),
    setting('auth.token.value', { value: '********', editable: false }),
  ],
});

const mail: MailSettingsView = {
  ...{ file: '/home/flows/base.yaml', host: 'smtp.example.com', port: '587', username: 'robot' },
  ...{ encryption: 'auto', verifyCertificate: true, from: 'flows@example.com', hasPassword: true },
};

let bridge: FakeBridge;
beforeEach(() => {
  bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('mia', 'manager'),
    'config.get': () => config(),
    'config.set': () => config(),
    'config.mail': () => mail,
    'config.setMail': () => mail,
    'queues.list': () => ({
      queues: [],
      summary: {
        totalQueues: 0,
        totalRunning: 0,
        totalQueued: 0,
        totalCapacity: 0,
        utilizationPercentage: 0,
      },
      processed: true,
    }),
    'dags.validate': () => ({ valid: true, errors: [], diagnostics: [], baseDiagnostics: [] }),
  });
});

const show = () => renderWith(bridge, <InstallationSettings />);

test('a user without permission learns why', async () => {
  bridge.answers['auth.me'] = () => makeCurrentUser('vera', 'operator');
  show();
  expect(await screen.findByText('Requires the manager role. Your role is operator.')).toBeTruthy();
});

test('a value is saved on Enter, and reset to its default', async () => {
  bridge.answers['config.get'] = () =>
    config({ 'history.retentionDays': { value: '90', source: 'file', line: 3 } });
  bridge.answers['config.set'] = () =>
    config({ 'history.retentionDays': { value: '7', source: 'file', line: 3 } });
  show();
  const days = await screen.findByRole('textbox', { name: 'Runs and logs (days)' });
  expect(screen.getByText('config.yaml, line 3')).toBeTruthy();
  fireEvent.change(days, { target: { value: '7' } });
  fireEvent.keyDown(days, { key: 'Enter' });
  expect(await screen.findByText('Runs and logs saved.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Reset runs and logs to default (30)' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('config.set')).toEqual([
      { key: 'history.retentionDays', value: '7' },
      { key: 'history.retentionDays', value: null },
    ]),
  );
});

test('an invalid value is reported at its field, once', async () => {
  bridge.answers['config.set'] = () => {
    throw new AppError('bad_request', 'value: Use a whole number.', { details: { field: 'value' } });
  };
  show();
  const days = await screen.findByRole('textbox', { name: 'Runs and logs (days)' });
  fireEvent.change(days, { target: { value: 'many' } });
  fireEvent.keyDown(days, { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toBe('Use a whole number.');
  fireEvent.blur(days);
  expect(bridge.callsOf('config.set')).toHaveLength(1);
  expect(days.getAttribute('aria-invalid')).toBe('true');
});

test('a value of a variable is locked, and a pending restart is announced', async () => {
  bridge.answers['config.get'] = () =>
    config({
      'history.retentionDays': { source: 'variable', name: 'ENGINE_HISTORY_RETENTION_DAYS' },
      tz: { value: 'UTC', source: 'file', line: 1, restartPending: true },
    });
  show();
  const days = await screen.findByRole('textbox', { name: 'Runs and logs (days)' });
  expect(days).toHaveProperty('disabled', true);
  expect(screen.getByText('ENGINE_HISTORY_RETENTION_DAYS').parentElement?.textContent).toBe(
    'Set by ENGINE_HISTORY_RETENTION_DAYS; change it there',
  );
  expect(screen.getByText('Restart Stepwright to apply 1 change:').parentElement?.textContent).toContain(
    'tz',
  );
});

test('all settings can be searched', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: `Show ${editableSettings.length + 1}` }));
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search settings' }), {
    target: { value: 'TOKEN' },
  });
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'KeyValueSource',
    'auth.token.value********Default',
  ]);
});

test('the mail server is saved without its password, unless a new one is entered', async () => {
  show();
  const host = await screen.findByRole('textbox', { name: 'Host' });
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
  fireEvent.change(host, { target: { value: 'mail.example.com' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitUntilPasses(() => expect(bridge.callsOf('config.setMail')).toHaveLength(1));
  const [sent] = bridge.callsOf('config.setMail');
  expect(sent).toMatchObject({ host: 'mail.example.com', username: 'robot' });
  expect(sent).not.toHaveProperty('password');
});

test('a test mail shows the response of the server', async () => {
  bridge.answers['config.testMail'] = () => ({ sent: false, message: 'smtp.example.com:587 said 535 no' });
  show();
  const host = await screen.findByRole('textbox', { name: 'Host' });
  fireEvent.change(host, { target: { value: 'other.example.com' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Send a test mail…' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'To' }), { target: { value: 'ops@example.com' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Test mail not sent.')).toBeTruthy();
  expect(screen.getByText(/said 535 no/)).toBeTruthy();
  expect(bridge.callsOf('config.testMail')).toMatchObject([
    { host: 'other.example.com', to: 'ops@example.com' },
  ]);
  // Testing saves nothing.
  expect(bridge.callsOf('config.setMail')).toEqual([]);
});
