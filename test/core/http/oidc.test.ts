import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signInPath, retryAfterMs } from '../../../core/api/auth/oidc/provider.ts';
import type { OidcSettings } from '../../../core/api/auth/identity.ts';
import { findFreePort } from '../../harness/servers/ports.ts';
import { silentLogger } from '../../harness/fakes.ts';
import { TestBrowser, ask, rolesByGroup, lastCaller, openOidcHarness, signIn } from './oidc-harness.ts';

test('a user signs in at the provider and returns to the same page', async () => {
  await using harness = await openOidcHarness();
  expect((await ask(harness)).status).toBe(401);
  const form = await harness.browser.open(`${harness.url}/auth/oidc/login?returnTo=%2F%3Fview%3Dall`);
  expect(form.url).toContain(`${harness.issuer}/interaction/`);
  const authorization = new URL(harness.browser.visited.find((url) => url.includes('/auth?'))!).searchParams;
  expect(authorization.get('code_challenge_method')).toBe('S256');
  expect(authorization.get('nonce')).toMatch(/^[\w-]{20,}$/);
  const page = await harness.browser.signIn(form, 'ada');
  expect(page).toMatchObject({
    url: `${harness.url}/?view=all`,
    status: 200,
    text: '<title>the web UI</title>',
  });
  expect((await ask(harness)).status).toBe(200);
  expect(lastCaller(harness)).toMatchObject({
    via: 'http',
    name: 'ada',
    role: 'admin',
    user: { id: 'oidc:ada' },
  });
  expect(harness.browser.cookieNames.filter((name) => name.includes('_in_'))).toEqual([]);
});

test('a session expires: calls are rejected, the cookie is cleared, and the page can sign in again', async () => {
  await using harness = await openOidcHarness();
  await signIn(harness, 'ada');
  const [session = ''] = harness.browser.cookieNames.filter((name) => /^stepwright_[0-9a-f]+$/.test(name));
  harness.clock.advance(25 * 3600 * 1000);
  const refused = await ask(harness);
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'unauthorized' }]);
  expect(harness.browser.cookie(session)).toBeUndefined();
  const page = await harness.browser.open(`${harness.url}/`);
  expect([page.url, page.text]).toEqual([`${harness.url}/`, '<title>the web UI</title>']);
});

test('the API description names the session cookie', async () => {
  await using harness = await openOidcHarness();
  await signIn(harness, 'ada');
  const [session = ''] = harness.browser.cookieNames.filter((name) => /^stepwright_[0-9a-f]+$/.test(name));
  expect(await (await ask(harness, '/api/v2/openapi.json')).json()).toMatchObject({
    components: { securitySchemes: { cookie: { in: 'cookie', name: session } } },
  });
});

test('the login settings tell where sessions start and end', async () => {
  await using harness = await openOidcHarness(rolesByGroup, { basePath: '/flows' });
  expect(harness.auth.logins()).toEqual([
    { kind: 'oidc', path: '/flows/auth/oidc/login', logoutPath: '/flows/auth/oidc/logout' },
  ]);
});

test('basic authentication works next to the provider', async () => {
  await using harness = await openOidcHarness();
  const authorization = `Basic ${Buffer.from('script:basic password').toString('base64')}`;
  expect((await ask(harness, '/api/v2/dags', { authorization })).status).toBe(200);
  expect(lastCaller(harness)).toMatchObject({ name: 'script', role: 'admin' });
});

test('the server starts while the provider is down, reports it, and works once it is up', async () => {
  await using harness = await openOidcHarness(rolesByGroup, { isDown: true });
  const page = await harness.browser.open(harness.url + signInPath);
  expect(page.status).toBe(503);
  expect(page.text).toContain(`The identity provider ${harness.issuer} is unreachable`);
  const program = await ask(harness, '/auth/oidc/login');
  expect([program.status, await program.json()]).toMatchObject([503, { code: 'unavailable' }]);
  await harness.startProvider();
  expect((await ask(harness, '/auth/oidc/login')).status).toBe(503);
  harness.clock.advance(retryAfterMs);
  expect((await signIn(harness, 'bob')).text).toContain('the web UI');
  expect((await ask(harness)).status).toBe(200);
  expect(lastCaller(harness)).toMatchObject({ name: 'bob', role: 'operator' });
});

