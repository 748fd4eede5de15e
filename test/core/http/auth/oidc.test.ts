import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signInPath } from '../../../../core/auth/oidc/paths.ts';
import { retryAfterMs } from '../../../../core/auth/oidc/provider.ts';
import type { OidcSettings } from '../../../../core/auth/settings.ts';
import { findFreePort } from '../../../rig/servers/free-port.ts';
import { silentLogger } from '../../../rig/silent-logger.ts';
import { TestBrowser } from '../../../rig/test-browser.ts';
import { ask, byGroup, lastCaller, openHouse, signIn } from './oidc-house.ts';

test('a person signs in at the provider and comes back to where they were', async () => {
  await using house = await openHouse();
  expect((await ask(house)).status).toBe(401);
  const form = await house.browser.open(`${house.url}/auth/oidc/login?returnTo=%2F%3Fview%3Dall`);
  expect(form.url).toContain(`${house.issuer}/interaction/`);
  const authorization = new URL(house.browser.visited.find((url) => url.includes('/auth?'))!).searchParams;
  expect(authorization.get('code_challenge_method')).toBe('S256');
  expect(authorization.get('nonce')).toMatch(/^[\w-]{20,}$/);
  const page = await house.browser.signIn(form, 'ada');
  expect(page).toMatchObject({
    url: `${house.url}/?view=all`,
    status: 200,
    text: '<title>the web UI</title>',
  });
  expect((await ask(house)).status).toBe(200);
  expect(lastCaller(house)).toMatchObject({
    via: 'http',
    name: 'ada',
    role: 'admin',
    user: { id: 'oidc:ada' },
  });
  expect(house.browser.cookieNames.filter((name) => name.includes('_in_'))).toEqual([]);
});

test('a session ends with its time: calls are refused, the cookie goes, and the page is there to sign in anew', async () => {
  await using house = await openHouse();
  await signIn(house, 'ada');
  const [session = ''] = house.browser.cookieNames.filter((name) => /^stepwright_[0-9a-f]+$/.test(name));
  house.clock.advance(25 * 3600 * 1000);
  const refused = await ask(house);
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'unauthorized' }]);
  expect(house.browser.cookie(session)).toBeUndefined();
  const page = await house.browser.open(`${house.url}/`);
  expect([page.url, page.text]).toEqual([`${house.url}/`, '<title>the web UI</title>']);
});

test('the description of the API names the cookie of the sessions', async () => {
  await using house = await openHouse();
  await signIn(house, 'ada');
  const [session = ''] = house.browser.cookieNames.filter((name) => /^stepwright_[0-9a-f]+$/.test(name));
  expect(await (await ask(house, '/api/v2/openapi.json')).json()).toMatchObject({
    components: { securitySchemes: { cookie: { in: 'cookie', name: session } } },
  });
});

test('the login tells where sessions begin and end', async () => {
  await using house = await openHouse(byGroup, { basePath: '/flows' });
  expect(house.auth.logins()).toEqual([
    { kind: 'oidc', path: '/flows/auth/oidc/login', logoutPath: '/flows/auth/oidc/logout' },
  ]);
});

test('basic authentication counts beside the provider', async () => {
  await using house = await openHouse();
  const authorization = `Basic ${Buffer.from('script:basic password').toString('base64')}`;
  expect((await ask(house, '/api/v2/dags', { authorization })).status).toBe(200);
  expect(lastCaller(house)).toMatchObject({ name: 'script', role: 'admin' });
});

test('a provider that is down lets the server start, says so, and works once it is up', async () => {
  await using house = await openHouse(byGroup, { isDown: true });
  const page = await house.browser.open(house.url + signInPath);
  expect(page.status).toBe(503);
  expect(page.text).toContain(`The identity provider ${house.issuer} is unreachable`);
  const program = await ask(house, '/auth/oidc/login');
  expect([program.status, await program.json()]).toMatchObject([503, { code: 'unavailable' }]);
  await house.startProvider();
  expect((await ask(house, '/auth/oidc/login')).status).toBe(503);
  house.clock.advance(retryAfterMs);
  expect((await signIn(house, 'bob')).text).toContain('the web UI');
  expect((await ask(house)).status).toBe(200);
  expect(lastCaller(house)).toMatchObject({ name: 'bob', role: 'operator' });
});

