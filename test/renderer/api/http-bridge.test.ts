import { expect, test, vi } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { buildUrl, createHttpBridge } from '../../../renderer/api/http-bridge.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

test('path fields are filled in and escaped, the rest becomes the query, lists with commas', () => {
  const input = { name: 'a/b', status: ['failed', 'aborted'], limit: 5, cursor: undefined };
  expect(buildUrl('/dags/{name}', input, true)).toBe('/api/v2/dags/a%2Fb?status=failed%2Caborted&limit=5');
  expect(buildUrl('/dags/{name}', input, false)).toBe('/api/v2/dags/a%2Fb');
});

test('an operation goes to its route, and a refusal comes back as the error it is', async () => {
  const requests: [string, RequestInit | undefined][] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    requests.push([url, init]);
    return new Response('{"code":"max_run_reached","message":"one is active"}', { status: 409 });
  });
  const bridge = createHttpBridge('http://here', new FakeClock());
  const failure = await bridge
    .call('dags.start', { fileName: 'etl', params: 'A=1' })
    .catch((thrown: unknown) => thrown);
  vi.unstubAllGlobals();
  expect(failure).toBeInstanceOf(AppError);
  expect(failure).toMatchObject({ code: 'max_run_reached', message: 'one is active' });
  expect(requests[0]).toMatchObject([
    'http://here/api/v2/dags/etl/start',
    { method: 'POST', body: '{"params":"A=1"}' },
  ]);
});

test('a server that is gone, and one that is not ours, are told as unavailable', async () => {
  const bridge = createHttpBridge('http://here', new FakeClock());
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await expect(bridge.call('system.info', {})).rejects.toMatchObject({ code: 'unavailable' });
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
  await expect(bridge.call('system.info', {})).rejects.toMatchObject({ code: 'unavailable' });
  vi.unstubAllGlobals();
});
