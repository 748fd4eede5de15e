import { describe, expect, it } from 'vitest';
import { serveWithAuth } from '../../../harness/server.ts';

const newPassword = 'another password';

describe('user', () => {
  it('logs in, reads the account, and logs out', async () => {
    await using server = await serveWithAuth();
    expect((await server.ask('GET /auth')).body).toEqual({
      mode: 'builtin',
      required: true,
      logins: [{ kind: 'password' }],
      setupNeeded: true,
      signedIn: false,
    });
    expect((await server.ask('GET /dags')).body.message).toContain('engine users create NAME --role admin');
    await server.enter('ann', 'admin');
    const login = await server.ask('POST /auth/login', {
      body: { username: 'Ann', password: 'password of ann' },
    });
    expect(login).toMatchObject({ status: 200, body: { user: { username: 'ann', role: 'admin' } } });
    const { token, expiresAt } = login.body as { token: string; expiresAt: string };
    expect((await server.ask('GET /auth/me', { as: token })).body).toMatchObject({
      name: 'ann',
      role: 'admin',
      via: 'session',
      user: { username: 'ann' },
      expiresAt,
    });
    expect((await server.ask('POST /auth/logout', { as: token, body: {} })).body).toEqual({
      loggedOut: true,
    });
    expect(await server.ask('GET /auth/me', { as: token })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized', message: 'The session has ended. Sign in again.' },
    });
  });

  it('can check for a session without an error, and an expired cookie is cleared', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    const login = await server.ask('POST /auth/login', {
      body: { username: 'ann', password: 'password of ann' },
    });
    const cookie = login.headers.get('set-cookie')!.split(';', 1)[0]!;
    const look = () => server.ask('GET /auth', { headers: { cookie } });
    const known = await look();
    expect([known.body.signedIn, known.headers.get('set-cookie')]).toEqual([true, null]);
    expect((await server.ask('GET /auth', { as: token })).body.signedIn).toBe(false);
    await server.ask('POST /auth/logout', { as: cookie.split('=')[1]!, body: {} });
    const ended = await look();
    expect([ended.status, ended.body.signedIn]).toEqual([200, false]);
    expect(ended.headers.get('set-cookie')).toContain('Max-Age=0');
  });

  it('gets the same error for a wrong name or password, and must wait after ten', async () => {
    await using server = await serveWithAuth();
    await server.enter('ann', 'admin');
    const login = (username: string, password: string) =>
      server.ask('POST /auth/login', { body: { username, password } });
    const [wrong, unknown] = [await login('ann', 'x'), await login('bob', 'password of ann')];
    expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="stepwright"');
    for (let index = 0; index < 9; index += 1) await login('ann', 'x');
    const closed = await login('ann', 'password of ann');
    expect(closed).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', details: { retryAfter: 1 } },
    });
    expect(closed.headers.get('retry-after')).toBe('1');
    server.engine.clock.advance(1000);
    expect((await login('ann', 'password of ann')).status).toBe(200);
  });

  it('changes the own password, which ends the other sessions', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    const change = (currentPassword: string, as: string) =>
      server.ask('POST /auth/change-password', { as, body: { currentPassword, newPassword } });
    expect(await change('wrong', token)).toMatchObject({
      status: 403,
      body: { details: { field: 'currentPassword' } },
    });
    const changed = await change('password of ann', token);
    expect(changed.status).toBe(200);
    expect((await server.ask('GET /auth/me', { as: token })).status).toBe(401);
    expect((await server.ask('GET /auth/me', { as: changed.body.token })).status).toBe(200);
  });

  it('ends all own sessions with one logout', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    const { token: other } = await server.auth.login('ann', 'password of ann');
    await server.ask('POST /auth/logout', { as: other, body: { everywhere: true } });
    expect((await server.ask('GET /auth/me', { as: token })).status).toBe(401);
  });
});

