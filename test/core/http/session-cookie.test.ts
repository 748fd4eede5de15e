import { describe, expect, it } from 'vitest';
import { recheckIntervalMs } from '../../../core/http/session-cookie.ts';
import { until } from '../../harness/resources.ts';
import { EventReader, sendRaw, serveWithAuth } from '../../harness/server.ts';
import { silentLogger } from '../../harness/fakes.ts';

const page = { 'sec-fetch-site': 'same-origin' };

/** What a browser would send back. */
const cookieOf = (headers: Headers): string => headers.get('set-cookie')!.split(';')[0]!;

describe('session cookie', () => {
  it('is set on login, for pages of this server only, and cleared on logout', async () => {
    await using server = await serveWithAuth();
    await server.enter('ann', 'admin');
    const body = { username: 'ann', password: 'password of ann' };
    const { headers } = await server.ask('POST /auth/login', { body });
    expect(headers.get('set-cookie')).toMatch(
      /^stepwright_[0-9a-f]{8}=[\w.-]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieOf(headers);
    expect((await server.ask('GET /auth/me', { headers: { cookie } })).body).toMatchObject({
      name: 'ann',
      via: 'session',
    });
    const out = await server.ask('POST /auth/logout', { headers: { cookie, ...page }, body: {} });
    expect(out.headers.get('set-cookie')).toMatch(/=; .*Expires=Thu, 01 Jan 1970/);
    const gone = await server.ask('GET /auth/me', { headers: { cookie } });
    expect(gone.status).toBe(401);
    expect(gone.headers.get('set-cookie')).toMatch(/=; .*Expires=Thu, 01 Jan 1970/);
  });

  it('is sent over https only where there is https, and below the base path', async () => {
    await using server = await serveWithAuth(undefined, {
      basePath: '/flows',
      publicUrl: 'https://flows.example',
    });
    await server.enter('ann', 'admin');
    const body = { username: 'ann', password: 'password of ann' };
    const { headers } = await server.ask('POST /auth/login', { body });
    expect(headers.get('set-cookie')).toMatch(/Path=\/flows\/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('does not authorize cross-site changes', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    const cookie = `stepwright_${server.auth.realm}=${token}`;
    const change = (headers: Record<string, string>) =>
      server.ask('POST /dags/validate', { headers: { cookie, ...headers }, body: { spec: 'steps: [echo]' } });
    expect((await change(page)).status).toBe(200);
    expect((await change({ origin: server.url })).status).toBe(200);
    expect((await change({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await change({ origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await change({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect(await change({})).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('must come from a page of this server') as string },
    });
  });

  it('is overridden by the Authorization header, valid or not', async () => {
    await using server = await serveWithAuth();
    const ann = await server.enter('ann', 'admin');
    const bob = await server.enter('bob', 'viewer');
    const cookie = `stepwright_${server.auth.realm}=${ann.token}`;
    expect((await server.ask('GET /auth/me', { as: bob.token, headers: { cookie } })).body.name).toBe('bob');
    const wrong = await server.ask('GET /auth/me', { as: 'swt_wrong', headers: { cookie } });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('set-cookie')).toBeNull();
  });
});

describe('authentication of requests', () => {
  it.each([
    ['GET', '/api/v2/dags', 401],
    ['HEAD', '/api/v2/dags', 401],
    ['OPTIONS', '/api/v2/dags', 401],
    ['GET', '/%61pi/v2/dags', 401],
    ['GET', '/api/%762/dags', 401],
    ['GET', '/api/v2/events', 401],
    ['HEAD', '/api/v2/events', 401],
    ['GET', '/api/v2/nothing', 401],
    ['GET', '/api/v1/dags', 401],
    ['GET', '/api/v2/%68ealth', 401],
    ['POST', '/api/v2/health', 401],
    ['GET', '/api/v2/health', 200],
    ['GET', '/api/v1/health', 200],
    ['GET', '/api/v3/health', 200],
    ['GET', '/api/v2/health?x', 400],
    ['GET', '/api/v2/auth', 200],
    ['GET', '/api/v2/openapi.json', 200],
    ['GET', '/nothing', 404],
  ])('%s %s responds with %i', async (method, path, status) => {
    await using server = await serveWithAuth();
    const port = Number(new URL(server.url).port);
    const reply = await sendRaw(port, path, { method, headers: { host: `localhost:${port}` } });
    expect(reply.status).toBe(status);
  });

  it('depends on the configured service paths', async () => {
    await using closed = await serveWithAuth(
      'server: {servicePaths: [/api/v2/metrics]}\nauth: {mode: builtin}\n',
    );
    expect((await closed.ask('GET /health')).status).toBe(401);
    await using open = await serveWithAuth(
      'server: {servicePaths: [/api/v2/queues*]}\nauth: {mode: builtin}\n',
    );
    expect((await open.ask('GET /queues')).status).toBe(200);
    expect((await open.ask('GET /queues/x/items')).status).toBe(401);
    expect((await open.ask('GET /health')).status).toBe(401);
  });

  it('excludes version 1 for everyone', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    const { status } = await fetch(`${server.url}/api/v1/dags`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(404);
  });

  it('rejects before reading the body', async () => {
    await using server = await serveWithAuth();
    const reply = await server.ask('POST /dag-runs', { headers: { 'content-type': 'text/plain' } });
    expect(reply.status).toBe(401);
  });

  it.each(['Bearer', 'Bearer ', 'Basic !', 'Basic YWJj', 'Digest x', 'Bearer a b', 'nonsense'])(
    'rejects the header %j with a message',
    async (authorization) => {
      await using server = await serveWithAuth();
      const { status, body } = await server.ask('GET /dags', { headers: { authorization } });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthorized' });
      expect(body.message).toMatch(/Bearer TOKEN/);
    },
  );

  it('allows other machines', async () => {
    await using server = await serveWithAuth(undefined, { host: '0.0.0.0' });
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    await expect(serveWithAuth('', { host: '0.0.0.0' })).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('startup', () => {
  it('lists what is left to configure', async () => {
    const said: string[] = [];
    const logger = { ...silentLogger, warn: (line: string) => void said.push(line) };
    await using open = await serveWithAuth('', { logger });
    await using local = await serveWithAuth(undefined, { logger });
    expect(said).toEqual([
      `no users yet; create the first on this machine: engine users create NAME --role admin --engine-home '${local.engine.home}'`,
    ]);
    await using remote = await serveWithAuth(undefined, { logger, host: '0.0.0.0' });
    expect(said.at(-1)).toMatch(
      /^passwords and tokens are sent unencrypted; set server\.tls\.certFile and server\.tls\.keyFile, or use an HTTPS proxy and set server\.publicUrl/,
    );
    expect(new Set([open.url, local.url, remote.url]).size).toBe(3);
  });
});

describe('open stream', () => {
  const follow = async (server: { url: string }, as: string): Promise<EventReader> =>
    new EventReader(
      await fetch(`${server.url}/api/v2/events`, { headers: { authorization: `Bearer ${as}` } }),
    );

  /** The next event with content; a cursor has none. */
  async function nextData(reader: EventReader): Promise<unknown> {
    for (;;) {
      const event = await reader.nextEvent();
      if (event === undefined || event.data !== '') return event && JSON.parse(event.data);
    }
  }

  /** How it ends while time passes. */
  async function endOf(reader: EventReader, advance: () => void): Promise<unknown> {
    let end: unknown;
    const reading = nextData(reader).then((data) => (end = data));
    await until(() => {
      advance();
      return end !== undefined;
    });
    await reading;
    return end;
  }

  it('ends within a minute of a logout, a user deletion or expired credentials', async () => {
    await using server = await serveWithAuth();
    const { auth, engine } = server;
    await server.enter('ann', 'admin');
    const bob = await server.enter('bob', 'viewer');
    const token = auth.tokens.create({ name: 'short', role: 'viewer', expiresInDays: 1 });
    const readers = [await follow(server, bob.token), await follow(server, token.secret)];
    auth.deleteUser(bob.id);
    auth.tokens.delete(token.token.id);
    let passed = 0;
    for (const reader of readers) {
      const end = await endOf(reader, () => {
        if (passed >= 60_000) return;
        passed += recheckIntervalMs;
        engine.clock.advance(recheckIntervalMs);
      });
      expect(end).toMatchObject({ code: 'unauthorized' });
    }
  });

  it('continues while its reader is authorized', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('ann', 'admin');
    const reader = await follow(server, token);
    server.engine.clock.advance(recheckIntervalMs);
    const run = await server.ask('POST /dag-runs', {
      as: token,
      body: { spec: 'name: seen\nsteps: ["true"]' },
    });
    expect(run.status).toBe(200);
    expect(await nextData(reader)).toMatchObject({ name: 'seen' });
    await reader.cancel();
  });
});
