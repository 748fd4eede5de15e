import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import type { GatewayRequest, GatewayResponse } from '../../../../core/gateway/service/request.ts';
import type { GatewayService } from '../../../../core/gateway/service/gateway-service.ts';
import type { ServerOptions } from '../../../../core/http/server.ts';
import { until } from '../../../rig/until.ts';
import { serveWithAuth } from '../auth/auth-server.ts';
import { type ServedApi, sendRaw, serve } from '../api-harness.ts';

/** A server whose gateway keeps what comes to it, and answers the same to all. */
async function serveGateway(
  door: Partial<GatewayService> = {},
  options: Partial<ServerOptions> = {},
): Promise<ServedApi & { readonly asked: GatewayRequest[] }> {
  const asked: GatewayRequest[] = [];
  const gateway: GatewayService = {
    isEnabled: true,
    maxBodyBytes: 1000,
    corsOrigins: [],
    takesTokens: false,
    async handle(request) {
      asked.push(request);
      const headers = { 'content-type': 'application/json; charset=utf-8', 'set-cookie': ['a=1', 'b=2'] };
      return { status: 206, headers, body: request.method === 'HEAD' ? null : '[1.10,9007199254740993]' };
    },
    ...door,
  };
  return Object.assign(await serve({ gateway, ...options }), { asked });
}

const problem = (code: string) => ({
  code,
  message: expect.any(String),
  details: null,
  hint: null,
});

