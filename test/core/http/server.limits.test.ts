import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultMaxBodyBytes } from '../../../core/http/http-error.ts';
import { sendBytes, sendRaw, serve } from '../../harness/server.ts';

const json = { 'content-type': 'application/json' };

describe('single request', () => {
  test.each([
    [
      'a body over the limit',
      { headers: json, body: `"${'x'.repeat(defaultMaxBodyBytes)}"` },
      413,
      'payload_too_large',
    ],
    [
      'another media type',
      { headers: { 'content-type': 'text/xml' }, body: '<a/>' },
      415,
      'unsupported_media_type',
    ],
    [
      'a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' },
      415,
      'unsupported_media_type',
    ],
    ['a body without a media type', { headers: {}, body: '{}' }, 415, 'unsupported_media_type'],
    ['invalid JSON', { headers: json, body: '{"spec": ' }, 400, 'bad_request'],
    [
      'a key that would reach a prototype',
      { headers: json, body: '{"__proto__":{"a":1}}' },
      400,
      'bad_request',
    ],
    ['deeply nested JSON', { headers: json, body: '['.repeat(200_000) }, 400, 'bad_request'],
    ['a list', { headers: json, body: '[]' }, 400, 'bad_request'],
  ])('with %s is rejected', async (_, sent, status, code) => {
    await using served = await serve();
    const reply = await sendRaw(served.port, '/api/v2/dag-runs', { method: 'POST', ...sent });
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      status,
      expect.objectContaining({ code, message: expect.stringMatching(/\S/) }),
    ]);
    expect(served.api.calls).toEqual([]);
  });

  test('that is nested too deep is rejected as such', async () => {
    await using served = await serve();
    const sent = { method: 'POST', headers: json, body: '['.repeat(500_000) };
    const reply = await sendRaw(served.port, '/api/v2/dag-runs', sent);
    expect(JSON.parse(reply.body)).toMatchObject({
      message: expect.stringMatching(/^Invalid JSON in the request body: nested too deep\./),
    });
  });

  test('can have a head of 16 KiB', async () => {
    await using served = await serve();
    const get = (length: number): Promise<string> =>
      sendBytes(
        served.port,
        `GET /api/v2/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: ${'x'.repeat(length)}\r\n\r\n`,
      );
    expect(await get(15_000)).toMatch(/^HTTP\/1\.1 200 /);
    const refused = await get(17_000);
    expect(refused).toMatch(/^HTTP\/1\.1 431 /);
    expect(refused).toContain('"code":"headers_too_large"');
  });

  test.each([
    ['both a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked'],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4'],
    ['an invalid length', 'Content-Length: -1'],
  ])('with %s is rejected, so that it cannot smuggle a second one', async (_, headers) => {
    await using served = await serve();
    const head = `POST /api/v2/dag-runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
    const reply = await sendBytes(
      served.port,
      `${head}0\r\n\r\nGET /api/v2/health HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(served.api.calls).toEqual([]);
  });
});

describe('slow client', () => {
  const limits = { headersTimeoutMs: 50, requestTimeoutMs: 100, checkMs: 10 };

  test.each([
    ['the head', 'GET /api/v2/health HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'the body',
      `POST /api/v2/dag-runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    ],
  ])('with %s gets an error, and is disconnected', async (_, part) => {
    await using served = await serve({ limits });
    const reply = await sendBytes(served.port, part);
    expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(reply).toContain('{"code":"request_timeout","message":"The request was sent too slowly."}');
    expect(served.api.calls).toEqual([]);
  });

  test('with a byte now and then is disconnected as well', async () => {
    await using served = await serve({ limits });
    const socket = connect(served.port, '127.0.0.1');
    const drip = setInterval(() => socket.write('X'), 5);
    onTestFinished(() => clearInterval(drip));
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await served.fetch('/api/v2/health')).status).toBe(200);
  });
});

describe('connections', () => {
  async function open(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  test('over the limit are rejected with a reason, and accepted again when others have closed', async () => {
    await using served = await serve({ limits: { connections: 3 } });
    const idle = await Promise.all([open(served.port), open(served.port), open(served.port)]);
    // Accepted by the server, in their order, before it sees the next one.
    await sendBytes(served.port, 'x\r\n\r\n');
    const socket = await open(served.port);
    socket.write('GET /api/v2/dags HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const reply = await text(socket);
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply).toMatch(/connection: close/i);
    expect(reply).toContain(
      '"code":"unavailable","message":"The server has reached its limit of 3 open connections',
    );
    for (const one of idle) one.destroy();
    let status = 503;
    while (status !== 200) ({ status } = await sendRaw(served.port, '/api/v2/dags'));
    expect(served.api.calls.length).toBe(1);
  });

  // Only Linux has further addresses on loopback.
  test.runIf(process.platform === 'linux')(
    'over the limit of an address are rejected, while other addresses are served',
    async () => {
      await using served = await serve({ limits: { connections: 8 } });
      const idle = await Promise.all(Array.from({ length: 6 }, () => open(served.port)));
      await sendBytes(served.port, 'x\r\n\r\n');
      const ask = async (localAddress: string): Promise<string> => {
        const socket = connect({ port: served.port, host: '127.0.0.1', localAddress });
        socket.on('error', () => {});
        socket.write('GET /api/v2/dags HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
        return await text(socket);
      };
      await expect(ask('127.0.0.1')).resolves.toContain(
        'Your address has reached the limit of 6 open connections',
      );
      await expect(ask('127.0.0.2')).resolves.toMatch(/^HTTP\/1\.1 200 /);
      for (const one of idle) one.destroy();
    },
  );

  test('that are idle do not block health checks, however many they are', async () => {
    await using served = await serve({ limits: { connections: 4 } });
    const idle: Socket[] = [];
    for (let count = 0; count < 150; count += 1) idle.push(await open(served.port));
    const { status } = await sendRaw(served.port, '/api/v2/health');
    expect(status).toBe(200);
    for (const one of idle) one.destroy();
  });
});
