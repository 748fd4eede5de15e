import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Connections } from '../../../core/webhooks/address-check.ts';
import { maxStoredBodyBytes, sendAttempt, type AttemptRequest } from '../../../core/webhooks/send-attempt.ts';
import { makeCertificate } from '../../harness/servers/certificates.ts';
import { FakeClock } from '../../harness/fakes.ts';

const servers: Server[] = [];
const connections = new Connections();

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});
afterAll(() => connections.close());

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(listener))}/hook`;

function send(
  url: string,
  changes: Partial<AttemptRequest> = {},
  { clock = new FakeClock(), signal }: { clock?: FakeClock; signal?: AbortSignal } = {},
) {
  const body = Buffer.from('{"a":1}');
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  const attempt = { url, headers, body, verifyTls: true, allowPrivate: true, timeoutMs: 10_000, ...changes };
  return sendAttempt(attempt, { clock, connections, ...(signal && { signal }) });
}

describe('one attempt', () => {
  it('reports that an https URL leads to a receiver without TLS', async () => {
    const url = await serve((_request, response) => void response.end());
    expect(await send(url.replace('http:', 'https:'))).toMatchObject({
      delivered: false,
      status: 'failed to connect: the receiver does not use TLS on this port; the URL may need http://',
    });
  });

  it('posts the bytes with the headers, and stores the response', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (text: string) => seen.push(request.method, request.headers, text));
      request.on('end', () => response.writeHead(202, { 'X-Answer': ['one', 'two'] }).end('thanks'));
    });
    expect(await send(url)).toMatchObject({
      delivered: true,
      status: 'OK',
      statusCode: 202,
      timedOut: false,
      response: { headers: { 'x-answer': 'one, two' }, body: 'thanks', cut: false },
    });
    expect(seen).toEqual(['POST', expect.objectContaining({ 'content-length': '7' }), '{"a":1}']);
  });

  it.each([
    [500, 'invalid HTTP response: 500 Internal Server Error'],
    [404, 'invalid HTTP response: 404 Not Found'],
    [302, 'invalid HTTP response: 302 Found (redirects are not followed)'],
  ])('fails with %i and follows no redirect', async (statusCode, status) => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(statusCode, { Location: '/other' }).end();
    });
    expect(await send(url)).toMatchObject({ delivered: false, statusCode, status });
    expect(requests).toBe(1);
  });

  it('stores the beginning of a long response and does not wait for its end', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(maxStoredBodyBytes + 1));
    });
    const { delivered, response } = await send(url);
    expect(delivered).toBe(true);
    expect(response).toMatchObject({ body: 'x'.repeat(maxStoredBodyBytes), cut: true });
  });

  it.each(['before the head', 'within the body'])('times out %s of the response', async (moment) => {
    const clock = new FakeClock();
    const url = await serve((_, response) => {
      if (moment === 'within the body') response.writeHead(200).write('some');
      setImmediate(() => clock.advance(10_000));
    });
    expect(await send(url, {}, { clock })).toEqual({
      delivered: false,
      status: 'timed out',
      timedOut: true,
      durationMs: 10_000,
    });
  });

  it('ends when it is aborted', async () => {
    const stopping = new AbortController();
    const url = await serve(() => stopping.abort());
    const outcome = await send(url, {}, { signal: stopping.signal });
    expect(outcome).toMatchObject({ delivered: false, status: 'interrupted: the engine was stopped' });
  });

  it('reports a refused connection, a closed one, and a receiver that does not speak HTTP', async () => {
    const gone = await serve(() => {});
    servers.splice(0).forEach((server) => server.close());
    expect(await send(gone)).toMatchObject({
      status: 'failed to connect to network: connection refused',
      delivered: false,
    });
    const resetting = await serve((request) => request.socket.resetAndDestroy());
    expect((await send(resetting)).status).toMatch(/^connection closed by the receiver/);
    const babbling = await serve((request) => request.socket.end('no HTTP\r\n\r\n'));
    expect((await send(babbling)).status).toMatch(/^invalid HTTP response/);
  });

  it('retries when the receiver had closed a reused connection', async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      // Closed as the second request arrives on the same connection.
      if (requests === 2) request.socket.resetAndDestroy();
      else response.end();
    });
    expect((await send(url)).delivered).toBe(true);
    expect((await send(url)).delivered).toBe(true);
    expect(requests).toBe(3);
  });

  it('rejects private addresses unless they are allowed', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    for (const [host, shown] of [
      ['127.0.0.1', '127.0.0.1'],
      ['localhost', 'localhost (127.0.0.1)'],
    ] as const) {
      const address = url.replace('127.0.0.1', host);
      const { delivered, status } = await send(address, { allowPrivate: false });
      expect([delivered, status]).toEqual([
        false,
        expect.stringContaining(
          `${shown} is a loopback or private network address. Allow private addresses for this webhook if intended.`,
        ),
      ]);
    }
    expect(requests).toBe(0);
  });

  it('verifies certificates unless disabled, also on an open connection', async () => {
    const { cert, key } = makeCertificate();
    const port = await listen(createTlsServer({ cert, key }, (_, response) => response.end()));
    const url = `https://127.0.0.1:${port}/`;
    const results = [];
    for (const verifyTls of [true, false, true]) results.push(await send(url, { verifyTls }));
    expect(results.map((result) => result.delivered)).toEqual([false, true, false]);
    expect(results[2]?.status).toBe('peer certificate cannot be authenticated: self-signed certificate');
  });
});
