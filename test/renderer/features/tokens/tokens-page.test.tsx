import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { TokenView } from '../../../../core/contract/accounts.ts';
import { TokensPage } from '../../../../renderer/features/tokens/tokens-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

const deploy: TokenView = {
  id: 'token-1',
  name: 'deploy',
  role: 'operator',
  owner: 'ann',
  hint: 'swt_3fQ9',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const old: TokenView = {
  ...deploy,
  id: 'token-2',
  name: 'old',
  expiresAt: '2026-01-08T00:00:00.000Z',
  lastUsedAt: '2026-01-07T00:00:00.000Z',
};

function open(tokens: TokenView[], role: TokenView['role'] = 'operator') {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'tokens.list': () => ({ tokens }),
    'tokens.create': ({ name, role: given }) => ({
      token: { ...deploy, name, role: given },
      secret: 'swt_the-whole-secret',
    }),
    'tokens.delete': () => deploy,
  });
  renderWith(bridge, <TokensPage />);
  return bridge;
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr')!);

test('each token shows role, owner, last use and expiry, and never its secret', async () => {
  open([deploy, old]);
  const first = await rowOf('deploy');
  expect(first.getByText('swt_3fQ9…')).toBeTruthy();
  expect(first.getByText('Operator')).toBeTruthy();
  expect(first.getAllByText('Never')).toHaveLength(2);
  expect((await rowOf('old')).getByText(/^Expired/)).toBeTruthy();
});

test('a new token shows its secret once, and an accidental click does not close it', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  const bridge = open([]);
  expect(await screen.findByText('No API tokens yet')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'New token…' }));
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: ' ci ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create token' }));
  const dialog = await screen.findByRole('dialog', { name: 'Token ci' });
  expect(bridge.callsOf('tokens.create')).toEqual([{ name: 'ci', role: 'viewer', expiresInDays: 90 }]);
  expect(within(dialog).getByText('swt_the-whole-secret')).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Copy token' }));
  expect(writeText).toHaveBeenCalledWith('swt_the-whole-secret');
  fireEvent.keyDown(dialog, { key: 'Escape' });
  expect(screen.getByText('swt_the-whole-secret')).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitUntilPasses(() => expect(screen.queryByText('swt_the-whole-secret')).toBeNull());
});

test("offers no role above the user's own", async () => {
  open([], 'operator');
  fireEvent.click(await screen.findByRole('button', { name: 'New token…' }));
  const choice = screen.getByRole('button', { name: /Role$/ });
  await waitUntilPasses(() => {
    fireEvent.keyDown(choice, { key: 'Enter' });
    fireEvent.keyUp(choice, { key: 'Enter' });
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Viewer', 'Operator']);
  });
});

test('revokes a token after confirmation', async () => {
  const bridge = open([deploy]);
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke deploy' }));
  expect(bridge.callsOf('tokens.delete')).toEqual([]);
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke token' }));
  await waitUntilPasses(() => expect(bridge.callsOf('tokens.delete')).toEqual([{ tokenId: 'token-1' }]));
  await waitUntilPasses(() => expect(bridge.callsOf('tokens.list')).toHaveLength(2));
});
