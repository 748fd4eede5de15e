import { describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../../core/http/server.ts';
import { onTestCleanup } from '../../harness/resources.ts';
import { serve } from '../../harness/server.ts';
import { testCaller } from '../../harness/engine.ts';
import { WebhookTarget, SendingHarness } from '../webhooks/webhook-harness.ts';
import { makeAuth } from '../api/auth/auth-harness.ts';
import { findSchemaViolations } from '../webhooks/published-schemas.ts';

/** The response; `list` if it is one. */
export interface WebhookAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly list: readonly Readonly<Record<string, unknown>>[];
}

/** A sending engine behind a real server, and a receiver of its deliveries. */
async function openWebhookHarness(options: Partial<ServerOptions> = {}) {
  const harness = await SendingHarness.open();
  const receiver = await WebhookTarget.open();
  const served = await serve({ api: harness.engine.host.api, ...options });
  onTestCleanup(() => served[Symbol.asyncDispose]());
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<WebhookAnswer> => {
    const reply = await served.fetch(path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const parsed: unknown = text === '' ? {} : JSON.parse(text);
    return {
      status: reply.status,
      headers: reply.headers,
      body: Array.isArray(parsed) ? {} : (parsed as WebhookAnswer['body']),
      list: Array.isArray(parsed) ? (parsed as WebhookAnswer['list']) : [],
    };
  };
  const create = (path: string, overrides: Record<string, unknown> = {}): Promise<WebhookAnswer> =>
    send('POST', path, {
      config: { url: `${receiver.url}/${path.replaceAll('/', '_')}`, content_type: 'json' },
      options: { allowPrivate: true },
      ...overrides,
    });
  return { harness, receiver, served, send, create };
}

const owners = [
  { path: '/repos/octo/hello', type: 'Repository', event: 'push' },
  { path: '/orgs/octo', type: 'Organization', event: 'push' },
  { path: '/enterprises/big', type: 'Enterprise', event: '*' },
  { path: '/apps/helper', type: 'App', event: '*' },
  { path: '/marketplace_listings/helper', type: 'Marketplace::Listing', event: 'marketplace_purchase' },
  { path: '/sponsors/octo', type: 'SponsorsListing', event: 'sponsorship' },
] as const;

describe('webhooks at the URLs that clients know', () => {
  it.each(owners)('$path: created, listed, shown, updated, deleted', async ({ path, type, event }) => {
    const { send, create, receiver } = await openWebhookHarness();
    const made = await create(`${path}/hooks`);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ type, name: 'web', active: true, events: [event] });
    expect(made.body['config']).toEqual({
      url: `${receiver.url}/${path.replaceAll('/', '_')}_hooks`,
      content_type: 'json',
      insecure_ssl: '0',
    });
    const at = `${path}/hooks/${String(made.body['id'])}`;
    expect(String(made.body['url'])).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${at}$`));
    expect((await send('GET', `${path}/hooks`)).list.map(({ id }) => id)).toEqual([made.body['id']]);
    expect((await send('GET', at)).body).toMatchObject({
      url: made.body['url'],
      config: made.body['config'],
    });
    expect((await send('PATCH', at, { active: false })).body).toMatchObject({
      active: false,
      events: [event],
    });
    expect((await send('PATCH', `${at}/config`, { insecure_ssl: 1, secret: 'quiet' })).body).toMatchObject({
      insecure_ssl: '1',
      secret: '********',
    });
    expect((await send('DELETE', at)).status).toBe(204);
    expect((await send('GET', at)).status).toBe(404);
  });

  it('uses form encoding by default, and keeps what an update does not name', async () => {
    const { send, create, receiver } = await openWebhookHarness();
    const made = await create('/repos/octo/hello/hooks', {
      config: { url: `${receiver.url}/a`, secret: 'quiet' },
      events: ['push', 'issues'],
    });
    expect(made.body['config']).toMatchObject({ content_type: 'form', secret: '********' });
    const at = `/repos/octo/hello/hooks/${String(made.body['id'])}`;
    const changed = await send('PATCH', at, { add_events: ['star'], remove_events: ['push'] });
    expect(changed.body).toMatchObject({ events: ['issues', 'star'], config: { secret: '********' } });
    // A configuration without a secret has none; asterisks keep it.
    const url = `${receiver.url}/a`;
    const kept = await send('PATCH', at, { config: { url, secret: '********' } });
    expect(kept.body['config']).toMatchObject({ secret: '********' });
    const bare = await send('PATCH', at, { config: { url } });
    expect(bare.body['config']).not.toHaveProperty('secret');
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const { send, create } = await openWebhookHarness();
    const { body } = await create('/repos/octo/hello/hooks');
    const at = `/repos/octo/hello/hooks/${String(body['id'])}/config`;
    const [whole, head] = [await send('GET', at), await send('HEAD', at)];
    expect([head.status, head.body]).toEqual([200, {}]);
    for (const name of ['content-type', 'content-length'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
  });

  it('paginates lists and deliveries', async () => {
    const { send, create, harness } = await openWebhookHarness();
    const ids: unknown[] = [];
    for (const event of ['push', 'issues', 'star'])
      ids.push((await create('/repos/octo/hello/hooks', { events: [event] })).body['id']);
    const first = await send('GET', '/repos/octo/hello/hooks?per_page=2');
    expect(first.list.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')![1]!;
    const { pathname, search } = new URL(next);
    expect((await send('GET', pathname + search)).list.map(({ id }) => id)).toEqual(ids.slice(2));
    const at = `/repos/octo/hello/hooks/${String(ids[0])}`;
    for (let count = 0; count < 2; count += 1) expect((await send('POST', `${at}/pings`)).status).toBe(204);
    await harness.untilQuiet();
    const page = await send('GET', `${at}/deliveries?per_page=2`);
    expect(page.list).toHaveLength(2);
    expect(page.headers.get('link')).toContain('cursor=');
    expect(page.list[0]).toMatchObject({ event: 'ping', status: 'OK', status_code: 204, redelivery: false });
    const shown = await send('GET', `${at}/deliveries/${String(page.list[0]!['id'])}`);
    expect(shown.body).toMatchObject({
      request: { headers: { 'X-Platform-Event': 'ping' }, payload: { hook_id: ids[0] } },
      response: { payload: '' },
    });
    const again = await send('POST', `${at}/deliveries/${String(page.list[0]!['id'])}/attempts`);
    expect(again.status).toBe(202);
    await harness.untilQuiet();
    const [newest] = (await send('GET', `${at}/deliveries`)).list;
    expect(newest).toMatchObject({ guid: page.list[0]!['guid'], redelivery: true });
    expect(newest!['id']).not.toBe(page.list[0]!['id']);
    expect((await send('GET', `${at}/deliveries?status=failure`)).list).toEqual([]);
  });

  it('reaches the webhook of the only app as its own', async () => {
    const { send, create } = await openWebhookHarness();
    expect((await send('GET', '/app/hook/config')).status).toBe(404);
    await create('/apps/helper/hooks');
    expect((await send('PATCH', '/app/hook/config', { secret: 'quiet' })).body).toMatchObject({
      secret: '********',
    });
    expect((await create('/apps/helper/hooks', { events: ['ping'] })).status).toBe(422);
    await create('/apps/other/hooks');
    expect((await send('GET', '/app/hook/deliveries')).body['message']).toContain('?slug=');
    expect((await send('GET', '/app/hook/deliveries?slug=other')).status).toBe(200);
    const { body } = await send('GET', '/app/hook?slug=other');
    const ping = new URL(String(body['ping_url']));
    expect((await send('POST', ping.pathname + ping.search)).status).toBe(204);
    const page = await send('GET', '/app/hook/deliveries?slug=other&per_page=1');
    expect(page.headers.get('link') ?? 'slug=other').toContain('slug=other');
    expect((await send('GET', '/app/hook?slug=third')).body['message']).toBe(
      'App "third" has no webhook. Create one with POST /apps/third/hooks.',
    );
  });
});

describe('invalid input', () => {
  it.each([
    ['/repos/octo/hello', {}, '"config.url" is required.'],
    ['/repos/octo/hello', { name: 'mail' }, '"name" must be "web".'],
    ['/repos/octo/hello', { events: ['team'] }, 'is not available to repository webhooks'],
    ['/orgs/octo', { events: ['pushes'] }, 'Did you mean "push"?'],
    [
      '/apps/helper',
      { events: ['push'] },
      '"push" requires read access to "Contents", which the app does not have.',
    ],
    [
      '/apps/helper',
      { events: ['installation'] },
      '"installation" is always sent to apps and cannot be selected.',
    ],
    ['/apps/helper', { options: { permissions: { checks: 'read' } } }, 'Did you mean "Checks"?'],
    [
      '/repos/octo/hello',
      { config: { url: 'ftp://example.com' } },
      'Invalid URL "ftp://example.com". Use an http or https URL, such as https://example.com/hook.',
    ],
    [
      '/repos/octo/hello',
      { config: { url: 'example.com' } },
      'Invalid URL "example.com". Use an http or https URL, such as https://example.com/hook.',
    ],
    ['/repos/octo/hello', { config: { url: 'https://example.com/\u0007' } }, 'an invisible character'],
    [
      '/repos/octo/hel%20lo',
      { config: { url: 'https://example.com' } },
      'Invalid owner "octo/hel lo": a repository name must have the form "owner/name", without spaces or invisible characters.',
    ],
    [
      '/orgs/oc%07to',
      { config: { url: 'https://example.com' } },
      'Invalid owner "oc\\u0007to": a name must not contain slashes, spaces or invisible characters.',
    ],
    [
      '/repos/octo/hello',
      { config: { url: 'http://127.0.0.1/' } },
      '127.0.0.1 is a loopback or private network address. Allow private addresses for this webhook if intended.',
    ],
    ['/repos/octo/hello', { config: { url: 'http://localhost/' } }, 'localhost is a loopback address'],
    [
      '/repos/octo/hello',
      { config: { url: 'http://a:b@example.com/' } },
      'The URL must not contain credentials, which are visible to all users. Use a secret instead.',
    ],
    ['/repos/octo/hello', { config: { url: 'https://example.com', insecure_ssl: '2' } }, '"0" or "1"'],
    [
      '/repos/octo/hello',
      { config: { url: 'https://example.com', content_type: 'xml' } },
      '"json" or "form"',
    ],
    ['/repos/octo/hello', { config: 'x', active: 'yes' }, '"active" must be true or false.'],
    ['/repos/octo/hello', { options: { concurrency: 0 }, config: { url: 'https://example.com' } }, 'options'],
  ])('%s with %j is rejected with 422', async (path, changes, words) => {
    const { send } = await openWebhookHarness();
    const body = {
      config: Object.keys(changes).length === 0 ? {} : { url: 'https://example.com/hook' },
      ...changes,
    };
    const { status, body: answer } = await send('POST', `${path}/hooks`, body);
    expect(status).toBe(422);
    expect(JSON.stringify(answer).replaceAll('\\"', '"')).toContain(words);
    expect(answer['errors']).not.toEqual([]);
    expect(String(answer['message'])).toMatch(/^Validation Failed/);
  });

  it('rejects two webhooks of one URL and event, but not those of another owner', async () => {
    const { send, create } = await openWebhookHarness();
    const { body } = await create('/repos/octo/hello/hooks', { events: ['push'] });
    expect((await create('/repos/octo/hello/hooks', { events: ['push', 'star'] })).status).toBe(422);
    expect((await create('/repos/octo/hello/hooks', { events: ['star'] })).status).toBe(201);
    expect((await send('GET', `/repos/octo/other/hooks/${String(body['id'])}`)).status).toBe(404);
    expect((await send('GET', `/orgs/octo/hooks/${String(body['id'])}`)).status).toBe(404);
    expect((await send('GET', '/repos/octo/hello/hooks/x')).status).toBe(404);
  });
});

describe('unknown path', () => {
  it.each([
    ['POST', '/repos/octo/dispatches'],
    ['PUT', '/repos/octo/hello/dispatches'],
    ['POST', '/orgs/octo/hooks/1/tests'],
    ['GET', '/sponsors/octo/hook'],
  ])('%s %s is rejected in the format that clients read', async (method, path) => {
    const { send } = await openWebhookHarness();
    expect(await send(method, path)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining(path), documentation_url: 'docs/webhooks.md', status: '404' },
    });
  });
});

describe('POST /repos/{owner}/{repo}/dispatches', () => {
  const app = { options: { allowPrivate: true, permissions: { Contents: 'read' } } };

  it('notifies apps of `repository_dispatch` with the requested action', async () => {
    const { send, create, receiver, harness } = await openWebhookHarness();
    await create('/apps/helper/hooks', app);
    const body = { event_type: 'deploy', client_payload: { ref: 'v1' } };
    const answer = await send('POST', '/repos/octo/hello/dispatches', body);
    expect(answer.status).toBe(204);
    await harness.untilQuiet();
    const told = receiver.received.find(
      ({ headers }) => headers['x-platform-event'] === 'repository_dispatch',
    )!;
    expect(
      findSchemaViolations('repository_dispatch', JSON.parse(told.body) as Record<string, unknown>),
    ).toEqual([]);
    expect(JSON.parse(told.body)).toMatchObject({
      action: 'deploy',
      branch: 'main',
      client_payload: { ref: 'v1' },
      repository: { full_name: 'octo/hello', owner: { login: 'octo' } },
      sender: { login: 'ghost' },
      installation: { id: expect.any(Number) as number },
    });
  });

  it('counts characters rather than UTF-16 units, and names no invalid repository', async () => {
    const { send } = await openWebhookHarness();
    const to = (repository: string) =>
      send('POST', `/repos/${repository}/dispatches`, { event_type: '🚀'.repeat(100) });
    expect((await to('octo/hello')).status).toBe(204);
    expect((await to('octo/hel%20lo')).status).toBe(404);
  });

  it.each([
    ['no type', {}, '"event_type" is required.'],
    ['an empty type', { event_type: '' }, '1 to 100 characters'],
    ['a long type', { event_type: 'x'.repeat(101) }, '1 to 100 characters'],
    [
      'a list',
      { event_type: 'x', client_payload: [] },
      'Validation Failed: "client_payload" must be an object.',
    ],
    [
      'many keys',
      {
        event_type: 'x',
        client_payload: Object.fromEntries(Array.from({ length: 11 }, (_, key) => [key, 1])),
      },
      'at most 10 keys',
    ],
    [
      'a large payload',
      { event_type: 'x', client_payload: { a: 'x'.repeat(65_535) } },
      'at most 65535 bytes',
    ],
  ])('rejects %s', async (_, body, words) => {
    const { send } = await openWebhookHarness();
    const answer = await send('POST', '/repos/octo/hello/dispatches', body);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain(words);
  });
});

describe('credentials', () => {
  it('are required, and a revoked token gets 401 Bad Credentials', async () => {
    const { auth } = makeAuth();
    const { send } = await openWebhookHarness({ auth });
    const { token, secret } = auth.tokens.create({ name: 'app', role: 'operator' });
    const headers = { authorization: `Bearer ${secret}` };
    const path = '/repos/octo/hello/hooks';
    expect((await send('GET', path)).body).toMatchObject({
      message: 'Requires authentication',
      status: '401',
    });
    expect((await send('GET', path, undefined, headers)).status).toBe(200);
    // As Octokit writes it.
    expect((await send('GET', path, undefined, { authorization: `token ${secret}` })).status).toBe(200);
    const forbidden = await send('POST', path, { config: { url: 'https://example.com' } }, headers);
    expect(forbidden.status).toBe(403);
    auth.tokens.delete(token.id, () => true);
    const refused = await send('GET', path, undefined, headers);
    expect(refused.status).toBe(401);
    expect(refused.body['message']).toBe('Bad Credentials');
  });
  it.each([
    ['POST', '/repos/octo/hello/hooks', { config: {} }],
    ['PATCH', '/repos/octo/hello/hooks/1', { config: 3 }],
    ['PATCH', '/orgs/octo/hooks/1/config', [1]],
    ['GET', '/repos/octo/hello/hooks?per_page=x', undefined],
    ['GET', '/apps/octo/hooks/one', undefined],
    ['GET', '/app/hook/deliveries?status=none', undefined],
    ['POST', '/repos/octo/hello/dispatches', {}],
  ])('rejects a viewer with 403 before reading the request: %s %s', async (method, path, body) => {
    const { auth } = makeAuth();
    const { harness, send, served } = await openWebhookHarness({ auth });
    const { secret } = auth.tokens.create({ name: 'looks', role: 'viewer' });
    const headers = { authorization: `Bearer ${secret}` };
    const refused = await send(method, path, body, headers);
    expect(refused).toMatchObject({ status: 403, body: { status: '403' } });
    expect(refused.body).not.toHaveProperty('errors');
    if (body === undefined) return;
    const broken = await served.fetch(path, {
      method,
      headers: { ...headers, 'content-type': 'text/plain' },
      body: '{',
    });
    expect(broken.status).toBe(403);
    const { entries } = await harness.engine.host.api.call('audit.list', {}, testCaller);
    expect(entries).toContainEqual(expect.objectContaining({ actor: 'token "looks"', outcome: 'forbidden' }));
  });
});