test.each(['client_secret_basic', 'client_secret_post'] as const)(
  'names a provider that rejects the client secret of this server (%s), with a hint',
  async (clientAuth) => {
    await using harness = await openOidcHarness(
      { ...rolesByGroup, clientSecret: 'not the one' },
      { clientAuth },
    );
    const page = await signIn(harness, 'ada');
    expect(page.status).toBe(503);
    expect(page.text).toContain(
      'rejects the client &quot;stepwright&quot; or its secret, so sign-in is not possible. An admin must fix auth.oidc.clientId and AUTH_OIDC_CLIENT_SECRET.',
    );
    expect((await ask(harness)).status).toBe(401);
  },
);

test.each([
  [
    'reports another issuer',
    (issuer: string) => issuer.replace('127.0.0.1', 'localhost'),
    /reports the issuer http:\/\/127\.0\.0\.1:\d+, so sign-in/,
  ],
  ['is not at this URL', (issuer: string) => `${issuer}/realms/main`, /returns status 404 for/],
])('a provider that %s is not an outage: the issuer must be corrected', async (_, rename, problem) => {
  const warn = vi.spyOn(silentLogger, 'warn');
  onTestFinished(() => warn.mockRestore());
  const port = await findFreePort();
  const issuer = rename(`http://127.0.0.1:${port}`);
  await using harness = await openOidcHarness({ ...rolesByGroup, issuer }, { port });
  const page = await harness.browser.open(harness.url + signInPath);
  expect(page.status).toBe(503);
  expect(page.text).toMatch(problem);
  expect(page.text).toContain(', so sign-in is not possible. An admin must fix auth.oidc.issuer.');
  expect(warn.mock.lastCall?.[0]).toMatch(/: check auth\.oidc\.issuer$/);
});

describe('rejects a callback that does not belong to the sign-in', () => {
  const change = (name: string, where: string) => (url: string) => {
    const changed = new URL(url);
    if (!changed.pathname.endsWith(where) || !changed.searchParams.has(name)) return url;
    changed.searchParams.set(name, 'something-else-altogether-'.repeat(2));
    return changed.href;
  };

  test.each([
    ['another state', change('state', '/auth/oidc/callback'), 401],
    ['a state that was not sent to the provider', change('state', '/auth'), 401],
    ['another nonce', change('nonce', '/auth'), 401],
    ['another challenge', change('code_challenge', '/auth'), 401],
    ['another code', change('code', '/auth/oidc/callback'), 401],
    ['another issuer', change('iss', '/auth/oidc/callback'), 401],
  ])('%s', async (_, detour, status) => {
    await using harness = await openOidcHarness();
    harness.browser.detour = detour;
    const page = await signIn(harness, 'ada');
    expect([page.status, harness.provider.requests.length > 0]).toEqual([status, true]);
    expect(page.text).toContain('Sign in again.');
    expect((await ask(harness)).status).toBe(401);
  });

  test('a callback is valid once, and only in the browser that started', async () => {
    await using harness = await openOidcHarness();
    await signIn(harness, 'ada');
    const callback = harness.browser.visited.find((url) => url.includes('/callback?'))!;
    expect((await harness.browser.fetch(callback)).status).toBe(401);
    expect((await new TestBrowser().fetch(callback)).status).toBe(401);
  });

  test('shows the provider’s error as text', async () => {
    await using harness = await openOidcHarness();
    harness.browser.detour = (url) => {
      const to = new URL(url);
      if (to.pathname !== '/auth') return url;
      const answer = new URL(`${harness.url}/auth/oidc/callback`);
      answer.searchParams.set('state', to.searchParams.get('state')!);
      answer.searchParams.set('iss', harness.issuer);
      answer.searchParams.set('error', 'access_denied');
      answer.searchParams.set('error_description', '<b>no</b>');
      return answer.href;
    };
    const page = await harness.browser.open(harness.url + signInPath);
    expect(page.status).toBe(403);
    expect(page.text).toContain('The identity provider rejected the sign-in: &lt;b&gt;no&lt;/b&gt;');
  });

  test('late callback', async () => {
    await using harness = await openOidcHarness();
    const form = await harness.browser.open(harness.url + signInPath);
    harness.clock.advance(11 * 60 * 1000);
    expect((await harness.browser.signIn(form, 'ada')).status).toBe(401);
  });
});

