import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SecretStoreView, SecretView } from '../../../../core/contract/config.ts';
import { SecretsPage } from '../../../../renderer/features/secrets/secrets-page.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const sales: SecretView = {
  name: 'sales',
  provider: 'store',
  changedAt: '2026-01-01T00:00:00.000Z',
  changedBy: 'ann',
  lastUsedAt: '2026-01-07T00:00:00.000Z',
  lastUsedBy: 'etl',
  usedBy: [
    { fileName: 'etl', workflow: 'etl', variable: 'TOKEN', steps: ['fetch', 'load'] },
    { fileName: 'report', workflow: 'report', variable: 'TOKEN', steps: [] },
  ],
  channels: ['ops-slack'],
};
const missing: SecretView = {
  name: 'api',
  provider: 'store',
  usedBy: [{ fileName: 'etl', workflow: 'etl', variable: 'API', steps: [] }],
  channels: [],
};
const fromVault: SecretView = { ...missing, name: 'secret/data/db#password', provider: 'vault' };
const open: SecretStoreView = { state: 'open', places: [], isWeak: false };

function openPage(secrets: SecretView[], store = open, role: 'manager' | 'viewer' = 'manager') {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'secrets.list': () => ({ secrets, store }),
    'secrets.set': ({ name }) => ({ name, changedAt: '2026-01-01T00:00:00.000Z', isNew: true }),
    'secrets.delete': ({ name }) => ({ name, changedAt: '2026-01-01T00:00:00.000Z' }),
  });
  renderWith(bridge, <SecretsPage />);
  return bridge;
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr')!);

test('each secret shows provider, workflows with steps, change and last use', async () => {
  openPage([missing, fromVault, sales]);
  const row = await rowOf('sales');
  expect(row.getByText('Set by ann')).toBeTruthy();
  expect(row.getByRole('link', { name: 'etl' })).toBeTruthy();
  expect(row.getByText(/and 2 more/)).toBeTruthy();
  expect(row.getByText('fetch, load')).toBeTruthy();
  const notStored = await rowOf('api');
  expect(notStored.getByText('Not stored')).toBeTruthy();
  expect(notStored.getByText('Never')).toBeTruthy();
  expect(notStored.queryByRole('button', { name: 'Delete api' })).toBeNull();
  expect((await rowOf('secret/data/db#password')).queryByRole('button')).toBeNull();
});

test('a secret is added with a hidden value, and a name with a space is rejected', async () => {
  const bridge = openPage([]);
  expect(await screen.findByText('No secrets yet')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add secret…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add secret' }));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'data base' } });
  expect(dialog.getByText(/^Use 1 to 128 letters/)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'db' } });
  const value = dialog.getByLabelText('Value');
  expect(value.getAttribute('type')).toBe('password');
  fireEvent.change(value, { target: { value: 'hunter2' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitUntilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.callsOf('secrets.set')).toEqual([{ name: 'db', value: 'hunter2' }]);
});

test('a missing secret is added under its name, and a key keeps its line breaks', async () => {
  const bridge = openPage([missing]);
  fireEvent.click((await rowOf('api')).getByRole('button', { name: 'Add api' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByLabelText('Several lines, such as a private key'));
  fireEvent.change(dialog.getByLabelText('Value'), { target: { value: 'line 1\nline 2\n' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitUntilPasses(() => expect(bridge.callsOf('secrets.set')).toHaveLength(1));
  expect(bridge.callsOf('secrets.set')).toEqual([{ name: 'api', value: 'line 1\nline 2\n' }]);
});

test('deleting asks first and names the workflows and channels that will fail', async () => {
  const bridge = openPage([sales]);
  fireEvent.click((await rowOf('sales')).getByRole('button', { name: 'Delete sales' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete sales?' }));
  expect(dialog.getByText(/2 workflows will fail to start: etl, report/).textContent).toContain(
    '1 notification channel cannot send: ops-slack.',
  );
  expect(bridge.callsOf('secrets.delete')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Delete secret' }));
  await waitUntilPasses(() => expect(bridge.callsOf('secrets.delete')).toEqual([{ name: 'sales' }]));
});

test('a locked store says which host has the key, and a weak keychain is named', async () => {
  openPage([sales], {
    state: 'locked',
    places: [],
    problem: 'Cannot open the store. Its key is in A.',
    isWeak: true,
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Its key is in A.');
  expect(screen.getByRole('note').textContent).toContain('No system keychain found');
});

test('a viewer reads why secrets cannot be added', async () => {
  openPage([], open, 'viewer');
  await waitUntilPasses(() => {
    const add = screen.getByRole('button', { name: 'Add secret…' });
    expect(add.getAttribute('aria-disabled')).toBe('true');
  });
});
