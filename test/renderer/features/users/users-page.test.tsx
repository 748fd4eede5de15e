import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { UsersPage } from '../../../../renderer/features/users/users-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser, makeUserView } from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

const lastAdmin = '"ann" is the only admin and keeps that role. Make another user an admin first.';

function open() {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'admin'),
    'users.list': () => ({ users: [makeUserView('ann', 'admin'), makeUserView('bob', 'viewer')] }),
    'users.create': ({ username, role }) => makeUserView(username, role),
    'users.update': () => makeUserView('bob', 'operator'),
    'users.delete': () => makeUserView('bob'),
    'users.resetPassword': () => makeUserView('bob'),
  });
  renderWith(bridge, <UsersPage />);
  return bridge;
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr')!);

/** Opens a select and picks a value. */
async function pick(label: string, value: string): Promise<void> {
  const button = await screen.findByRole('button', { name: new RegExp(label) });
  fireEvent.keyDown(button, { key: 'Enter' });
  fireEvent.keyUp(button, { key: 'Enter' });
  const option = await screen.findByRole('option', { name: value });
  fireEvent.keyDown(option, { key: 'Enter' });
  fireEvent.keyUp(option, { key: 'Enter' });
}

test('the table shows roles, and marks the own row', async () => {
  open();
  expect((await rowOf('ann')).getByText(/including users and tokens/)).toBeTruthy();
  expect(await (await rowOf('ann')).findByText('(you)')).toBeTruthy();
  expect((await rowOf('bob')).queryByText('(you)')).toBeNull();
});

test('creates a user with name, password and role; an error leaves the dialog open', async () => {
  const bridge = open();
  bridge.answers['users.create'] = () => {
    throw new AppError('already_exists', 'User "cleo" already exists. Choose another name.');
  };
  fireEvent.click(await screen.findByRole('button', { name: 'New user…' }));
  fireEvent.change(screen.getByLabelText('Username'), { target: { value: ' cleo ' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'long enough' } });
  await pick('Role$', 'Operator');
  expect(screen.getByText(/Also start, stop and retry runs/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Create user' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Choose another name');
  bridge.answers['users.create'] = ({ username, role }) => makeUserView(username, role);
  fireEvent.click(screen.getByRole('button', { name: 'Create user' }));
  await waitUntilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.callsOf('users.create').at(-1)).toEqual({
    username: 'cleo',
    password: 'long enough',
    role: 'operator',
  });
  await waitUntilPasses(() => expect(bridge.callsOf('users.list')).toHaveLength(2));
});

test('renames a user; an error leaves the dialog open', async () => {
  const bridge = open();
  bridge.answers['users.update'] = () => {
    throw new AppError('already_exists', 'User "ann" already exists. Choose another name.');
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Rename bob' }));
  const field = screen.getByLabelText<HTMLInputElement>('Username');
  expect(field.value).toBe('bob');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Rename user' }).disabled).toBe(true);
  fireEvent.change(field, { target: { value: 'ann' } });
  fireEvent.click(screen.getByRole('button', { name: 'Rename user' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Choose another name');
  bridge.answers['users.update'] = () => makeUserView('bobby', 'viewer');
  fireEvent.change(field, { target: { value: ' bobby ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Rename user' }));
  await waitUntilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.callsOf('users.update').at(-1)).toEqual({ userId: 'id-bob', username: 'bobby' });
});

test('changes the role of another user in place', async () => {
  const bridge = open();
  await pick('Role of bob', 'Operator');
  await waitUntilPasses(() =>
    expect(bridge.callsOf('users.update')).toEqual([{ userId: 'id-bob', role: 'operator' }]),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('changing the own role needs confirmation, and the last admin cannot change it', async () => {
  const bridge = open();
  bridge.answers['users.update'] = () => {
    throw new AppError('forbidden', lastAdmin);
  };
  await (await rowOf('ann')).findByText('(you)');
  await pick('Role of ann', 'Viewer');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your own role?' }));
  expect(bridge.callsOf('users.update')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Change to viewer' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('is the only admin');
});

test('resets a password after it was entered', async () => {
  const bridge = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Reset password for bob' }));
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'fresh secret' } });
  fireEvent.click(screen.getByRole('button', { name: 'Reset password' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('users.resetPassword')).toEqual([
      { userId: 'id-bob', newPassword: 'fresh secret' },
    ]),
  );
  expect(await screen.findByText(/Password reset for bob/)).toBeTruthy();
});

test('deletes a user after confirmation, and Enter alone does not confirm', async () => {
  const bridge = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Delete bob' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Delete bob?' }));
  await waitUntilPasses(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(bridge.callsOf('users.delete')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Delete bob' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete user' }));
  await waitUntilPasses(() => expect(bridge.callsOf('users.delete')).toEqual([{ userId: 'id-bob' }]));
});

test('users cannot delete themselves, and the reason is reachable', async () => {
  const bridge = open();
  await (await rowOf('ann')).findByText('(you)');
  const button = screen.getByRole('button', { name: 'Delete ann' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.keyDown(document.body, { key: 'Tab' });
  button.focus();
  expect((await screen.findByRole('tooltip')).textContent).toContain('cannot delete your own account');
  fireEvent.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(bridge.callsOf('users.delete')).toEqual([]);
});

test('a non-admin sees why there is no list', async () => {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('bob'),
    'users.list': () => {
      throw new AppError('forbidden', '"bob" has the role viewer; users.list takes the role admin.');
    },
  });
  renderWith(bridge, <UsersPage />);
  expect(await screen.findByText('Only admins can manage users')).toBeTruthy();
  expect(screen.getByText('Requires the admin role. Your role is viewer.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'New user…' })).toBeNull();
});
