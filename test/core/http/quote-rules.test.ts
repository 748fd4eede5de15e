import { describe, expect, test } from 'vitest';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { errorCodes, type ErrorCode } from '../../../core/base/error-codes.ts';
import { acceptsJson, maxRemembered, RateLimit } from '../../../core/http/quote-rules.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { createOnce, onTestCleanup } from '../../harness/resources.ts';
import { serveWithAuth, type AuthServer, serve } from '../../harness/server.ts';

interface QuoteResponse {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it by name
  readonly body: any;
}

/** A server that requires credentials, and an anonymous caller. */
async function openServer(config = '') {
  const served: AuthServer = await serveWithAuth(`auth: {mode: builtin}\n${config}`);
  const ask = async (path: string, init?: RequestInit): Promise<QuoteResponse> => {
    const reply = await fetch(`${served.url}/api/v1/quotes${path}`, { redirect: 'manual', ...init });
    const text = await reply.text();
    const { status, headers } = reply;
    return {
      status,
      headers,
      type: headers.get('content-type'),
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { ...served, ask };
}

/** Expected error: its code, with a suitable message. */
const error = (code: ErrorCode, message: RegExp): object => ({
  status: errorCodes[code].http,
  type: 'application/json; charset=utf-8',
  body: { code, message: expect.stringMatching(message) },
});

describe('public, even where a login is required', () => {
  const server = createOnce(async () => {
    const opened = await openServer('quotes: {requestsPerMinute: 0}');
    onTestCleanup(() => opened[Symbol.asyncDispose]());
    return opened;
  });
  const ask = (path: string, init?: RequestInit): Promise<QuoteResponse> => server().ask(path, init);

  test('a random quote has exactly its fields, and its URL', async () => {
    const { status, headers, body } = await ask('/random');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      message: expect.stringContaining('Dispatcher'),
      nlp_attributes: { quote_structure: expect.any(Array) },
    });
    for (const { kind, words } of body.nlp_attributes.quote_structure) {
      expect(kind).toMatch(/^(statement|question|exclamation)$/);
      for (const { word, tag } of words) {
        expect(body.message).toContain(word);
        expect(tag).toMatch(/^[a-z]+$/);
      }
    }
    const place = headers.get('content-location')!;
    expect(place).toMatch(/^\/api\/v1\/quotes\/g-\d{3}$/);
    expect((await ask(place.slice('/api/v1/quotes'.length))).body).toEqual(body);
  });

  test('a personalised quote mentions the requested name', async () => {
    const { status, headers, body } = await ask(`/personalized?q=${encodeURIComponent("  Ada   O'Brien ")}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      message: expect.stringContaining('Ada O’Brien'),
      nickname: 'Ada O’Brien',
      nlp_attributes: { pronoun: 'she', quote_structure: expect.any(Array) },
    });
    const words = body.nlp_attributes.quote_structure.flatMap(
      (sentence: { words: unknown }) => sentence.words,
    );
    expect(words).toContainEqual({ word: 'Ada O’Brien', tag: 'name' });
    const place = headers.get('content-location')!.slice('/api/v1/quotes'.length);
    expect(place).toMatch(/^\/p-\d{3}\?q=/);
    expect((await ask(place)).body).toEqual(body);
  });

  test('all quotes are returned as two lists of strings', async () => {
    const { status, body } = await ask('/');
    const { messages }: OperationOutput<'quotes.list'> = body;
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['messages']);
    expect(Object.keys(messages)).toEqual(['personalized', 'non_personalized']);
    expect(messages.personalized.length).toBeGreaterThanOrEqual(80);
    expect(messages.non_personalized.length).toBeGreaterThanOrEqual(80);
    expect(messages.personalized.every((text) => text.includes('{name}'))).toBe(true);
    expect((await ask('')).body).toEqual(body);
  });

  test.each([
    ['/personalized', /Missing query parameter "q"\. Example:.*\?q=Ada\.$/],
    ['/personalized?q=', /^The name is empty\. Set the subject of the quote\./],
    ['/personalized?q=%20%09', /^The name is empty\. Set the subject of the quote\./],
    [`/personalized?q=${'a'.repeat(81)}`, /^The name has 81 characters\. The limit is 80\.$/],
    [`/personalized?q=${'a'.repeat(401)}`, /^q: /],
    [
      '/personalized?q=%3Cimg%20src=x%3E',
      /^Invalid name "<img src=x>"\. Use letters, digits, spaces and \. , - _ \+ # \/ : ! \? @ \( \) '/,
    ],
    ['/personalized?q=a%22b', /"\. Use letters, digits, spaces and \. , - _ \+ # \/ : ! \? @ \( \) '/],
    ['/personalized?q=a%60b', /"\. Use letters, digits, spaces and \. , - _ \+ # \/ : ! \? @ \( \) '/],
    ['/personalized?q=a%26lt', /"\. Use letters, digits, spaces and \. , - _ \+ # \/ : ! \? @ \( \) '/],
    ['/personalized?q=a%00b', /"\. Use letters, digits, spaces and \. , - _ \+ # \/ : ! \? @ \( \) '/],
    ['/personalized?q=%E2%80%AEa', /"\. Use letters, digits, spaces and \. , - _ \+ # \/ : ! \? @ \( \) '/],
    [
      `/personalized?q=a${'%CC%81'.repeat(9)}`,
      /"\. Use letters, digits, spaces and \. , - _ \+ # \/ : ! \? @ \( \) '/,
    ],
    ['/personalized?q=...', /The name "\.\.\." has no letters or digits\. Set the subject of the quote\./],
    ['/personalized?q=a&q=b', /q/],
    ['/personalized?q=a&name=b', /Unknown query parameter `name`/],
    ['/random?q=a', /Unknown query parameter `q`/],
    ['/?q=a', /Unknown query parameter `q`/],
    ['/p-001', /^Quote p-001 is personalized and requires the parameter q, such as \?q=Ada\./],
    ['/g-001?q=Ada', /^Quote g-001 is not personalized and does not accept the parameter q\./],
  ])('400: %s', async (path, message) => {
    expect(await ask(path)).toMatchObject(error('bad_request', message));
  });

  test.each(['/none', '/a/b', '/random/', '/g-001/words', '/%3Cb%3E'])('404: %s', async (path) => {
    expect(await ask(path)).toMatchObject(error('not_found', /[Nn]ot found[.:]/));
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '405: %s, with the allowed methods',
    async (method) => {
      for (const path of ['', '/', '/random', '/personalized', '/g-001']) {
        const body = method === 'OPTIONS' ? undefined : 'no JSON';
        const told = await ask(path, { method, ...(body !== undefined && { body }) });
        expect(told).toMatchObject(error('method_not_allowed', /GET, HEAD/));
        expect(told.headers.get('allow')).toBe('GET, HEAD');
      }
    },
  );

  test('406: another format than JSON', async () => {
    const told = await ask('/random', { headers: { accept: 'text/html, application/xml;q=0.9' } });
    expect(told).toMatchObject(
      error(
        'not_acceptable',
        /Quotes are only available as application\/json\. Send "Accept: application\/json", or omit the header\./,
      ),
    );
  });

  test('410: a removed quote, with the time and reason', async () => {
    expect(await ask('/g-087')).toMatchObject(
      error(
        'gone',
        /^Quote g-087 was removed on 2026-11-22: It made fun of a printer, and the printer heard\./,
      ),
    );
    expect(await ask('/p-087?q=Ada')).toMatchObject(
      error(
        'gone',
        /^Quote p-087 was removed on 2026-11-22: It promised a holiday that nobody had scheduled\./,
      ),
    );
  });

  test('without a limit there are no rate limit headers', async () => {
    expect([...(await ask('/random')).headers.keys()].filter((name) => name.startsWith('rate'))).toEqual([]);
  });
});

test('429: too many requests, with a retry time', async () => {
  await using server = await openServer('quotes: {requestsPerMinute: 3}');
  const rates = ({ headers }: QuoteResponse): unknown[] =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));
  expect(rates(await server.ask('/random'))).toEqual([3, 2, 20]);
  // Rejected requests count as well: they cost the same.
  expect(rates(await server.ask('/personalized'))).toEqual([3, 1, 40]);
  expect(rates(await server.ask('/none'))).toEqual([3, 0, 60]);
  const refused = await server.ask('/random');
  expect(refused).toMatchObject(
    error('too_many_requests', /^Rate limit exceeded \(3 requests per minute\)\. Try again in 20 s\.$/),
  );
  expect(refused.headers.get('retry-after')).toBe('20');
  expect(refused.headers.get('ratelimit-policy')).toBe('3;w=60');
  server.engine.clock.advance(20_000);
  expect((await server.ask('/random')).status).toBe(200);
  expect((await server.ask('/random')).status).toBe(429);
});

test('503: maintenance, with a retry time; the engine keeps running', async () => {
  await using server = await openServer('quotes: {maintenance: true}');
  for (const path of ['/random', '/', '/none']) {
    const told = await server.ask(path);
    expect(told).toMatchObject(
      error('unavailable', /Quotes are temporarily unavailable for maintenance\. Try again later\./),
    );
    expect(told.headers.get('retry-after')).toBe('60');
  }
  expect((await server.ask('/../../v2/health')).status).toBe(200);
});

test('500: a defect, without its message', async () => {
  await using served = await serve();
  served.api.call = () => Promise.reject(new Error('the shelf is empty'));
  const reply = await served.fetch('/api/v1/quotes/random');
  expect(reply.status).toBe(500);
  const text = await reply.text();
  expect(text).toContain('"internal_error"');
  expect(text).not.toContain('shelf');
});

test.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/*', true],
  ['Application/JSON; charset=utf-8', true],
  ['text/plain, application/json;q=0.1', true],
  ['text/html', false],
  ['application/xml', false],
  ['*/*;q=0', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=x', false],
])('Accept: %s', (accept, isAccepted) => {
  expect(acceptsJson(accept)).toBe(isAccepted);
});

describe('rate limit', () => {
  test('refills continuously at the rate per minute', () => {
    const clock = new FakeClock();
    const limit = new RateLimit(600, clock);
    const granted = (count: number): number =>
      Array.from({ length: count }, () => limit.take('a')).filter(({ isGranted }) => isGranted).length;
    expect(granted(1000)).toBe(600);
    clock.advance(1000);
    expect(granted(1000)).toBe(10);
    clock.advance(3_600_000);
    expect(granted(1000)).toBe(600);
    expect(limit.take('b')).toEqual({ isGranted: true, remaining: 599, resetSec: 1, retryAfterSec: 0 });
  });

  test('tracks a bounded number of clients', () => {
    const limit = new RateLimit(1, new FakeClock());
    for (let client = 0; client < maxRemembered + 10; client += 1) limit.take(String(client));
    expect(limit.size).toBe(maxRemembered);
    expect(limit.take('0').isGranted).toBe(true);
    expect(limit.take(String(maxRemembered + 9)).isGranted).toBe(false);
  });
});
