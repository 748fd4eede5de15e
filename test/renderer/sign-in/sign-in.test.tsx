import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { SessionBridge } from '../../../renderer/api/session/session-bridge.ts';
import { useDags } from '../../../renderer/api/queries/workflows/workflow-queries.ts';
import { useMe } from '../../../renderer/api/session/session-queries.ts';
import { findLoginAddress } from '../../../renderer/features/sign-in/login-address.ts';
import { SessionGate } from '../../../renderer/features/sign-in/session-gate.tsx';
import { FakeBridge } from '../../rig/fake-bridge.ts';
import { builtinInfo, renderWith, viewedMe, viewedUser } from '../../rig/render-with.tsx';
import { untilPasses } from '../../rig/until.ts';

afterEach(() => {
  sessionStorage.clear();
});

/** Where links have led by themselves; nothing is loaded here. */
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

/** A page with something typed, on a server that lets in whoever has the password "secret". */
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
    'auth.me': () => viewedMe(check()),
    'auth.login': ({ username, password }) => {
      if (password !== 'secret') throw new AppError('unauthorized', 'Wrong username or password.');
      server.who = username;
      return { token: 't', expiresAt: '2126-01-01T00:00:00.000Z', user: viewedUser(username) };
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

test('whoever has not signed in sees the form in place, and then the page', async () => {
  open();
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(screen.queryByText(/^Work of/)).toBeNull();
  await signIn(' ann ', 'secret');
  expect(await screen.findByText('Work of ann')).toBeTruthy();
  expect(await screen.findByText('The list is here')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Sign in' })).toBeNull();
});

test('nothing but that is asked before it is known who asks', async () => {
  const { bridge, session } = open();
  void new SessionBridge(bridge, session).call('dags.list', {});
  expect(document.querySelector('main')).toBeNull();
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(new Set(bridge.calls.map(({ name }) => name))).toEqual(new Set(['auth.info']));
});

test.each([
  ['whoever has a session already', {}, 'ann'],
  [
    'everybody where nobody is asked',
    { mode: 'none', required: false, logins: [], signedIn: true },
    'anybody',
  ],
  // The browser asks by itself for what basic authentication takes.
  ['everybody where the page has nothing to ask for', { mode: 'none', logins: [], signedIn: false }, 'basic'],
] as const)('%s is let in without seeing a form', async (_, info, who) => {
  open(info as Partial<OperationOutput<'auth.info'>>, who);
  const seen: boolean[] = [];
  await untilPasses(() => {
    seen.push(screen.queryByRole('heading', { name: 'Sign in' }) !== null);
    expect(screen.getByText(`Work of ${who}`)).toBeTruthy();
  });
  expect(seen).not.toContain(true);
});

test('a server that cannot be reached at first is said, and asked until it can', async () => {
  const { server } = open({}, 'ann');
  server.isAway = true;
  expect((await screen.findByRole('alert')).textContent).toContain('Cannot reach the engine');
  server.isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(await screen.findByText('Work of ann')).toBeTruthy();
});

test('a server that says yes and lets nobody in all the same leaves no empty page', async () => {
  open({ signedIn: true });
  expect(await screen.findByLabelText('Password')).toBeTruthy();
});

test('a session that ends in the middle of work is renewed over it, and nothing typed is lost', async () => {
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
  await untilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('half a sentence');
  expect(bridge.callsOf('dags.list').length).toBeGreaterThan(before + 1);
});

test('another person finds a page of their own', async () => {
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

test('a sign-in in another tab is noticed when this one is looked at', async () => {
  const { server } = open({}, 'ann');
  await screen.findByText('Work of ann');
  server.who = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('dialog');
  fireEvent.focus(window);
  server.who = 'ann';
  fireEvent.focus(window);
  await untilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a wrong password is said and leaves the name as it was typed', async () => {
  open();
  await signIn('ann', 'guess');
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong username or password.');
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ann');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in' }).disabled).toBe(false);
});

test('empty fields are said without asking the server', async () => {
  const { bridge } = open();
  await signIn('ann', '');
  expect((await screen.findByRole('alert')).textContent).toBe('Enter your username and password.');
  expect(bridge.callsOf('auth.login')).toEqual([]);
});

test('who guesses too often waits, sees for how long, and cannot try meanwhile', async () => {
  const { bridge } = open();
  bridge.answers['auth.login'] = () => {
    throw new AppError('too_many_requests', 'Too many wrong passwords. Try again in 1 s.', {
      details: { retryAfter: 1 },
    });
  };
  await signIn('ann', 'guess');
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Too many wrong passwords\. Try again in [12] s\.$/,
  );
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in' });
  expect(button.disabled).toBe(true);
  await untilPasses(() => expect(button.disabled).toBe(false));
  expect(screen.getByRole('alert').textContent).toBe('You can try again now.');
});

test('a browser that keeps no cookie is told so instead of being asked for ever', async () => {
  const { bridge, server } = open();
  bridge.answers['auth.login'] = () => {
    server.who = undefined;
    return { token: 't', expiresAt: '2126-01-01T00:00:00.000Z', user: viewedUser('ann') };
  };
  await signIn('ann', 'secret');
  expect((await screen.findByRole('alert')).textContent).toContain('did not store the session');
});

test('a server that cannot be reached is said, and tried again on demand', async () => {
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

test('a server without users says the command that makes the first one', async () => {
  open({ setupNeeded: true });
  expect(await screen.findByText('engine users create admin --role admin')).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('where single sign-on is the only way in, the page goes there by itself, once', async () => {
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

test('whoever was signed in meanwhile is taken to single sign-on anew', async () => {
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

test('single sign-on beside the password, or after signing out, waits to be chosen', async () => {
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

test('single sign-on over unfinished work opens a tab of its own', async () => {
  const { server } = open({ mode: 'oidc', logins: [oidc] }, 'ann');
  await screen.findByText('Work of ann');
  server.who = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  const link = await screen.findByRole('link', { name: 'Continue with single sign-on' });
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('href')).toBe('/auth/oidc/login?returnTo=%2F%23%2Fsigned-in');
});

test('an identity provider that is down is said', async () => {
  const problem = 'The identity provider at https://id.example cannot be reached.';
  open({ mode: 'oidc', logins: [{ ...oidc, problem }] });
  expect((await screen.findByRole('alert')).textContent).toBe(problem);
  expect(screen.queryByRole('link')).toBeNull();
});

test('the way back keeps the base path and the place in the application', () => {
  const page = { pathname: '/flows/', search: '?view=all', hash: '#/runs/etl/run-1' };
  expect(findLoginAddress('/flows/auth/oidc/login', page)).toBe(
    '/flows/auth/oidc/login?returnTo=%2Fflows%2F%3Fview%3Dall%23%2Fruns%2Fetl%2Frun-1',
  );
});
