import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { KeysDialog } from '../../../renderer/app/keys-dialog.tsx';
import { FakeBridge, builtinInfo, renderWith, makeCurrentUser } from '../renderer-harness.tsx';

const show = (info: typeof builtinInfo): void => {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'admin'),
    'auth.info': () => info,
  });
  renderWith(bridge, <KeysDialog go={() => undefined} onClose={() => undefined} />);
};

test('the table lists the users and tokens pages with sign-in', async () => {
  show({ ...builtinInfo, signedIn: true });
  expect(await screen.findByText('Users')).toBeTruthy();
  expect(screen.getByText('API tokens')).toBeTruthy();
});

test('the table omits them without sign-in, since their shortcuts lead nowhere', async () => {
  show({ ...builtinInfo, mode: 'none', required: false, logins: [] });
  expect(await screen.findByText('Audit')).toBeTruthy();
  expect(screen.queryByText('Users')).toBeNull();
  expect(screen.queryByText('API tokens')).toBeNull();
});
