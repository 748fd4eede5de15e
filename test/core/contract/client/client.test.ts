import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { buildPath, findApi, type RequestOptions } from '../../../../core/contract/client/send.ts';
import { openClient } from '../../../../core/contract/client/client.ts';
import { createClient } from '../../../../core/contract/client/index.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { until, waitUntilPasses } from '../../../harness/resources.ts';
import { serve } from '../../../harness/server.ts';

const catchError = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('URLs', () => {
  test('fills in and escapes path fields; the rest becomes the query, lists separated by commas', () => {
    const input = { name: 'a/b', status: ['failed', 'aborted'], limit: 5, cursor: undefined };
    expect(buildPath('/dags/{name}', input, true)).toBe('/dags/a%2Fb?status=failed%2Caborted&limit=5');
    expect(buildPath('/dags/{name}', input, false)).toBe('/dags/a%2Fb');
  });

  test('keeps a base path, and appends the API path once', () => {
    expect(findApi('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080/api/v2');
    expect(findApi('https://build.example/engine/')).toBe('https://build.example/engine/api/v2');
    expect(findApi('http://127.0.0.1:8080/api/v2/')).toBe('http://127.0.0.1:8080/api/v2');
  });

  test.each(['', 'localhost:8080', '/api', 'file:///etc/passwd'])('rejects "%s"', (url) => {
    expect(() => findApi(url)).toThrow(`Invalid server URL "${url}".`);
  });

  test.each(['.', '..', ''])('does not let a path field "%s" lead to another operation', async (fileName) => {
    const client = openClient({ url: 'http://127.0.0.1:1', clock: new FakeClock() });
    expect(await catchError(client.call('dags.get', { fileName }))).toMatchObject({
      code: 'bad_request',
      details: { field: 'fileName' },
    });
  });
});

describe('calls', () => {
  test.each(['dags.paint', 'toString'])('reject an unknown operation or stream: %s', async (name) => {
    const client = openClient({ url: 'http://127.0.0.1:1', clock: new FakeClock() });
    const error = {
      code: 'not_found',
      message: expect.stringContaining(`"${name}". See docs/api-reference.md`),
    };
    expect(await catchError(client.call(name as 'dags.list', {}))).toMatchObject(error);
    const observer = { item: () => {}, end: () => {} };
    expect(() => client.follow(name as 'events.follow', { after: 0 }, observer)).toThrow(AppError);
  });

  test('use the route of their operation, with the token', async () => {
    const requests: [string, RequestOptions][] = [];
    const client = openClient({
      url: 'http://here/base/',
      token: 'swt_abc',
      clock: new FakeClock(),
      fetch: async (url, init) => {
        requests.push([url, init]);
        return Response.json({ name: 'etl', dagRunId: 'r1' });
      },
    });
    const run = await client.call('dags.start', { fileName: 'etl', params: 'A=1', dagRunId: undefined });
    expect(run).toEqual({ name: 'etl', dagRunId: 'r1' });
    await client.call('runs.list', { status: ['failed', 'aborted'] });
    expect(requests).toMatchObject([
      ['http://here/base/api/v2/dags/etl/start', { method: 'POST', body: '{"params":"A=1"}' }],
      ['http://here/base/api/v2/dag-runs?status=failed%2Caborted', { method: 'GET' }],
    ]);
    expect(requests[0]![1].headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer swt_abc',
      'content-type': 'application/json',
    });
  });

  test('carry trace context', async () => {
    const requests: RequestOptions[] = [];
    const client = openClient({
      url: 'http://here',
      trace: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true, state: 'c=d' },
      clock: new FakeClock(),
      fetch: async (_, init) => {
        requests.push(init);
        return Response.json({ name: 'etl', dagRunId: 'r1' });
      },
    });
    await client.call('dags.enqueue', { fileName: 'etl' });
    expect(requests[0]!.headers).toMatchObject({
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      tracestate: 'c=d',
    });
  });

  test('arrive at a real server unchanged, and errors return with code and details', async () => {
    await using served = await serve();
    const client = createClient({ url: served.server.url });
    expect(await client.call('runs.get', { name: 'etl', dagRunId: 'latest' })).toEqual({
      name: 'runs.get',
      input: { name: 'etl', dagRunId: 'latest' },
    });
    served.api.refuse(new AppError('max_run_reached', 'One is active.', { details: { active: 1 } }));
    const error = await catchError(client.call('dags.start', { fileName: 'etl' }));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: 'max_run_reached',
      message: 'One is active.',
      details: { active: 1 },
    });
    client.close();
  });

  test('fail as unavailable when the server is down, and name the URL', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const client = createClient({ url: `http://127.0.0.1:${port}` });
    const error = (await catchError(client.call('system.info', {}))) as AppError;
    expect(error.code).toBe('unavailable');
    expect(error.message).toBe(
      `Cannot reach the engine at http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}. Check that it is running.`,
    );
  });

  test('fail as unavailable when the server is not Stepwright', async () => {
    for (const reply of [new Response('<html>', { status: 502 }), new Response('<html>')]) {
      const client = openClient({
        url: 'http://here',
        clock: new FakeClock(),
        fetch: async () => reply,
      });
      expect(await catchError(client.call('system.info', {}))).toMatchObject({ code: 'unavailable' });
    }
  });

  test('can be aborted, individually or together', async () => {
    await using served = await serve();
    served.api.answer = () => new Promise(() => undefined);
    const client = createClient({ url: served.server.url });
    const abort = new AbortController();
    const one = catchError(client.call('system.info', {}, { signal: abort.signal }));
    const other = catchError(client.call('dags.list', {}));
    await until(() => served.api.calls.length === 2);
    abort.abort(new Error('changed my mind'));
    expect(await one).toMatchObject({ message: 'changed my mind' });
    client.close();
    const closed = { code: 'unavailable', message: expect.stringContaining('has been closed') as string };
    expect(await other).toMatchObject(closed);
    expect(await catchError(client.call('dags.list', {}))).toMatchObject(closed);
    expect(() => client.follow('events.follow', {}, { item() {}, end() {} })).toThrow('has been closed');
  });
});

