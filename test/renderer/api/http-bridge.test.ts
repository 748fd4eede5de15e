import { afterEach, expect, test, vi } from 'vitest';
import { useConnection } from '../../../renderer/api/connection.ts';
import { createHttpBridge } from '../../../renderer/api/http-bridge.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { waitUntilPasses } from '../../harness/resources.ts';

afterEach(() => vi.unstubAllGlobals());

test('calls the server that the page was loaded from', async () => {
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url);
    return Response.json({ dags: [] });
  });
  const bridge = createHttpBridge('http://here/base/', new FakeClock());
  expect(await bridge.call('dags.list', {})).toEqual({ dags: [] });
  expect(urls).toEqual(['http://here/base/api/v2/dags']);
});

test('only the stream of all events reports the connection state', async () => {
  const replies = [new Response(': open\n\n'), new Response('event: end\ndata: {}\n\n')];
  vi.stubGlobal('fetch', async () => replies.shift()!);
  const clock = new FakeClock();
  const bridge = createHttpBridge('http://here', clock);
  useConnection.setState({ state: 'connecting' });
  const nobody = { item() {}, end() {} };
  bridge.follow('events.follow', {}, nobody);
  await waitUntilPasses(() => expect(useConnection.getState().state).toBe('reconnecting'));
  const ended = new Promise<void>((resolve) => {
    bridge.follow(
      'logs.follow',
      { name: 'etl', dagRunId: 'r1', step: 'a' },
      { ...nobody, end: () => resolve() },
    );
  });
  await ended;
  expect(useConnection.getState().state).toBe('reconnecting');
});
