import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { SessionBridge } from '../../../../renderer/api/session.ts';
import { useDags } from '../../../../renderer/api/workflow-queries.ts';
import { useMe } from '../../../../renderer/api/session-queries.ts';
import { findLoginAddress } from '../../../../renderer/features/account/sign-in-methods.tsx';
import { SessionGate } from '../../../../renderer/features/account/session-gate.tsx';
import {
  FakeBridge,
  builtinInfo,
  renderWith,
  makeCurrentUser,
  makeUserView,
} from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

afterEach(() => {
  sessionStorage.clear();
});

/** URLs of automatic navigation; nothing is loaded here. */
function watchDepartures(): string[] {
  const departures: string[] = [];
  const note = (event: Event): void => {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    departures.push(link.getAttribute('href')!);
    event.preventDefault();
  };
  document.addEventListener('click', note);
  onTestFinished(() => document.removeEventListener('click', note));
  return departures;
}

const oidc = { kind: 'oidc', path: '/auth/oidc/login' } as const;

/** A page with input, on a server that accepts the password "secret". */
function open(info: Partial<OperationOutput<'auth.info'>> = {}, who?: string) {
  const server: { who: string | undefined; isAway: boolean } = { who, isAway: false };
  const check = (): string => {
    if (server.who !== undefined) return server.who;
    throw new AppError('unauthorized', 'This server asks for credentials.');
  };
  const bridge = new FakeBridge({
    'auth.info': async () => {
      await Promise.resolve();
      if (server.isAway)
        throw new AppError(
          'unavailable',
          'Cannot reach the engine at http://here. Check that it is running.',
        );
      return { ...builtinInfo, signedIn: server.who !== undefined, ...info };
    },
    'auth.me': () => makeCurrentUser(check()),
    'auth.login': ({ username, password }) => {
      if (password !== 'secret') throw new AppError('unauthorized', 'Wrong username or password.');
      server.who = username;
      return { token: 't', expiresAt: '2126-01-01T00:00:00.000Z', user: makeUserView(username) };
    },
    'dags.list': () => {
      check();
      return { dags: [], total: 0 };
    },
  });
  const { session } = renderWith(
    bridge,
    <SessionGate>
      <Work />
    </SessionGate>,
    { asking: 'unknown' },
  );
  return { server, bridge, session };
}

function Work() {
  const me = useMe().data;
  const dags = useDags();
  const [text, setText] = useState('');
  return (
    <>
      <h1>Work of {me?.name}</h1>
      <input aria-label="Note" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={() => void dags.refetch()}>
        Refresh
      </button>
      {dags.data && <p>The list is here</p>}
    </>
  );
}

async function signIn(username: string, password: string): Promise<void> {
  fireEvent.change(await screen.findByLabelText('Username'), { target: { value: username } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('shows the form in place before sign-in, and then the page', async () => {
  open();
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(screen.queryByText(/^Work of/)).toBeNull();
  await signIn(' ann ', 'secret');
  expect(await screen.findByText('Work of ann')).toBeTruthy();
  expect(await screen.findByText('The list is here')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Sign in' })).toBeNull();
});

test('requests nothing else until the user is known', async () => {
  const { bridge, session } = open();
  void new SessionBridge(bridge, session).call('dags.list', {});
  expect(document.querySelector('main')).toBeNull();
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(new Set(bridge.calls.map(({ name }) => name))).toEqual(new Set(['auth.info']));
});

test.each([
  ['a user with a session', {}, 'ann'],
  [
    'any user without authentication',
    { mode: 'none', required: false, logins: [], signedIn: true },
    'anybody',
  ],
  // The browser itself prompts for basic authentication.
  ['any user where the page has no form to show', { mode: 'none', logins: [], signedIn: false }, 'basic'],
] as const)('%s gets access without a form', async (_, info, who) => {
  open(info as Partial<OperationOutput<'auth.info'>>, who);
  const seen: boolean[] = [];
  await waitUntilPasses(() => {
    seen.push(screen.queryByRole('heading', { name: 'Sign in' }) !== null);
    expect(screen.getByText(`Work of ${who}`)).toBeTruthy();
  });
  expect(seen).not.toContain(true);
});

test('an unreachable server is reported, and polled until it responds', async () => {
  const { server } = open({}, 'ann');
  server.isAway = true;
  expect((await screen.findByRole('alert')).textContent).toContain('Cannot reach the engine');
  server.isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(await screen.findByText('Work of ann')).toBeTruthy();
});

test('a server that accepts the sign-in without granting access leaves no empty page', async () => {
  open({ signedIn: true });
  expect(await screen.findByLabelText('Password')).toBeTruthy();
});

test('a session that ends during work is renewed over it, without losing input', async () => {
  const { server, bridge } = open({}, 'ann');
  await screen.findByText('Work of ann');
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'half a sentence' } });
  server.who = undefined;
  const before = bridge.callsOf('dags.list').length;
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your session has ended' });
  fireEvent.keyDown(dialog, { key: 'Escape' });
  const name = await within(dialog).findByLabelText<HTMLInputElement>('Username');
  expect(name.value).toBe('ann');
  await signIn('ann', 'secret');
  await waitUntilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('half a sentence');
  expect(bridge.callsOf('dags.list').length).toBeGreaterThan(before + 1);
});

test('another user gets a fresh page', async () => {
  const { server } = open({}, 'ann');
  await screen.findByText('Work of ann');
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'for my eyes only' } });
  server.who = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('dialog');
  await signIn('bob', 'secret');
  expect(await screen.findByText('Work of bob')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('');
});