test.each(['client_secret_basic', 'client_secret_post'] as const)(
  'a provider that does not take the secret of this server (%s) is named, with what to correct',
  async (clientAuth) => {
    await using house = await openHouse({ ...byGroup, clientSecret: 'not the one' }, { clientAuth });
    const page = await signIn(house, 'ada');
    expect(page.status).toBe(503);
    expect(page.text).toContain(
      'rejects the client &quot;stepwright&quot; or its secret, so sign-in is not possible. An admin must fix auth.oidc.clientId and AUTH_OIDC_CLIENT_SECRET.',
    );
    expect((await ask(house)).status).toBe(401);
  },
);

test.each([
  [
    'names itself otherwise',
    (issuer: string) => issuer.replace('127.0.0.1', 'localhost'),
    /so sign-in is not possible\. An admin must fix auth\.oidc\.issuer\./,
  ],
  ['is not at this address', (issuer: string) => `${issuer}/realms/main`, /returns status 404 for/],
])('a provider that %s is no outage: the issuer is to be corrected', async (_, rename, trouble) => {
  const warn = vi.spyOn(silentLogger, 'warn');
  onTestFinished(() => warn.mockRestore());
  const port = await findFreePort();
  const issuer = rename(`http://127.0.0.1:${port}`);
  await using house = await openHouse({ ...byGroup, issuer }, { port });
  const page = await house.browser.open(house.url + signInPath);
  expect(page.status).toBe(503);
  expect(page.text).toMatch(trouble);
  expect(page.text).toContain(', so sign-in is not possible. An admin must fix auth.oidc.issuer.');
  expect(warn.mock.lastCall?.[0]).toMatch(/: correct auth\.oidc\.issuer$/);
});

describe('an answer that does not belong to the sign-in is refused', () => {
  const change = (name: string, where: string) => (url: string) => {
    const changed = new URL(url);
    if (!changed.pathname.endsWith(where) || !changed.searchParams.has(name)) return url;
    changed.searchParams.set(name, 'something-else-altogether-'.repeat(2));
    return changed.href;
  };

  test.each([
    ['another state', change('state', '/auth/oidc/callback'), 401],
    ['a state that the provider was not given', change('state', '/auth'), 401],
    ['another nonce', change('nonce', '/auth'), 401],
    ['another challenge', change('code_challenge', '/auth'), 401],
    ['another code', change('code', '/auth/oidc/callback'), 401],
    ['another issuer', change('iss', '/auth/oidc/callback'), 401],
  ])('%s', async (_, detour, status) => {
    await using house = await openHouse();
    house.browser.detour = detour;
    const page = await signIn(house, 'ada');
    expect([page.status, house.provider.requests.length > 0]).toEqual([status, true]);
    expect(page.text).toContain('Sign in again.');
    expect((await ask(house)).status).toBe(401);
  });

  test('an answer counts once, and only in the browser that began', async () => {
    await using house = await openHouse();
    await signIn(house, 'ada');
    const callback = house.browser.visited.find((url) => url.includes('/callback?'))!;
    expect((await house.browser.fetch(callback)).status).toBe(401);
    expect((await new TestBrowser().fetch(callback)).status).toBe(401);
  });

  test('the refusal of the provider is passed on, as text', async () => {
    await using house = await openHouse();
    house.browser.detour = (url) => {
      const to = new URL(url);
      if (to.pathname !== '/auth') return url;
      const answer = new URL(`${house.url}/auth/oidc/callback`);
      answer.searchParams.set('state', to.searchParams.get('state')!);
      answer.searchParams.set('iss', house.issuer);
      answer.searchParams.set('error', 'access_denied');
      answer.searchParams.set('error_description', '<b>no</b>');
      return answer.href;
    };
    const page = await house.browser.open(house.url + signInPath);
    expect(page.status).toBe(403);
    expect(page.text).toContain('The identity provider rejected the sign-in: &lt;b&gt;no&lt;/b&gt;');
  });

  test('one that comes too late', async () => {
    await using house = await openHouse();
    const form = await house.browser.open(house.url + signInPath);
    house.clock.advance(11 * 60 * 1000);
    expect((await house.browser.signIn(form, 'ada')).status).toBe(401);
  });
});

