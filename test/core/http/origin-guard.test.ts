import { describe, expect, test } from 'vitest';
import { checkOrigin, isLoopbackName } from '../../../core/http/origin-guard.ts';
import { sendBytes, sendRaw, serve } from '../../harness/server.ts';

describe('Host', () => {
  const isAllowed = (host: string | undefined, boundHost = '127.0.0.1'): boolean => {
    try {
      checkOrigin(host === undefined ? {} : { host }, 'GET', { boundHost });
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST:1',
    '127.0.0.1:8080',
    '127.8.8.8',
    '[::1]',
    '[::1]:8080',
  ])('accepts %s', (host) => expect(isAllowed(host)).toBe(true));

  test.each([
    undefined,
    '',
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.evil.example',
    'localhost@evil.example',
    'localhost:8080, evil.example',
    '10.0.0.5:8080',
    '[::2]',
    '2130706433',
  ])('rejects %s', (host) => expect(isAllowed(host)).toBe(false));

  test('accepts the bound name, and any IP literal when bound to all', () => {
    expect(isAllowed('engine.lan:8080', 'engine.lan')).toBe(true);
    expect(isAllowed('other.lan:8080', 'engine.lan')).toBe(false);
    expect(isAllowed('10.0.0.5:8080', '0.0.0.0')).toBe(true);
    expect(isAllowed('[fe80::1]:8080', '::')).toBe(true);
    expect(isAllowed('rebound.example:8080', '0.0.0.0')).toBe(false);
  });

  test('an error names the value of server.publicUrl, or that it can be configured', () => {
    const visit = (publicUrl?: string) => (): void =>
      checkOrigin({ host: 'evil.example' }, 'GET', { boundHost: '127.0.0.1', publicUrl });
    expect(visit()).toThrow(
      /Host header "evil\.example" is not allowed\. Use localhost or 127\.0\.0\.1, or set server\.publicUrl\.$/,
    );
    expect(visit('https://engine.example/flows')).toThrow(/or engine\.example \(server\.publicUrl\)\.$/);
  });

  test('names of this machine', () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'].every(isLoopbackName)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.1', '127.example', 'localhost.example'].some(isLoopbackName)).toBe(
      false,
    );
  });
});

describe('pages of another origin', () => {
  const host = 'localhost:8080';
  const cases: [string, string, Record<string, string>, boolean][] = [
    ['no browser', 'POST', {}, true],
    ['own page', 'POST', { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }, true],
    ['own page behind TLS', 'POST', { origin: 'https://localhost:8080' }, true],
    ['own page reads', 'GET', { origin: 'http://localhost:8080', 'sec-fetch-mode': 'cors' }, true],
    ['another site writes', 'POST', { origin: 'https://evil.example' }, false],
    ['another site reads', 'GET', { origin: 'https://evil.example', 'sec-fetch-mode': 'cors' }, false],
    ['another port of this machine', 'POST', { origin: 'http://localhost:3000' }, false],
    ['another name of this machine', 'GET', { origin: 'http://127.0.0.1:8080' }, false],
    ['a sandboxed frame', 'POST', { origin: 'null' }, false],
    [
      'a form of another site',
      'POST',
      { origin: 'https://evil.example', 'sec-fetch-mode': 'navigate' },
      false,
    ],
    [
      'an image of another site',
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      false,
    ],
    [
      'an image of another port',
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      false,
    ],
    ['a link of another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, true],
    ['a typed address', 'GET', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, true],
  ];

  test.each(cases)('%s (%s %o): %s', (_, method, headers, allowed) => {
    const check = (): void => checkOrigin({ host, ...headers }, method, { boundHost: '127.0.0.1' });
    if (allowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});

describe('rejection of a page', () => {
  const page = { origin: 'https://flows.example' };
  const visit =
    (headers: Record<string, string>, publicUrl?: string, wayIn?: string): (() => void) =>
    () =>
      checkOrigin({ host: 'localhost', ...headers }, 'POST', { boundHost: '127.0.0.1', publicUrl }, wayIn);

  test('says how pages can be allowed', () => {
    expect(visit(page)).toThrow(
      'Requests from pages of "https://flows.example" are not allowed. Use the pages of this server, or set server.publicUrl to the public address.',
    );
    expect(visit(page, 'https://other.example')).toThrow(/ Use the pages of this server\.$/);
    expect(visit({ 'sec-fetch-site': 'cross-site' }, 'https://other.example', 'list it')).toThrow(
      /Cross-site requests are not allowed\. Use the pages of this server, or list it\.$/,
    );
  });
});

describe('the server', () => {
  test('rejects a rebound name for operations, streams, pages and missing paths alike', async () => {
    await using served = await serve();
    const paths = ['/api/v2/dags', '/api/v2/events', '/api/v2/openapi.json', '/api/v2/nothing', '/'];
    const replies = await Promise.all(
      paths.map((path) => sendRaw(served.port, path, { headers: { host: `evil.example:${served.port}` } })),
    );
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(JSON.parse(replies[0]!.body)).toMatchObject({ code: 'forbidden' });
    expect([served.api.calls, served.api.streams]).toEqual([[], []]);
  });

  test('rejects a foreign page before reading the body', async () => {
    await using served = await serve();
    const reply = await sendRaw(served.port, '/api/v2/dags/etl/start', {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{"params":"A"}',
    });
    expect(reply.status).toBe(403);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    expect(served.api.calls).toEqual([]);
  });

  test('rejects a request without Host', async () => {
    await using served = await serve();
    expect(await sendBytes(served.port, 'GET /api/v2/dags HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await sendBytes(served.port, 'GET /api/v2/dags HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });
});