describe('admin', () => {
  it('creates, lists, changes and deletes users', async () => {
    await using server = await serveWithAuth();
    const { id, token } = await server.enter('ann', 'admin');
    const add = (username: string, more: object = {}) =>
      server.ask('POST /users', {
        as: token,
        body: { username, password: 'password of bob', role: 'viewer', ...more },
      });
    const bob = await add('bob');
    expect(bob).toMatchObject({ status: 201, body: { username: 'bob', role: 'viewer' } });
    expect(JSON.stringify(bob.body)).not.toContain('scrypt');
    expect(await add('BOB')).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(await add('eve', { password: 'short' })).toMatchObject({
      status: 400,
      body: { details: { field: 'password' } },
    });
    expect(await add('eve', { role: 'king' })).toMatchObject({
      status: 400,
      body: { details: { field: 'role' } },
    });
    await add('cid');
    const first = await server.ask('GET /users?limit=2', { as: token });
    expect(first.body.users.map((user: { username: string }) => user.username)).toEqual(['ann', 'bob']);
    const second = await server.ask(`GET /users?limit=2&cursor=${first.body.nextCursor}`, { as: token });
    expect(second.body.users).toHaveLength(1);
    expect(second.body).not.toHaveProperty('nextCursor');
    const path = `/users/${bob.body.id}`;
    expect((await server.ask(`PATCH ${path}`, { as: token, body: { role: 'operator' } })).body.role).toBe(
      'operator',
    );
    expect((await server.ask(`GET ${path}`, { as: token })).body.role).toBe('operator');
    expect((await server.ask(`DELETE ${path}`, { as: token })).status).toBe(200);
    expect((await server.ask(`GET ${path}`, { as: token })).status).toBe(404);
    expect(await server.ask(`DELETE /users/${id}`, { as: token })).toMatchObject({
      status: 403,
      body: { message: 'You cannot delete your own user. Ask another admin.' },
    });
    expect(await server.ask(`PATCH /users/${id}`, { as: token, body: { role: 'viewer' } })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('only admin') as string },
    });
  });

  it('revokes rights at once, and resets passwords', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    const bob = await server.enter('bob', 'manager');
    const create = () =>
      server.ask('POST /dags', { as: bob.token, body: { name: 'made', spec: 'steps: [echo]' } });
    await server.ask(`PATCH /users/${bob.id}`, { as: token, body: { role: 'operator' } });
    expect(await create()).toMatchObject({
      status: 403,
      body: { code: 'forbidden', details: { role: 'operator', requiredRole: 'manager' } },
    });
    await server.ask(`PATCH /users/${bob.id}`, { as: token, body: { role: 'manager' } });
    expect((await create()).status).toBe(201);
    await server.ask(`POST /users/${bob.id}/reset-password`, { as: token, body: { newPassword } });
    expect((await create()).status).toBe(401);
    const login = await server.ask('POST /auth/login', { body: { username: 'bob', password: newPassword } });
    expect(login.status).toBe(200);
  });
});

describe('API tokens', () => {
  it('are created by users, up to their role, and are visible to their owners and to admins', async () => {
    await using server = await serveWithAuth();
    const ann = await server.enter('ann', 'admin');
    const bob = await server.enter('bob', 'operator');
    const eve = await server.enter('eve', 'viewer');
    const make = (as: string, name: string, role: string) =>
      server.ask('POST /tokens', { as, body: { name, role, expiresInDays: 30 } });
    const list = async (as: string) =>
      ((await server.ask('GET /tokens', { as })).body.tokens as { name: string }[]).map(({ name }) => name);
    expect(await make(bob.token, 'big', 'manager')).toMatchObject({
      status: 403,
      body: { details: { field: 'role' } },
    });
    const made = await make(bob.token, 'ci', 'operator');
    server.engine.clock.advance(1);
    await make(ann.token, 'deploy', 'manager');
    const { secret, token } = made.body as { secret: string; token: { id: string } };
    expect(token).toMatchObject({ name: 'ci', role: 'operator', owner: 'bob', hint: secret.slice(0, 8) });
    expect(await list(bob.token)).toEqual(['ci']);
    expect(await list(ann.token)).toEqual(['deploy', 'ci']);
    expect(await list(eve.token)).toEqual([]);
    expect((await server.ask('GET /auth/me', { as: secret })).body).toMatchObject({
      name: 'bob (token "ci")',
      via: 'token',
    });
    for (const request of ['POST /tokens', 'POST /auth/change-password', 'POST /auth/logout']) {
      const bodies: Record<string, object> = {
        'POST /tokens': { name: 'more', role: 'viewer' },
        'POST /auth/change-password': { currentPassword: 'password of bob', newPassword },
        'POST /auth/logout': { everywhere: true },
      };
      expect(await server.ask(request, { as: secret, body: bodies[request]! })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('An API token cannot') as string },
      });
    }
    expect((await server.ask(`DELETE /tokens/${token.id}`, { as: eve.token })).status).toBe(404);
    expect((await server.ask(`DELETE /tokens/${token.id}`, { as: bob.token })).status).toBe(200);
    expect((await server.ask('GET /auth/me', { as: secret })).status).toBe(401);
  });

  it('are paginated, newest first', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    for (const name of ['a', 'b', 'c']) {
      server.auth.tokens.create({ name, role: 'viewer' });
      server.engine.clock.advance(1);
    }
    const first = await server.ask('GET /tokens?limit=2', { as: token });
    const second = await server.ask(`GET /tokens?cursor=${first.body.nextCursor}`, { as: token });
    const names = [...first.body.tokens, ...second.body.tokens].map(({ name }: { name: string }) => name);
    expect(names).toEqual(['c', 'b', 'a']);
  });
});

