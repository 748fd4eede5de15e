import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import type {
  GatewayRequest,
  GatewayResponse,
  GatewayService,
} from '../../../core/gateway/service/gateway-service.ts';
import type { ServerOptions } from '../../../core/http/server.ts';
import { until } from '../../harness/resources.ts';
import { serveWithAuth, type ServedApi, sendRaw, serve } from '../../harness/server.ts';

/** A server whose gateway records requests, with the same response to all. */
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

describe('gateway request', () => {
  it('arrives with its path decoded, its query unchanged and its body as bytes', async () => {
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

  it.each(['PROPFIND', 'REPORT', 'QUERY'])('arrives by %s, without a route of its own', async (method) => {
    await using server = await serveGateway();
    await server.fetch('/gateway', { method });
    await server.fetch('/gateway/people?a=eq.1', { method });
    expect(server.asked.map((request) => [request.method, request.path])).toEqual([
      [method, []],
      [method, ['people']],
    ]);
  });

  it('by HEAD has only headers in the response', async () => {
    await using server = await serveGateway();
    const reply = await server.fetch('/gateway/people', { method: 'HEAD' });
    expect([reply.status, await reply.text()]).toEqual([206, '']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('works at the root and below a base path', async () => {
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

  it('does not reveal session cookies to functions of the database', async () => {
    await using server = await serveGateway();
    await server.fetch('/gateway/a', { headers: { cookie: 'x=1; stepwright_abc=secret; y=2' } });
    expect(server.asked[0]!.headers['cookie']).toBe('x=1; y=2');
  });
});

describe('encoded body', () => {
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
  ])('arrives unchanged: %s', async (encoding, encode) => {
    await using server = await serveGateway();
    expect((await send(server, encode(Buffer.from(text)), encoding)).status).toBe(206);
    expect(Buffer.from(server.asked[0]!.body).toString()).toBe(text);
  });

  it('is rejected when it is too large decoded, in another encoding, or invalid', async () => {
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

describe('client that disconnects', () => {
  it('aborts its request, unless it completes soon', async () => {
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

  it('does not count once it has its response', async () => {
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

describe('server errors', () => {
  it('have the gateway’s format: a body that is too large, which is never read', async () => {
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
    'have the gateway’s format: the path %j',
    async (path) => {
      await using server = await serveGateway();
      const reply = await sendRaw(server.port, path);
      expect([reply.status, JSON.parse(reply.body)]).toEqual([400, problem('bad_request')]);
    },
  );

  it('report a disabled gateway', async () => {
    await using server = await serveGateway({ isEnabled: false });
    const reply = await server.fetch('/gateway/a');
    expect([reply.status, await reply.json()]).toEqual([404, problem('not_found')]);
  });
});

describe('requests without a token', () => {
  const asks = async (options: Partial<ServerOptions>, headers: Record<string, string> = {}) => {
    await using server = await serveGateway({}, options);
    await server.fetch('/gateway/a', { headers });
    return server.asked[0]?.isLoopback;
  };

  it('are accepted from this machine, if the server is not reachable from elsewhere', async () => {
    expect(await asks({})).toBe(true);
    expect(await asks({ host: 'localhost' })).toBe(true);
  });

  it('are rejected where others reach the server, or a proxy is in front of it', async () => {
    expect(await asks({ host: '0.0.0.0', allowRemote: true })).toBe(false);
    expect(await asks({ publicUrl: 'https://flows.example' })).toBe(false);
    expect(await asks({}, { 'x-forwarded-for': '192.0.2.1' })).toBe(false);
    expect(await asks({}, { forwarded: 'for=192.0.2.1' })).toBe(false);
  });

  it('are rejected where users log in', async () => {
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

describe('page of another origin', () => {
  const page = { origin: 'https://page.example' };
  const preflight = { ...page, 'access-control-request-method': 'PATCH' };

  test.each([
    ['reads', 'GET', page],
    ['writes', 'POST', page],
    ['is on this machine', 'GET', { origin: 'http://127.0.0.1:1' }],
    ['is in a sandbox', 'GET', { origin: 'null' }],
    ['sends a preflight request', 'OPTIONS', preflight],
    ['is loaded as a script', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['has had its name rebound', 'GET', { host: 'page.example' }],
  ])('is rejected when it %s', async (_, method, headers) => {
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

  it('is accepted when its origin is configured', async () => {
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

  it('gets a preflight response without the gateway being called', async () => {
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

  it('is accepted with a token, where "*" is configured', async () => {
    await using server = await serveGateway({ corsOrigins: ['*'], takesTokens: true });
    const ask = (headers: Record<string, string>, method = 'GET') =>
      sendRaw(server.port, '/gateway/a', { method, headers }).then(({ status }) => status);
    expect(await ask(preflight, 'OPTIONS')).toBe(204);
    expect(await ask({ ...page, authorization: 'Bearer x' })).toBe(206);
    expect(await ask(page)).toBe(403);
    expect(await ask({ ...page, authorization: 'Basic x' })).toBe(403);
  });

  it('is never accepted under "*" on a gateway without tokens', async () => {
    await using server = await serveGateway({ corsOrigins: ['*'] });
    const headers = { ...page, authorization: 'Bearer x' };
    expect((await sendRaw(server.port, '/gateway/a', { headers })).status).toBe(403);
    expect((await sendRaw(server.port, '/gateway/a', { method: 'OPTIONS', headers: preflight })).status).toBe(
      403,
    );
  });
});
