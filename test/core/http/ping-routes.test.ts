import { describe, expect, it } from 'vitest';
import type { PingCheckDetailView, PingView } from '../../../core/contract/pings.ts';
import { type AuthServer, serveWithAuth } from '../../harness/server.ts';

async function createCheck(server: AuthServer): Promise<{ url: string; token: string }> {
  const { token } = await server.enter('max', 'manager');
  const body = { name: 'nas', periodSec: 3600 };
  const reply = await server.ask('POST /pings', { as: token, body });
  expect(reply.status).toBe(201);
  const { url } = reply.body as PingCheckDetailView;
  return { url: server.url + new URL(url).pathname, token };
}

const listPings = async (server: AuthServer, token: string): Promise<PingView[]> =>
  ((await server.ask('GET /pings/nas/history', { as: token })).body as { pings: PingView[] }).pings;

describe('the address of a ping check', () => {
  it('takes GET, HEAD and POST without credentials, and keeps the body as a log', async () => {
    await using server = await serveWithAuth();
    const { url, token } = await createCheck(server);
    const get = await fetch(url, {
      headers: { origin: 'https://elsewhere.example', 'user-agent': 'curl/8' },
    });
    expect([get.status, await get.text(), get.headers.get('content-type')]).toEqual([
      200,
      'OK',
      'text/plain; charset=utf-8',
    ]);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    const log = `first line\n${'x'.repeat(200_000)}`;
    expect((await fetch(url, { method: 'POST', body: log })).status).toBe(200);
    const pings = await listPings(server, token);
    expect(pings.map(({ method, kind, body }) => [method, kind, body?.length])).toEqual([
      ['POST', 'success', 10_000],
      ['HEAD', 'success', undefined],
      ['GET', 'success', undefined],
    ]);
    expect(pings[2]).toMatchObject({ userAgent: 'curl/8', address: expect.stringMatching(/127\.0\.0\.1/) });
  });

  it('understands start, fail and exit codes', async () => {
    await using server = await serveWithAuth();
    const { url, token } = await createCheck(server);
    for (const signal of ['start', '0', 'fail', '7'])
      expect((await fetch(`${url}/${signal}`)).status).toBe(200);
    const pings = await listPings(server, token);
    expect(pings.map(({ kind, exitCode }) => [kind, exitCode])).toEqual([
      ['fail', 7],
      ['fail', undefined],
      ['success', 0],
      ['start', undefined],
    ]);
    expect(pings[2]!.durationMs).toBeGreaterThanOrEqual(0);
    const { body } = await server.ask('GET /pings/nas', { as: token });
    expect(body).toMatchObject({ status: 'failed' });
    expect((await fetch(`${url}/256`)).status).toBe(404);
    expect((await fetch(`${url}/strat`)).status).toBe(404);
  });

  it('is the only one: another token is unknown, and guesses are limited', async () => {
    await using server = await serveWithAuth();
    const { url } = await createCheck(server);
    const wrong = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`;
    const reply = await fetch(wrong);
    expect([reply.status, await reply.text()]).toEqual([404, 'Not found']);
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count += 1) statuses.add((await fetch(wrong)).status);
    expect([...statuses]).toEqual([404, 429]);
    // The limit of guesses does not affect jobs.
    expect((await fetch(url)).status).toBe(200);
  });

  it('is limited to 60 pings per minute', async () => {
    await using server = await serveWithAuth();
    const { url } = await createCheck(server);
    for (let count = 0; count < 60; count += 1) expect((await fetch(url)).status).toBe(200);
    const reply = await fetch(url);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('is shown to operators, not to viewers', async () => {
    await using server = await serveWithAuth();
    await createCheck(server);
    const { token: viewer } = await server.enter('vic', 'viewer');
    const { token: operator } = await server.enter('olga', 'operator');
    expect((await server.ask('GET /pings/nas', { as: viewer })).status).toBe(403);
    expect(JSON.stringify((await server.ask('GET /pings', { as: viewer })).body)).not.toContain('/ping/');
    expect((await server.ask('GET /pings/nas', { as: operator })).body.url).toContain('/ping/');
  });
});

describe('settings of a ping check', () => {
  it('are validated with a hint', async () => {
    await using server = await serveWithAuth();
    const { token } = await server.enter('max', 'manager');
    const create = async (body: object): Promise<string> => {
      const reply = await server.ask('POST /pings', { as: token, body: { name: 'a', ...body } });
      return `${reply.status} ${reply.body.message}`;
    };
    expect(await create({})).toContain('400 periodSec: set either `schedule` or `periodSec`');
    expect(await create({ schedule: '61 * * * *' })).toMatch(/^400 schedule: .*Use a cron expression/);
    expect(await create({ schedule: '0 2 * * *', timezone: 'Mars' })).toContain('unknown time zone "Mars"');
    expect(await create({ periodSec: 60, timezone: 'UTC' })).toContain('400 timezone: needs a `schedule`');
    expect(await create({ schedule: '@daily', timezone: 'Europe/Berlin' })).toContain('201');
    expect(await create({ periodSec: 60 })).toContain('409');
    const changed = await server.ask('PATCH /pings/a', { as: token, body: { newName: 'b', periodSec: 120 } });
    expect(changed.body).toMatchObject({ name: 'b', periodSec: 120, graceSec: 3600, tags: [] });
    expect(changed.body.schedule).toBeUndefined();
    expect((await server.ask('GET /pings/bb', { as: token })).body.message).toContain('Did you mean "b"?');
    expect((await server.ask('DELETE /pings/b', { as: token })).status).toBe(200);
    expect((await server.ask('GET /pings', { as: token })).body.checks).toEqual([]);
  });
});