describe('without authentication', () => {
  it('everything is allowed, except managing users or tokens remotely', async () => {
    await using server = await serveWithAuth('');
    expect((await server.ask('GET /auth')).body).toEqual({
      mode: 'none',
      required: false,
      logins: [],
      setupNeeded: false,
      signedIn: true,
    });
    expect((await server.ask('GET /auth/me')).body).toEqual({ name: 'http', role: 'admin', via: 'machine' });
    expect((await server.ask('POST /dags', { body: { name: 'made', spec: 'steps: [echo]' } })).status).toBe(
      201,
    );
    const user = { username: 'eve', password: newPassword, role: 'admin' };
    expect(await server.ask('POST /users', { body: user })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await server.ask('POST /tokens', { body: { name: 'x', role: 'admin' } })).status).toBe(403);
    expect((await server.ask('POST /auth/login', { body: { username: 'a', password: 'b' } })).status).toBe(
      403,
    );
  });

  it('the machine itself still manages both', async () => {
    await using server = await serveWithAuth('');
    const { api } = server.engine.host;
    const caller = { via: 'cli', name: 'cli' } as const;
    const user = { username: 'eve', password: newPassword, role: 'admin' } as const;
    await api.call('users.create', user, caller);
    const { token } = await api.call('tokens.create', { name: 'x', role: 'admin' }, caller);
    expect(token).not.toHaveProperty('owner');
  });

  it('a configured username and password alone use HTTP basic authentication', async () => {
    await using server = await serveWithAuth('auth: {basic: {username: ops, password: secret-1}}\n');
    const refused = await server.ask('GET /dags');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Basic realm="stepwright", charset="UTF-8"');
    const authorization = `Basic ${Buffer.from('ops:secret-1').toString('base64')}`;
    expect((await server.ask('GET /dags', { headers: { authorization } })).status).toBe(200);
  });

  it.each([
    ['{token: {value: static}}', 'This server has no login (AUTH_MODE is none).'],
    [
      '{mode: oidc, oidc: {issuer: "http://127.0.0.1:1", clientId: x}}',
      'Users of this server sign in with the identity provider (AUTH_MODE is oidc), not with a password.',
    ],
  ])('does not call a username and password wrong where none are used: %s', async (settings, why) => {
    await using server = await serveWithAuth(`auth: ${settings}\n`);
    const caller = { via: 'cli', name: 'cli' } as const;
    await server.engine.host.api.call(
      'users.create',
      { username: 'eve', password: newPassword, role: 'admin' },
      caller,
    );
    const authorization = `Basic ${Buffer.from(`eve:${newPassword}`).toString('base64')}`;
    const refused = await server.ask('GET /dags', { headers: { authorization } });
    expect(refused).toMatchObject({ status: 401, body: { message: expect.stringContaining(why) } });
  });
});