describe('a request to the gateway', () => {
  it('arrives with its path decoded, its query as it was sent and its body as bytes', async () => {
    await using server = await serveGateway();
    const body = new Uint8Array([0, 255, 123, 34]);
    const reply = await server.fetch('/gateway/rpc/my%20f%2Fx?a=eq.%2B+%C3%A4&b', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-of-its-own', prefer: 'a, b' },
    });
    expect(reply.status).toBe(206);
    expect(await reply.text()).toBe('[1.10,9007199254740993]');
    expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const [request] = server.asked;
    expect(request).toMatchObject({
      method: 'POST',
      path: ['rpc', 'my f/x'],
      query: 'a=eq.%2B+%C3%A4&b',
      isLoopback: true,
      mount: '/gateway',
    });
    expect(request!.headers).toMatchObject({ 'content-type': 'application/x-of-its-own', prefer: 'a, b' });
    expect([...request!.body]).toEqual([...body]);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('arrives by %s', async (method) => {
    await using server = await serveGateway();
    expect((await server.fetch('/gateway/people', { method })).status).toBe(206);
    expect(server.asked[0]).toMatchObject({ method, path: ['people'], query: '', body: new Uint8Array() });
  });

  it.each(['PROPFIND', 'REPORT', 'QUERY'])('arrives by %s, which no route takes', async (method) => {
    await using server = await serveGateway();
    await server.fetch('/gateway', { method });
    await server.fetch('/gateway/people?a=eq.1', { method });
    expect(server.asked.map((request) => [request.method, request.path])).toEqual([
      [method, []],
      [method, ['people']],
    ]);
  });

  it('by HEAD is answered with the headers alone', async () => {
    await using server = await serveGateway();
    const reply = await server.fetch('/gateway/people', { method: 'HEAD' });
    expect([reply.status, await reply.text()]).toEqual([206, '']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('may ask at the root and below a base path', async () => {
    await using server = await serveGateway({}, { basePath: '/flows' });
    await server.fetch('/gateway');
    await server.fetch('/gateway/');
    await server.fetch('/gateway/a/b/c');
    expect(server.asked.map(({ path, mount }) => [path, mount])).toEqual([
      [[], '/flows/gateway'],
      [[''], '/flows/gateway'],
      [['a', 'b', 'c'], '/flows/gateway'],
    ]);
  });

  it('does not tell functions of the database the sessions of people', async () => {
    await using server = await serveGateway();
    await server.fetch('/gateway/a', { headers: { cookie: 'x=1; stepwright_abc=secret; y=2' } });
    expect(server.asked[0]!.headers['cookie']).toBe('x=1; y=2');
  });
});

describe('a body that is encoded', () => {
  const text = JSON.stringify({ word: 'x'.repeat(900) });
  const send = (server: ServedApi, body: Uint8Array, encoding: string) =>
    server.fetch('/gateway/a', {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-encoding': encoding },
    });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZip', gzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('arrives as it was: %s', async (encoding, encode) => {
    await using server = await serveGateway();
    expect((await send(server, encode(Buffer.from(text)), encoding)).status).toBe(206);
    expect(Buffer.from(server.asked[0]!.body).toString()).toBe(text);
  });

  it('is refused when it is too large decoded, in another encoding, or none at all', async () => {
    await using server = await serveGateway();
    const bomb = await send(server, gzipSync(Buffer.alloc(500_000)), 'gzip');
    expect([bomb.status, await bomb.json()]).toEqual([
      413,
      {
        ...problem('payload_too_large'),
        message: 'The decoded request body exceeds the limit of 1000 bytes.',
      },
    ]);
    for (const encoding of ['zstd', 'gzip, br', 'constructor']) {
      const unknown = await send(server, Buffer.from(text.slice(0, 900)), encoding);
      expect([unknown.status, await unknown.json()]).toEqual([415, problem('unsupported_media_type')]);
      expect(unknown.headers.get('accept-encoding')).toBe('gzip, deflate, br');
    }
    for (const bytes of [Buffer.from('{}'), gzipSync(Buffer.from(text)).subarray(0, 20)]) {
      const broken = await send(server, bytes, 'gzip');
      expect([broken.status, await broken.json()]).toEqual([400, problem('bad_request')]);
    }
    expect(server.asked).toEqual([]);
  });
});

describe('a client that goes away', () => {
  it('is told to those who work for it, unless they are done soon', async () => {
    const began = Promise.withResolvers<AbortSignal>();
    const told = Promise.withResolvers<GatewayResponse>();
    await using server = await serveGateway({
      handle({ signal }) {
        began.resolve(signal!);
        return told.promise;
      },
    });
    const leaving = new AbortController();
    const attempt = server.fetch('/gateway/a', { signal: leaving.signal });
    const signal = await began.promise;
    server.clock.advance(60_000);
    expect(signal.aborted).toBe(false);
    leaving.abort();
    await expect(attempt).rejects.toThrow('aborted');
    await until(() => {
      server.clock.advance(100);
      return signal.aborted;
    });
    told.resolve({ status: 500, headers: {}, body: null });
  });

  it('is none once it has its answer', async () => {
    const signals: AbortSignal[] = [];
    await using server = await serveGateway({
      async handle({ signal }) {
        signals.push(signal!);
        return { status: 200, headers: {}, body: '[]' };
      },
    });
    const reply = await server.fetch('/gateway/a', { headers: { connection: 'close' } });
    expect(await reply.text()).toBe('[]');
    server.clock.advance(60_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('a refusal of the server', () => {
  it('is told in the shape of the gateway: a body that is too large, which is never read', async () => {
    await using server = await serveGateway();
    const reply = await server.fetch('/gateway/a', { method: 'POST', body: 'x'.repeat(1001) });
    expect(reply.status).toBe(413);
    expect(await reply.json()).toEqual({
      ...problem('payload_too_large'),
      message: 'The request body exceeds the limit of 1000 bytes.',
    });
    expect(server.asked).toEqual([]);
    expect((await server.fetch('/gateway/a', { method: 'POST', body: 'x'.repeat(1000) })).status).toBe(206);
  });

  it.each(['/gateway/%', '/gateway/%ff', '/gateway/a%ZZ', '/gateway/%C3%28'])(
    'is told in the shape of the gateway: the address %j',
    async (path) => {
      await using server = await serveGateway();
      const reply = await sendRaw(server.port, path);
      expect([reply.status, JSON.parse(reply.body)]).toEqual([400, problem('bad_request')]);
    },
  );

  it('is told where the gateway is switched off', async () => {
    await using server = await serveGateway({ isEnabled: false });
    const reply = await server.fetch('/gateway/a');
    expect([reply.status, await reply.json()]).toEqual([404, problem('not_found')]);
  });
});

describe('who may ask without a token', () => {
  const asks = async (options: Partial<ServerOptions>, headers: Record<string, string> = {}) => {
    await using server = await serveGateway({}, options);
    await server.fetch('/gateway/a', { headers });
    return server.asked[0]?.isLoopback;
  };

  it('is somebody at this machine, of a server that nobody else reaches', async () => {
    expect(await asks({})).toBe(true);
    expect(await asks({ host: 'localhost' })).toBe(true);
  });

  it('is nobody where others reach the server, or a proxy stands before it', async () => {
    expect(await asks({ host: '0.0.0.0', allowRemote: true })).toBe(false);
    expect(await asks({ publicUrl: 'https://flows.example' })).toBe(false);
    expect(await asks({}, { 'x-forwarded-for': '192.0.2.1' })).toBe(false);
    expect(await asks({}, { forwarded: 'for=192.0.2.1' })).toBe(false);
  });

  it('is nobody where people log in', async () => {
    const asked: GatewayRequest[] = [];
    const gateway: GatewayService = {
      ...{ isEnabled: true, maxBodyBytes: 1000, corsOrigins: [], takesTokens: false },
      async handle(request) {
        asked.push(request);
        return { status: 401, headers: {}, body: null };
      },
    };
    await using server = await serveWithAuth(undefined, { gateway });
    expect((await fetch(`${server.url}/gateway/a`)).status).toBe(401);
    expect(asked[0]!.isLoopback).toBe(false);
  });
});

describe('a page of another origin', () => {
  const page = { origin: 'https://page.example' };
  const preflight = { ...page, 'access-control-request-method': 'PATCH' };

  test.each([
    ['reads', 'GET', page],
    ['writes', 'POST', page],
    ['is on this machine', 'GET', { origin: 'http://127.0.0.1:1' }],
    ['is in a sandbox', 'GET', { origin: 'null' }],
    ['asks what it may send', 'OPTIONS', preflight],
    ['loads it as a script', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['has had its name rebound', 'GET', { host: 'page.example' }],
  ])('is refused when it %s', async (_, method, headers) => {
    await using server = await serveGateway();
    const reply = await sendRaw(server.port, '/gateway/a', { method, headers });
    expect([reply.status, JSON.parse(reply.body)]).toEqual([403, problem('forbidden')]);
    expect(reply.headers['proxy-status']).toBe('Stepwright; error=forbidden');
    expect(reply.body).toContain(
      'host' in headers ? 'server.publicUrl' : 'add the origin to gateway.corsOrigins',
    );
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    expect(server.asked).toEqual([]);
  });

  it('may use it when its origin is configured', async () => {
    await using server = await serveGateway({ corsOrigins: ['https://page.example/'] });
    const headers = { ...page, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    const reply = await sendRaw(server.port, '/gateway/a', { headers });
    expect(reply.status).toBe(206);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': 'https://page.example',
      vary: 'origin',
    });
    expect(reply.headers['access-control-expose-headers']).toContain('Content-Range');
    const other = await sendRaw(server.port, '/gateway/a', { headers: { origin: 'https://other.example' } });
    expect(other.status).toBe(403);
  });

  it('is told what it may send, without the gateway being asked', async () => {
    await using server = await serveGateway({ corsOrigins: ['https://page.example'] });
    const wanted = { 'access-control-request-headers': 'prefer,content-type' };
    const reply = await sendRaw(server.port, '/gateway/a', {
      method: 'OPTIONS',
      headers: { ...preflight, ...wanted },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-methods']).toContain('PATCH');
    expect(reply.headers['access-control-allow-headers']).toBe('prefer,content-type');
    expect(server.asked).toEqual([]);
  });

  it('may be any that has a token, where "*" is configured', async () => {
    await using server = await serveGateway({ corsOrigins: ['*'], takesTokens: true });
    const ask = (headers: Record<string, string>, method = 'GET') =>
      sendRaw(server.port, '/gateway/a', { method, headers }).then(({ status }) => status);
    expect(await ask(preflight, 'OPTIONS')).toBe(204);
    expect(await ask({ ...page, authorization: 'Bearer x' })).toBe(206);
    expect(await ask(page)).toBe(403);
    expect(await ask({ ...page, authorization: 'Basic x' })).toBe(403);
  });

  it('may never be any at all of a gateway without tokens', async () => {
    await using server = await serveGateway({ corsOrigins: ['*'] });
    const headers = { ...page, authorization: 'Bearer x' };
    expect((await sendRaw(server.port, '/gateway/a', { headers })).status).toBe(403);
    expect((await sendRaw(server.port, '/gateway/a', { method: 'OPTIONS', headers: preflight })).status).toBe(
      403,
    );
  });
});
