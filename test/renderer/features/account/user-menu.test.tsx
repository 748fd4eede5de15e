import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { UserMenu } from '../../../../renderer/features/account/user-menu.tsx';
import {
  FakeBridge,
  builtinInfo,
  renderWith,
  makeCurrentUser,
  makeUserView,
} from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

type CurrentUser = OperationOutput<'auth.me'>;
type Mode = OperationOutput<'auth.info'>['mode'];

const machine: CurrentUser = { name: 'desktop', role: 'admin', via: 'machine' };
const guest: CurrentUser = { name: 'ann@example.org', role: 'admin', via: 'session' };

function open(mode: Mode, me: CurrentUser) {
  const bridge = new FakeBridge({
    'auth.info': () => ({
      ...builtinInfo,
      mode,
      ...(mode === 'oidc' && { logins: [{ kind: 'oidc', logoutPath: '/flows/sign-out' }] }),
    }),
    'auth.me': () => me,
    'auth.logout': () => ({ loggedOut: true }),
    'auth.changePassword': ({ currentPassword }) => {
      if (currentPassword !== 'old secret') throw new AppError('forbidden', 'The current password is wrong.');
      return { token: 't', expiresAt: '2126-01-01T00:00:00.000Z', user: makeUserView(me.name) };
    },
  });
  return { bridge, ...renderWith(bridge, <UserMenu />) };
}

async function openMenu(): Promise<void> {
  const button = await screen.findByRole('button', { name: /account menu$/ });
  fireEvent.keyDown(button, { key: 'Enter' });
  fireEvent.keyUp(button, { key: 'Enter' });
  await screen.findByRole('menu');
}

const choose = (name: string): boolean => fireEvent.click(screen.getByRole('menuitem', { name }));

test.each([
  ['builtin', makeCurrentUser('ann', 'admin'), ['Change password…', 'Sign out']],
  ['oidc', guest, ['Sign out']],
] as const)('in mode %s the menu has the actions of the account', async (mode, me, entries) => {
  open(mode, me);
  await openMenu();
  await waitUntilPasses(() =>
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(entries),
  );
});

test('a user without actions is shown by name, without a menu', async () => {
  open('builtin', machine);
  expect(await screen.findByText('desktop')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('is hidden when authentication is off', async () => {
  const { bridge } = open('none', machine);
  await waitUntilPasses(() => expect(bridge.calls.map(({ name }) => name)).toContain('auth.info'));
  await waitUntilPasses(() => expect(screen.queryByRole('button')).toBeNull());
});

test('the menu shows name and role', async () => {
  open('builtin', makeCurrentUser('ann', 'admin'));
  expect(await screen.findByRole('button', { name: 'ann Admin account menu' })).toBeTruthy();
});

test('signing out clears the user, even if the session had already ended', async () => {
  const { bridge, session, location } = open('builtin', makeCurrentUser('ann'));
  location.navigate('/runs');
  bridge.answers['auth.logout'] = () => {
    throw new AppError('unauthorized', 'The session has ended.');
  };
  await openMenu();
  choose('Sign out');
  await waitUntilPasses(() =>
    expect(session.store.getState()).toMatchObject({ asking: 'left', who: undefined, person: 1 }),
  );
  expect(location.history.at(-1)).toBe('/');
});

test('a user of an identity provider signs out through it', async () => {
  open('oidc', guest);
  await openMenu();
  expect(screen.getByRole('menuitem', { name: 'Sign out' }).getAttribute('href')).toBe('/flows/sign-out');
});

test('a failed sign-out is reported', async () => {
  const { bridge, session } = open('builtin', makeCurrentUser('ann'));
  bridge.answers['auth.logout'] = () => {
    throw new AppError('unavailable', 'The engine cannot be reached.');
  };
  await openMenu();
  choose('Sign out');
  expect((await screen.findByRole('alert')).textContent).toContain('Could not sign out');
  expect(session.store.getState().asking).toBeUndefined();
});

test('changes the own password after checking the old one; a wrong one is reported', async () => {
  const { bridge } = open('builtin', makeCurrentUser('ann'));
  await openMenu();
  choose('Change password…');
  const submit = await screen.findByRole<HTMLButtonElement>('button', { name: 'Change password' });
  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'wrong' } });
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'short' } });
  expect(submit.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'long enough' } });
  fireEvent.click(submit);
  expect((await screen.findByRole('alert')).textContent).toContain('The current password is wrong.');
  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'old secret' } });
  fireEvent.click(submit);
  await waitUntilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.callsOf('auth.changePassword').at(-1)).toEqual({
    currentPassword: 'old secret',
    newPassword: 'long enough',
  });
  expect(screen.getByText(/Other sessions are signed out/)).toBeTruthy();
});

test('a password can be shown while it is typed', async () => {
  open('builtin', makeCurrentUser('ann'));
  await openMenu();
  choose('Change password…');
  const field = await screen.findByLabelText<HTMLInputElement>('New password');
  expect(field.type).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: 'Show new password' }));
  expect(field.type).toBe('text');
});