describe('access control', () => {
  const enter = async (oidc: Partial<OidcSettings>, login: string) => {
    await using harness = await openOidcHarness({ ...rolesByGroup, ...oidc });
    const page = await signIn(harness, login);
    await ask(harness);
    return { status: page.status, text: page.text, role: lastCaller(harness)?.role };
  };

  test('without a role claim it depends on the default role', async () => {
    expect(await enter({}, 'eve')).toMatchObject({
      status: 403,
      text: expect.stringContaining(
        'eve has no role on this server: no value of the claim &quot;groups&quot; is mapped to a role.',
      ),
      role: undefined,
    });
    expect(await enter({ defaultRole: 'viewer' }, 'eve')).toMatchObject({ status: 200, role: 'viewer' });
  });

  test('by mail address and by domain', async () => {
    expect(await enter({ allowedEmails: ['Ada@Example.com'] }, 'ada')).toMatchObject({ role: 'admin' });
    expect(await enter({ allowedEmails: ['ada@example.com'] }, 'bob')).toMatchObject({
      status: 403,
      text: expect.stringContaining('bob@example.org is not allowed to sign in on this server.'),
    });
    expect(await enter({ allowedDomains: ['example.org'] }, 'bob')).toMatchObject({ role: 'operator' });
    const unproven = { allowedDomains: ['example.com'], defaultRole: 'viewer' } as const;
    expect(await enter(unproven, 'eve')).toMatchObject({
      status: 403,
      text: expect.stringContaining('has not verified'),
    });
  });
});

describe('client authentication methods of the provider', () => {
  test.each(['client_secret_post', 'none'] as const)('%s', async (clientAuth) => {
    const secret = clientAuth === 'none' ? { clientSecret: undefined } : {};
    await using harness = await openOidcHarness({ ...rolesByGroup, ...secret }, { clientAuth });
    expect((await signIn(harness, 'ada')).status).toBe(200);
  });
});

describe('signing out', () => {
  test('ends the session here and at the provider', async () => {
    await using harness = await openOidcHarness();
    await signIn(harness, 'ada');
    const [session = ''] = harness.browser.cookieNames.filter((name) => /^stepwright_[0-9a-f]+$/.test(name));
    const token = harness.browser.cookie(session)!;
    const page = await harness.browser.open(`${harness.url}/auth/oidc/logout`);
    expect(page.url).toContain(`${harness.issuer}/session/end`);
    expect(page.url).toContain('id_token_hint=');
    expect(page.url).toContain(encodeURIComponent(`${harness.url}/auth/oidc/signed-out`));
    expect(page.status).toBe(200);
    expect(harness.browser.cookie(session)).toBeUndefined();
    harness.browser.setCookie(session, token);
    expect((await ask(harness)).status).toBe(401);
  });

  test('ends it here where the provider has no logout, or is down', async () => {
    await using harness = await openOidcHarness(rolesByGroup, { withLogout: false });
    await signIn(harness, 'ada');
    const page = await harness.browser.open(`${harness.url}/auth/oidc/logout`);
    expect(page).toMatchObject({ url: `${harness.url}/auth/oidc/signed-out`, status: 200 });
    expect(page.text).toContain('You are signed out.');
    await harness.stopProvider();
    expect((await harness.browser.open(`${harness.url}/auth/oidc/logout`)).text).toContain(
      'You are signed out.',
    );
  });

  test('is rejected from pages of other sites', async () => {
    await using harness = await openOidcHarness();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await fetch(`${harness.url}/auth/oidc/logout`, { headers, redirect: 'manual' })).status).toBe(
      403,
    );
  });
});

test('works below a base path, and redirects only within it', async () => {
  await using harness = await openOidcHarness(rolesByGroup, { basePath: '/tools/flows' });
  const back = encodeURIComponent('/tools/flows/?a=1#/runs');
  const page = await signIn(harness, 'ada', `/auth/oidc/login?returnTo=${back}`);
  expect(page).toMatchObject({ url: `${harness.url}/?a=1#/runs`, status: 200 });
  const elsewhere = await harness.browser.open(`${harness.url}/auth/oidc/login?returnTo=//evil.example/`);
  expect(elsewhere).toMatchObject({ url: `${harness.url}/`, status: 200 });
});

test('a failure of the provider during the sign-in is not a user error', async () => {
  await using harness = await openOidcHarness();
  const form = await harness.browser.open(harness.url + signInPath);
  const broken = createServer((_, response) => response.writeHead(502).end());
  let callback = '';
  harness.browser.detour = (url) => {
    if (url.includes('/callback?')) callback = url;
    return url.includes('/callback?') ? `${harness.url}/api/v2/health` : url;
  };
  await harness.browser.signIn(form, 'ada');
  await harness.stopProvider();
  broken.listen(Number(new URL(harness.issuer).port), '127.0.0.1');
  await once(broken, 'listening');
  const reply = await harness.browser.fetch(callback);
  expect(reply.status).toBe(503);
  broken.close();
});
