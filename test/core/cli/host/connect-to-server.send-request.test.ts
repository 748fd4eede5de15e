import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendRequest } from '../../../../core/cli/host/connect-to-server.ts';
import { toUnreachableError } from '../../../../core/contract/client/send.ts';
import { makeCertificate } from '../../../harness/servers/certificates.ts';

/** URL of a server that responds like this until the end of the test. */
async function answer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = new AbortController().signal;

test('sends the request unchanged and returns the whole response, whatever its status', async () => {
  const url = await answer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      response.statusCode = 409;
      response.end(`${request.method} ${request.url} ${request.headers['content-type']} ${text}`);
    });
  });
  const headers = { 'content-type': 'application/json' };
  const reply = await sendRequest(`${url}/a?b=c`, { method: 'POST', headers, body: '"ä"', signal: never });
  expect(reply).toMatchObject({ ok: false, status: 409 });
  expect(await reply.text()).toBe('POST /a?b=c application/json "ä"');
});

test('streams the response', async () => {
  let more = (): void => {};
  const url = await answer((_, response) => {
    response.write('first');
    more = () => response.end('second');
  });
  const { body } = await sendRequest(url, { headers: {}, signal: never });
  const reader = body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('first');
  more();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('second');
  expect((await reader.read()).done).toBe(true);
});

test('follows a redirect', async () => {
  const there = await answer((_, response) => response.end('there'));
  const url = await answer((_, response) => response.writeHead(307, { location: there }).end());
  const reply = await sendRequest(url, { method: 'POST', headers: {}, body: '{}', signal: never });
  expect(await reply.text()).toBe('there');
});

test('reports why there is no response', async () => {
  const cause = await sendRequest('http://127.0.0.1:1', { headers: {}, signal: never }).catch(
    (error: unknown) => error,
  );
  expect(toUnreachableError('http://127.0.0.1:1', cause).message).toBe(
    'Cannot reach the engine at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Check that it is running.',
  );
});

test('reports an untrusted certificate, with a hint', async () => {
  const server = createSecureServer({ ...makeCertificate() });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cause = await sendRequest(url, { headers: {}, signal: never }).catch((error: unknown) => error);
  expect(toUnreachableError(url, cause).message).toMatch(
    /^The certificate of https:\S+ is not trusted: self-signed certificate\. .* set NODE_EXTRA_CA_CERTS/,
  );
});

test('aborts a request, before the response and in the middle of it', async () => {
  const silent = await answer(() => {});
  const early = new AbortController();
  const waiting = sendRequest(silent, { headers: {}, signal: early.signal });
  early.abort();
  await expect(waiting).rejects.toThrow(/abort/);

  const url = await answer((_, response) => response.write('begun'));
  const late = new AbortController();
  const { body } = await sendRequest(url, { headers: {}, signal: late.signal });
  const reader = body!.getReader();
  await reader.read();
  late.abort();
  await expect(reader.read()).rejects.toThrow(/abort/);
});
