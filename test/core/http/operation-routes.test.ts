import { describe, expect, test } from 'vitest';
import { errorCodes, type ErrorCode } from '../../../core/base/error-codes.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { Logger } from '../../../core/base/logger.ts';
import { findExample } from '../../../core/contract/curl-example.ts';
import { listPathFields, getPrefix, sendsInputInQuery } from '../../../core/contract/transport.ts';
import type { Operation } from '../../../core/contract/operation.ts';
import { operations } from '../../../core/contract/operations.ts';
import { listNames } from '../../../core/http/operation-routes.ts';
import { defaultMaxBodyBytes } from '../../../core/http/http-error.ts';
import { createOnce, onTestCleanup } from '../../harness/resources.ts';
import { sendBytes, sendRaw, serve, type ServedApi } from '../../harness/server.ts';

const shared = createOnce(async () => {
  const served = await serve();
  onTestCleanup(() => served[Symbol.asyncDispose]());
  return served;
});

/** The server of this file, whose API has not been called yet: registering all routes takes longer than most tests. */
function idleServer(): ServedApi {
  const served = shared();
  served.api.reset();
  return served;
}

test.each(listNames(operations))('%s is reached by its method and path', async (name) => {
  const served = idleServer();
  const operation: Operation = operations[name];
  const { method, path, input: schema, status } = operation;
  const valueOf = (field: string): unknown => findExample(name, field, schema);
  const url = `${getPrefix(operation)}${path.replaceAll(/\{(\w+)\}/g, (_part, field: string) => encodeURIComponent(String(valueOf(field))))}`;
  const inPath = listPathFields(path);
  const required: readonly string[] = schema.required ?? [];
  const fields = required.filter((field) => !inPath.includes(field));
  const given = Object.fromEntries(fields.map((field) => [field, valueOf(field)]));
  const query = new URLSearchParams(
    Object.entries(given).flatMap(([field, value]) =>
      [value].flat().map((each) => [field, typeof each === 'string' ? each : JSON.stringify(each)]),
    ),
  );
  const response = sendsInputInQuery(method)
    ? await served.fetch(`${url}?${query}`, { method })
    : await served.fetch(url, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      });
  expect(response.status).toBe(status ?? 200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const fromPath = Object.fromEntries(inPath.map((field) => [field, valueOf(field)]));
  const input = { ...given, ...fromPath };
  expect(await response.json()).toEqual({ name, input });
  expect(served.api.calls).toMatchObject([{ name, input, caller: { via: 'http', name: 'http' } }]);
});