describe('who is let in', () => {
  const enter = async (oidc: Partial<OidcSettings>, login: string) => {
    await using house = await openHouse({ ...byGroup, ...oidc });
    const page = await signIn(house, login);
    await ask(house);
    return { status: page.status, text: page.text, role: lastCaller(house)?.role };
  };

  test('whose claim gives no role is not, unless there is a default one', async () => {
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

describe('clients prove themselves as the provider wants it', () => {
  test.each(['client_secret_post', 'none'] as const)('%s', async (clientAuth) => {
    const secret = clientAuth === 'none' ? { clientSecret: undefined } : {};
    await using house = await openHouse({ ...byGroup, ...secret }, { clientAuth });
    expect((await signIn(house, 'ada')).status).toBe(200);
  });
});

describe('signing out', () => {
  test('ends the session here and at the provider', async () => {
    await using house = await openHouse();
    await signIn(house, 'ada');
    const [session = ''] = house.browser.cookieNames.filter((name) => /^stepwright_[0-9a-f]+$/.test(name));
    const token = house.browser.cookie(session)!;
    const page = await house.browser.open(`${house.url}/auth/oidc/logout`);
    expect(page.url).toContain(`${house.issuer}/session/end`);
    expect(page.url).toContain('id_token_hint=');
    expect(page.url).toContain(encodeURIComponent(`${house.url}/auth/oidc/signed-out`));
    expect(page.status).toBe(200);
    expect(house.browser.cookie(session)).toBeUndefined();
    house.browser.setCookie(session, token);
    expect((await ask(house)).status).toBe(401);
  });

  test('ends here where the provider offers nothing, or is down', async () => {
    await using house = await openHouse(byGroup, { withLogout: false });
    await signIn(house, 'ada');
    const page = await house.browser.open(`${house.url}/auth/oidc/logout`);
    expect(page).toMatchObject({ url: `${house.url}/auth/oidc/signed-out`, status: 200 });
    expect(page.text).toContain('You are signed out.');
    await house.stopProvider();
    expect((await house.browser.open(`${house.url}/auth/oidc/logout`)).text).toContain('You are signed out.');
  });

  test('is not for pages of other sites', async () => {
    await using house = await openHouse();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await fetch(`${house.url}/auth/oidc/logout`, { headers, redirect: 'manual' })).status).toBe(403);
  });
});

test('below a base path everything is there, and the way back leads nowhere else', async () => {
  await using house = await openHouse(byGroup, { basePath: '/tools/flows' });
  const back = encodeURIComponent('/tools/flows/?a=1#/runs');
  const page = await signIn(house, 'ada', `/auth/oidc/login?returnTo=${back}`);
  expect(page).toMatchObject({ url: `${house.url}/?a=1#/runs`, status: 200 });
  const elsewhere = await house.browser.open(`${house.url}/auth/oidc/login?returnTo=//evil.example/`);
  expect(elsewhere).toMatchObject({ url: `${house.url}/`, status: 200 });
});

test('a failure of the provider during the sign-in is not the fault of the person', async () => {
  await using house = await openHouse();
  const form = await house.browser.open(house.url + signInPath);
  const broken = createServer((_, response) => response.writeHead(502).end());
  let callback = '';
  house.browser.detour = (url) => {
    if (url.includes('/callback?')) callback = url;
    return url.includes('/callback?') ? `${house.url}/api/v2/health` : url;
  };
  await house.browser.signIn(form, 'ada');
  await house.stopProvider();
  broken.listen(Number(new URL(house.issuer).port), '127.0.0.1');
  await once(broken, 'listening');
  const reply = await house.browser.fetch(callback);
  expect(reply.status).toBe(503);
  broken.close();
});