test('a sign-in in another tab is noticed when this one gets focus', async () => {
  const { server } = open({}, 'ann');
  await screen.findByText('Work of ann');
  server.who = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('dialog');
  fireEvent.focus(window);
  server.who = 'ann';
  fireEvent.focus(window);
  await waitUntilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a wrong password is reported and keeps the user name', async () => {
  open();
  await signIn('ann', 'guess');
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong username or password.');
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ann');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in' }).disabled).toBe(false);
});

test('empty fields are reported without a request', async () => {
  const { bridge } = open();
  await signIn('ann', '');
  expect((await screen.findByRole('alert')).textContent).toBe('Enter your username and password.');
  expect(bridge.callsOf('auth.login')).toEqual([]);
});

test('after too many attempts the form is disabled, and shows for how long', async () => {
  const { bridge } = open();
  bridge.answers['auth.login'] = () => {
    throw new AppError('too_many_requests', 'Too many wrong passwords. Try again in 1 s.', {
      details: { retryAfter: 1 },
    });
  };
  await signIn('ann', 'guess');
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Too many failed attempts\. Try again in [12] s\.$/,
  );
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in' });
  expect(button.disabled).toBe(true);
  await waitUntilPasses(() => expect(button.disabled).toBe(false));
  expect(screen.getByRole('alert').textContent).toBe('You can try again now.');
});

test('a browser without cookies gets an error instead of endless prompts', async () => {
  const { bridge, server } = open();
  bridge.answers['auth.login'] = () => {
    server.who = undefined;
    return { token: 't', expiresAt: '2126-01-01T00:00:00.000Z', user: makeUserView('ann') };
  };
  await signIn('ann', 'secret');
  expect((await screen.findByRole('alert')).textContent).toContain('did not store the session');
});

test('an unreachable server is reported, and retried on request', async () => {
  const { bridge, session } = open();
  bridge.answers['auth.info'] = () => {
    throw new AppError('unavailable', 'Cannot reach the engine at http://here. Check that it is running.');
  };
  void session.ask();
  expect((await screen.findByRole('alert')).textContent).toContain('Cannot reach the engine');
  bridge.answers['auth.info'] = () => builtinInfo;
  fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(await screen.findByLabelText('Password')).toBeTruthy();
});

test('a server without users shows the command that creates the first one', async () => {
  open({ setupNeeded: true });
  expect(await screen.findByText('engine users create admin --role admin')).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('the page redirects to single sign-on once if it is the only method', async () => {
  const departures = watchDepartures();
  open({ mode: 'oidc', logins: [oidc] });
  await screen.findByRole('link', { name: 'Continue with single sign-on' });
  expect(departures).toEqual(['/auth/oidc/login?returnTo=%2F']);
  expect(screen.queryByLabelText('Password')).toBeNull();
  expect(screen.queryByText(/allow cookies/)).toBeNull();
  cleanup();
  open({ mode: 'oidc', logins: [oidc] });
  expect(await screen.findByText(/allow cookies/)).toBeTruthy();
  expect(departures).toHaveLength(1);
});

test('a user who was signed in meanwhile is redirected to single sign-on again', async () => {
  const departures = watchDepartures();
  open({ mode: 'oidc', logins: [oidc] });
  await screen.findByRole('link');
  cleanup();
  open({ mode: 'oidc', logins: [oidc] }, 'ann');
  await screen.findByText('Work of ann');
  cleanup();
  open({ mode: 'oidc', logins: [oidc] });
  await screen.findByRole('link');
  expect(departures).toHaveLength(2);
});

test('single sign-on next to a password, or after signing out, needs a click', async () => {
  const departures = watchDepartures();
  open({ logins: [{ kind: 'password' }, oidc] });
  expect(await screen.findByLabelText('Password')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Continue with single sign-on' })).toBeTruthy();
  cleanup();
  const { server, session } = open({ mode: 'oidc', logins: [oidc] }, 'ann');
  await screen.findByText('Work of ann');
  server.who = undefined;
  act(() => session.leave());
  expect(await screen.findByRole('link', { name: 'Continue with single sign-on' })).toBeTruthy();
  expect(departures).toEqual([]);
});

test('single sign-on over unsaved work opens another tab', async () => {
  const { server } = open({ mode: 'oidc', logins: [oidc] }, 'ann');
  await screen.findByText('Work of ann');
  server.who = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  const link = await screen.findByRole('link', { name: 'Continue with single sign-on' });
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('href')).toBe('/auth/oidc/login?returnTo=%2F%23%2Fsigned-in');
});

test('an unavailable identity provider is reported', async () => {
  const problem = 'The identity provider at https://id.example cannot be reached.';
  open({ mode: 'oidc', logins: [{ ...oidc, problem }] });
  expect((await screen.findByRole('alert')).textContent).toBe(problem);
  expect(screen.queryByRole('link')).toBeNull();
});

test('the return URL keeps the base path and the route', () => {
  const page = { pathname: '/flows/', search: '?view=all', hash: '#/runs/etl/run-1' };
  expect(findLoginAddress('/flows/auth/oidc/login', page)).toBe(
    '/flows/auth/oidc/login?returnTo=%2Fflows%2F%3Fview%3Dall%23%2Fruns%2Fetl%2Frun-1',
  );
});