describe('streams', () => {
  const event = (id: number) => ({
    id,
    name: 'etl',
    dagRunId: 'r1',
    at: '2026-01-01T00:00:00Z',
    event: { type: 'run.message', level: 'info', message: 'x' },
  });

  test('of a real server resume when the connection is lost', async () => {
    await using served = await serve();
    const clock = new FakeClock();
    const client = openClient({ url: served.server.url, clock });
    const log: (number | string)[] = [];
    const first = served.api.nextStream();
    client.follow(
      'events.follow',
      { name: 'etl' },
      {
        item: ({ id }) => log.push(id),
        end: (error) => log.push(`end ${error?.code ?? ''}`),
        lost: ({ code }) => log.push(`lost ${code}`),
      },
    );
    const stream = await first;
    expect(stream.input).toEqual({ name: 'etl' });
    stream.observer.item(event(4));
    stream.observer.end({ code: 'unavailable', message: 'The server is stopping.' });
    await waitUntilPasses(() => expect(log).toEqual([4, 'lost unavailable']));
    const second = served.api.nextStream();
    clock.advance(250);
    const resumed = await second;
    expect(resumed.input).toEqual({ name: 'etl', after: 4 });
    resumed.observer.item(event(9));
    resumed.observer.end();
    await waitUntilPasses(() => expect(log).toEqual([4, 'lost unavailable', 9, 'end ']));
    client.close();
  });

  test('are closed individually, or all by close', async () => {
    await using served = await serve();
    const client = createClient({ url: served.server.url });
    const ignored = { item() {}, end: () => expect.unreachable() };
    const leave = client.follow('events.follow', {}, ignored);
    client.follow('logs.follow', { name: 'etl', dagRunId: 'r1', step: 'a' }, ignored);
    await waitUntilPasses(() => expect(served.api.streams).toHaveLength(2));
    const events = served.api.streams.find(({ name }) => name === 'events.follow')!;
    const log = served.api.streams.find(({ name }) => name === 'logs.follow')!;
    leave();
    await waitUntilPasses(() => expect(events.disposed).toBe(1));
    expect(log.disposed).toBe(0);
    client.close();
    await waitUntilPasses(() => expect(log.disposed).toBe(1));
  });
});