describe('query strings are converted to the types of the schema', () => {
  test.each([
    ['limit=25&subRuns=true&cursor=12', { limit: 25, subRuns: true, cursor: '12' }],
    ['status=failed,running', { status: ['failed', 'running'] }],
    ['status=failed&status=running', { status: ['failed', 'running'] }],
    ['status=', { status: [] }],
    ['subRuns=0&cursor=a%20b%2Fc', { subRuns: false, cursor: 'a b/c' }],
    ['', {}],
  ])('%s', async (query, input) => {
    const served = idleServer();
    expect(await (await served.fetch(`/api/v2/dag-runs?${query}`)).json()).toEqual({
      name: 'runs.list',
      input,
    });
  });

  test.each([
    ['limit=many', 'limit', '`limit` must be a whole number, not "many".'],
    ['limit=1.5', 'limit', '`limit` must be a whole number, not "1.5".'],
    ['limit=', 'limit', '`limit` must be a whole number, not "".'],
    ['limit=99999999999999999999', 'limit', '`limit` must be a whole number, not "99999999999999999999".'],
    ['limit=1&limit=2', 'limit', '`limit` is set 2 times but allowed only once.'],
    ['subRuns=yes', 'subRuns', '`subRuns` must be `true` or `false`, not "yes".'],
    ['statsu=failed', 'statsu', expect.stringContaining('did you mean `status`?')],
    ['__proto__=1', '__proto__', expect.stringContaining('Unknown query parameter `__proto__`')],
  ])('rejects %s', async (query, field, message) => {
    const served = idleServer();
    const response = await served.fetch(`/api/v2/dag-runs?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 'bad_request', message, details: { field } });
    expect(served.api.calls).toEqual([]);
  });

  test('ignores body fields in the query', async () => {
    const served = idleServer();
    const response = await served.post('/api/v2/dags/etl/start?params=A', {});
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'bad_request', details: { field: 'params' } });
  });
});

test.each([
  [
    '/api/v2/dags/etl/start',
    { dagName: 'my flow' },
    'dagName: must be 1 to 40 characters: letters, digits, "_", "." and "-" (got "my flow")',
  ],
  [
    '/api/v2/dags/etl/start',
    { dagRunId: 'a b' },
    'dagRunId: must be 1 to 64 characters: letters, digits, "-" and "_" (got "a b")',
  ],
  [
    '/api/v2/dag-runs',
    { spec: 'steps: [a]', name: 'a/b' },
    'name: must be 1 to 40 characters: letters, digits, "_", "." and "-" (got "a/b")',
  ],
])('%s with %j describes the allowed characters', async (path, body, message) => {
  const served = idleServer();
  const response = await served.post(path, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'bad_request', message });
  expect(served.api.calls).toEqual([]);
});

test('path segments are decoded, of any length, and win over the body', async () => {
  const served = idleServer();
  const step = `a/b ${'ü'.repeat(500)}`;
  await served.fetch(`/api/v2/dag-runs/etl/r1/steps/${encodeURIComponent(step)}/log?from=-20`);
  await served.post('/api/v2/dags/etl/start', { fileName: 'other', params: 'A=1' });
  expect(served.api.calls.map(({ input }) => input)).toEqual([
    { name: 'etl', dagRunId: 'r1', step, from: -20 },
    { fileName: 'etl', params: 'A=1' },
  ]);
});

test('HEAD responds like GET without a body', async () => {
  const served = idleServer();
  const response = await served.fetch('/api/v2/health', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
});

describe('errors', () => {
  const codes = listNames(errorCodes).filter((code) => code !== 'internal_error');

  test.each(codes)('%s has the status of the table', async (code: ErrorCode) => {
    const served = idleServer();
    served.api.refuse(new AppError(code, 'Not like this.', { details: { hint: 1 } }));
    const response = await served.fetch('/api/v2/dags');
    expect(response.status).toBe(errorCodes[code].http);
    expect(await response.json()).toEqual({ code, message: 'Not like this.', details: { hint: 1 } });
  });

  test('a defect is logged completely and reported without its message', async () => {
    const logged: unknown[] = [];
    const logger: Logger = { info() {}, warn() {}, error: (...entry) => logged.push(entry) };
    await using served = await serve({ logger });
    served.api.refuse(new Error('secret path /home/me'));
    const response = await served.fetch('/api/v2/dags');
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ code: 'internal_error' });
    expect(body).not.toMatch(/secret|stack|at /);
    expect(logged).toEqual([
      ['request failed: secret path /home/me', { stack: expect.stringContaining('.ts:') }],
    ]);
  });
});

describe('bodies', () => {
  const path = '/api/v2/dags/validate';
  const send = async (headers: Record<string, string>, body: string) => {
    const served = idleServer();
    const { status, body: reply } = await sendRaw(served.port, path, { method: 'POST', headers, body });
    return { status, reply: JSON.parse(reply) as { code?: string }, calls: served.api.calls.length };
  };
  const json = { 'content-type': 'application/json' };

  test.each([
    [
      'form',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'spec=x',
      415,
      'unsupported_media_type',
    ],
    [
      'plain text, as a form can send it',
      { 'content-type': 'text/plain' },
      '{"spec":""}',
      415,
      'unsupported_media_type',
    ],
    ['no type', {}, '{"spec":""}', 415, 'unsupported_media_type'],
    ['invalid JSON', json, '{"spec":', 400, 'bad_request'],
    ['an array', json, '[1]', 400, 'bad_request'],
    ['null', json, 'null', 400, 'bad_request'],
    ['prototype pollution', json, '{"__proto__":{"admin":true}}', 400, 'bad_request'],
  ])('%s', async (_, headers, body, status, code) => {
    const outcome = await send(headers, body);
    expect(outcome).toMatchObject({ status, reply: { code }, calls: 0 });
  });

  test('rejects invalid JSON with the position of the first error', async () => {
    expect(await send(json, '{\n  "spec": "a",\n}')).toMatchObject({
      reply: {
        message:
          'Invalid JSON in the request body: line 3, column 1: expected a name in double quotes, not "}".',
        details: { line: 3, column: 1 },
      },
    });
    expect(await send(json, '{"__proto__":{"admin":true}}')).toMatchObject({
      reply: { message: expect.stringContaining('`__proto__`') as string },
    });
  });

  test('an empty body is an empty object', async () => {
    const missing = { status: 400, reply: { message: 'spec: is missing' } };
    expect(await send(json, '')).toMatchObject(missing);
    expect(await send({}, '')).toMatchObject(missing);
  });

  test('accepts 8 MiB and rejects more', async () => {
    const wrap = (bytes: number): string =>
      JSON.stringify({ spec: 'x'.repeat(bytes - '{"spec":""}'.length) });
    expect(await send(json, wrap(defaultMaxBodyBytes))).toMatchObject({ status: 200, calls: 1 });
    expect(await send(json, wrap(defaultMaxBodyBytes + 1))).toMatchObject({
      status: 413,
      reply: { code: 'payload_too_large' },
      calls: 0,
    });
  });

  test('an operation can accept more, and names its own limit', async () => {
    const served = idleServer();
    const emit = (bytes: number) =>
      served.post('/api/v2/webhooks/events', { event: 'push', payload: { text: 'x'.repeat(bytes) } });
    expect((await emit(25 * 1_048_576)).status).toBe(200);
    const refused = await emit(26 * 1_048_576);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      message: 'The request body exceeds the limit of 26 MiB.',
    });
  });

  test('rejects an announced oversized body before it is sent', async () => {
    const served = idleServer();
    const reply = await sendBytes(
      served.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: 99999999999\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('"code":"payload_too_large"');
  });
});

describe('paths', () => {
  const ask = async (path: string, method = 'GET') => {
    const served = idleServer();
    const reply = await sendRaw(served.port, path, { method });
    return { ...reply, json: JSON.parse(reply.body || '{}') as { code?: string } };
  };

  test.each([['/api'], ['/api/v2'], ['/api/v2/nothing'], ['/api/v3/dags'], ['/api/v2/dags/a/b/c/d']])(
    '%s is not found',
    async (path) => {
      expect(await ask(path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    },
  );

  test.each([
    ['DELETE', '/api/v2/dags', 'GET, HEAD, POST'],
    ['PUT', '/api/v2/dag-runs', 'GET, HEAD, POST'],
    ['GET', '/api/v2/dags/etl/start', 'POST'],
    ['OPTIONS', '/api/v2/dags', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/v2/events', 'GET, HEAD'],
    ['POST', '/api/v2/openapi.json', 'GET, HEAD'],
  ])('%s %s is not allowed, and Allow lists the allowed methods', async (method, path, allow) => {
    const reply = await ask(path, method);
    expect(reply).toMatchObject({ status: 405, headers: { allow }, json: { code: 'method_not_allowed' } });
  });

  test('a malformed escape is a bad request', async () => {
    const reply = await ask('/api/v2/dags/%E0%A4%A');
    expect(reply).toMatchObject({ status: 400, json: { code: 'bad_request' } });
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  test('input that is not HTTP gets a response in the same format', async () => {
    const served = idleServer();
    const garbled = await sendBytes(served.port, 'NOT HTTP AT ALL\r\n\r\n');
    expect(garbled).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(garbled).toContain('{"code":"bad_request","message":"Malformed HTTP request."}');
    const long = await sendBytes(served.port, `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(long).toContain('{"code":"headers_too_large","message":"The request headers are too large."}');
  });

  test('rejects an unknown method, and names the known ones', async () => {
    const served = idleServer();
    for (const method of ['FOO', 'get', 'x'.repeat(100)]) {
      const reply = await sendBytes(
        served.port,
        `${method} /api/v1/quotes/random HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
      );
      expect(reply).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
      expect(reply).toContain('\r\nAllow: GET, HEAD\r\n');
      expect(reply).toMatch(
        /\{"code":"method_not_allowed","message":"Unknown HTTP method \\"(FOO|get|x{20}…)\\"/,
      );
    }
    const elsewhere = await sendBytes(served.port, 'FOO /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(elsewhere).toContain('\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n');
    const garbled = await sendBytes(served.port, 'FOO\r\n\r\n');
    expect(garbled).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  test('the OpenAPI document is served with the version of the server', async () => {
    const reply = await ask('/api/v2/openapi.json');
    expect(reply).toMatchObject({ status: 200, json: { openapi: '3.1.0', info: { version: '9.9.9' } } });
  });
});
